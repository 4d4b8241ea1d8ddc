"""How judgments meet a run: by dicts, by frames, in pieces, in several threads."""
