"""Charts of the page as SVG, drawn without a library: light, the same in every process, readable without styles."""
