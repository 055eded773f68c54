"""The recipes that the properties of whole classifiers are tried on."""

from nbframework import Recipe

SHIPPED = (
    "majority",
    "gaussian-nb",
    "kernel-nb",
    "laplace-nb",
    "proportional-nb",
    "cestnik-nb",
    "sbc-basic",
    "no-match-0",
    "no-match-pc",
    "laplace-m",
    "sbc",
    "weka-naive-bayes",
    "weka-gaussian",
    "weka-kernel",
)
OTHERS = {
    "m-estimate": "estimator: {m-estimate: {m: 2, prior: laplace}}\ndiscretizer: {equal-frequency: {bins: 3}}",
    "evidence-projection": "estimator: evidence-projection\ndiscretizer: {equal-width: {bins: 4}}",
    "auto": "missing: {auto: {support: 1}}\ndiscretizer: {entropy-mdl: {criterion: kononenko}}",
    "observed": "missing: {ignore: {cardinality: observed, denominator: include}}\n"
    "discretizer: {entropy-mdl: {candidates: boundaries}}",
    "skip-unseen": "missing: {ignore: {unseen: skip}}\ndiscretizer: distinct-values",
    "every-attribute": "missing: {as-value: {where: every-attribute}}\ndiscretizer: entropy-mdl",
    "drop-rows": "missing: drop-rows\nempty_classes: drop",
    "impute": "missing: impute\ndiscretizer: {equal-width: {bins: 3}}",
    "joint": "estimator: {no-match: {f: 0.1, target: joint}}\ndiscretizer: entropy-mdl",
    "sample-variance": "density: {gaussian: {variance: sample, floor: 0.01}}",
    "inverse-root": "density: {kernel: {bandwidth: inverse-root}}",
    "weighted": "weights: arff\ndiscretizer: {equal-width: {bins: 3}}",
}
EVERY = (*SHIPPED, *OTHERS)


def recipe(name: str) -> Recipe:
    """Return a recipe of `EVERY`."""
    return Recipe.from_text(f"recipe: {name}\n{OTHERS[name]}") if name in OTHERS else Recipe.load(name)
