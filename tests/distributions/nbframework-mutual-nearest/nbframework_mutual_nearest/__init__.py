"""The neighbourhood mutual-nearest for nbframework."""
