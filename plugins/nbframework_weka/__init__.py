"""Parts that compute what Weka computes, to the digit."""
