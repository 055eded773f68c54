"""CSV files: their rows a part at a time, and whole data sets from them."""
