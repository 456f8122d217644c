"""Mutation testing: change the program in small ways, and require that a test notices.

`scripts/mutate TARGET` makes the changes of `operators` and those planted by hand in `planted/`, and runs the tests of
`targets` that reach the changed line. What survives is a gap in the tests, or is listed in `equivalents.toml` with the
reason why no test can notice it.

Two well-known tools were weighed. mutmut 3 forks from a loaded parent and selects tests by function, but changes only
code inside functions: the points, costs and plates of a game are data of a module. cosmic-ray changes everything, but
edits the file on disk and starts the same test command for each mutant: it neither selects tests nor forks. Neither
changes a compiled module that the tests load from its file as plain Python, and neither keeps a verdict by content.
"""
