"""Decision trees, rules read off them, and trees with naive-Bayes leaves."""
