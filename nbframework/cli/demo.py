"""``nbf demo``: a real comparison on the data sets that ship with the package."""

import click

from nbframework.cli.console import note
from nbframework.cli.evaluate import run_cells
from nbframework.cli.options import load_recipe
from nbframework.cli.results import print_matrix
from nbframework.data.arff import read_arff
from nbframework.data.catalog import find_dataset
from nbframework.evaluation.evaluate import EvaluationProtocol

RECIPES = ("majority", "gaussian-nb", "sbc-basic", "laplace-1", "sbc")
DATA = (
    "iris",
    "wine",
    "breast-cancer-wisconsin-diagnostic",
    "digits",
    "tic-tac-toe",
    "monks-1",
    "led24",
    "waveform-21",
)
REMARK = """
Each number is the percentage of rows whose class was predicted right, by a classifier that had not seen them.
majority       predicts the most frequent class: what any classifier should beat
gaussian-nb    naive Bayes with a normal distribution for each number
sbc-basic      Kohavi et al. (1997): ten equal-width intervals, plain frequencies
laplace-1      the same with Laplace's correction instead of zero probabilities
sbc            their final form: entropy discretization and the correction 1/m

Next: nbf evaluate sbc gaussian-nb -d YOUR-FILE.arff      nbf recipes      nbf show sbc"""


@click.command("demo", epilog="Example: nbf demo --repeats 3")
@click.option("--repeats", type=click.IntRange(min=1), default=1, show_default=True, help="Repetitions.")
def command(repeats: int) -> None:
    """Cross-validate five recipes on eight bundled data sets and print the table."""
    protocol = EvaluationProtocol(repeats=repeats)
    note(f"{len(RECIPES)} recipes on {len(DATA)} data sets, {protocol.described()} ...")
    sets = [(name, read_arff(find_dataset(name)), protocol) for name in DATA]
    cells = run_cells([load_recipe(recipe) for recipe in RECIPES], sets)
    print_matrix(cells, "accuracy")
    click.echo(REMARK)
