"""One script a subject; each runs in a process of its own."""
