"""One read model a file: a row, the key an event belongs to, and a pure ``evolve``."""
