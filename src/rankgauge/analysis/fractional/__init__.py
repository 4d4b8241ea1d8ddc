"""Dependability as a function of gain and discount: its values, gradients and local maxima."""
