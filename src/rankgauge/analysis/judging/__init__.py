"""Trust in the judgments: whether judges agree, what unjudged documents could change, what to judge."""
