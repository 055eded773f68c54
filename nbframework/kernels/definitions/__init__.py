"""What each kernel computes, in NumPy: the readable form, the oracle of the tests, and the fallback."""
