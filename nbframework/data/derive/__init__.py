"""From a published file to a data set: how it is read, the steps, and the ARFF document that comes out."""
