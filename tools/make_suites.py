"""Write configs/suites/*.yaml from a catalog of data sets: python tools/make_suites.py CATALOG.csv [FOLDER].

The catalog has one row for each file, with the columns name, file, sha256, class_attribute, source_repo,
source_commit, source_path, conversion, papers, paper_names (``paper=name`` separated by ``;``), kohavi_split and notes.
"""

import csv
import json
import re
import sys
from pathlib import Path

SUITES = {
    "kohavi1997": (
        "The 37 data sets of Table 2",
        "Kohavi, Becker & Sommerfield, Improving simple Bayes, ECML 1997",
    ),
    "lawnb2018": (
        "The 20 data sets of Table 2",
        "Zhang et al., Locally attribute weighted naive Bayes, 2018",
    ),
    "kappa2022": (
        "The 17 data sets of Table 1",
        "Bayes classification using conditional probability approximations, 2022",
    ),
}
NAMES = {"australian-credit-approval": "australian", "banknote-authentication": "banknote"}
"""Names that the tables of a paper shorten."""
ORDER = {
    "kappa2022": [
        *("iris", "breast-tissue", "algerian-forest-fires", "credit-approval", "wine", "breast-cancer"),
        *("wine-quality-red", "tic-tac-toe", "australian", "yeast", "raisin", "glass", "leaf"),
        *("wine-quality-white", "banknote", "dry-bean", "abalone"),
    ]
}
PACKAGES = {
    "r-cran-mlbench": (
        "https://snapshot.debian.org/file/dd8e31f0cf1dc894a34160e7b726591cbadddb0e",
        "2f1127f7b5e7d08703b13b52ef1976a0c355a7660d6ac575e29b87b13921bc06",
        "usr/lib/R/site-library/mlbench",
    )
}
"""Address, checksum and folder of the packages that hold data sets, by the first word of the catalog's source_repo."""
DERIVATIONS = Path(__file__).parents[1] / "configs" / "derivations"
HEAD = "# Written by tools/make_suites.py from the catalog of the data sets; change that, not this.\n"


def paper_name(row: dict[str, str], paper: str) -> str:
    """Return what a paper calls a data set, in lower case with hyphens."""
    names = dict(entry.split("=", 1) for entry in row["paper_names"].split(";") if entry)
    name = re.sub(r"[^a-z0-9]+", "-", names[paper].lower()).strip("-")
    return NAMES.get(name, name)


def protocol(row: dict[str, str]) -> str | None:
    """Return the published protocol of a data set with one split: its rows, or the size of a random test set."""
    split = re.sub(r"\(.*\)", "", row["kohavi_split"]).strip()
    if not split:
        return None
    if "-" in split:
        return f"{{split: {split}}}"
    _, test = split.split("|")
    return f"{{holdout: {{test_rows: {int(test)}}}}}"


def source(row: dict[str, str], checksums: dict[tuple[str, str], str]) -> dict[str, str | list[str]]:
    """Return where a data set comes from, with the checksum of the source where the catalog knows it."""
    package = PACKAGES.get(row["source_repo"].split()[0])
    if package:
        url, sha256, folder = package
        return {"url": url, "member": f"{folder}/{row['source_path']}", "sha256": sha256}
    paths = row["source_path"].split(" + ")
    pinned = {"repository": row["source_repo"], "commit": row["source_commit"]}
    known = checksums.get((row["source_repo"], row["source_path"]))
    return pinned | {"path": paths if len(paths) > 1 else paths[0]} | ({"sha256": known} if known else {})


def entry(row: dict[str, str], paper: str, checksums: dict[tuple[str, str], str]) -> str:
    """Return the YAML of one data set."""
    lines = [f"  - name: {paper_name(row, paper)}"]
    lines += [f"    file: {row['file']}", f"    sha256: {row['sha256']}", f"    class: {row['class_attribute']}"]
    if paper == "kohavi1997" and (own := protocol(row)):
        lines.append(f"    protocol: {own}")
    if row["conversion"] != "generated":
        lines.append("    source:")
        lines += [f"      {key}: {json.dumps(value)}" for key, value in source(row, checksums).items()]
    name = row["file"].removesuffix(".arff")
    if (DERIVATIONS / f"{name}.yaml").is_file():
        lines.append(f"    derivation: {name}")
    lines.append(f"    conversion: {json.dumps(row['conversion'])}")
    if row["notes"]:
        lines.append(f"    note: {json.dumps(row['notes'], ensure_ascii=False)}")
    return "\n".join(lines)


def training_rows(row: dict[str, str]) -> float:
    """Return the training size by which Kohavi's Table 2 is ordered."""
    split = re.match(r"1-(\d+)|(\d+) \|", row["kohavi_split"])
    return float(split[1] or split[2]) if split else 0.9 * int(row["instances"])


def ordered(rows: list[dict[str, str]], paper: str) -> list[dict[str, str]]:
    """Return the data sets in the order of the paper's table."""
    if paper == "kohavi1997":
        return sorted(rows, key=training_rows)
    if paper in ORDER:
        return sorted(rows, key=lambda row: ORDER[paper].index(paper_name(row, paper)))
    return sorted(rows, key=lambda row: paper_name(row, paper))


def main(catalog: str, folder: str) -> None:
    """Write every suite."""
    with Path(catalog).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    unchanged = [row for row in rows if row["conversion"] == "none"]
    checksums = {(row["source_repo"], row["source_path"]): row["sha256"] for row in unchanged}
    for paper, (title, cite) in SUITES.items():
        mine = ordered([row for row in rows if paper in row["papers"].split(";")], paper)
        head = [f"suite: {paper}", f"title: {title}", f"cite: {json.dumps(cite)}", "sets:"]
        text = HEAD + "\n".join([*head, *(entry(row, paper, checksums) for row in mine)]) + "\n"
        path = Path(folder) / f"{paper}.yaml"
        path.write_text(text, encoding="utf-8")
        sys.stderr.write(f"{path}: {len(mine)} data sets\n")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else str(Path(__file__).parents[1] / "configs" / "suites"))
