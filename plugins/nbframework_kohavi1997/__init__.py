"""Parts of Kohavi, Becker & Sommerfield (1997), Improving simple Bayes, and of MLC++, which ran it."""
