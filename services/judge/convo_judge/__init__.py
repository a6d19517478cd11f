"""The judge: scores conversations against a rubric."""
