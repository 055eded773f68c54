"""Fuzz the doors through which files come in, guided by coverage, with atheris (``pip install atheris``).

    python tools/fuzz.py arff --seconds 300
    python tools/fuzz.py --list

It starts from tests/fuzz/corpus and keeps what reaches new code in --found. An input that raises anything but one of
our own errors stops it and is written to --found, too: reduce it, put it into the corpus, and mend the reader.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))


def main() -> None:
    """Read the arguments and fuzz one target."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="?", help="a door by name")
    parser.add_argument("--seconds", type=int, default=120, help="how long, default 120")
    parser.add_argument("--found", type=Path, default=Path("fuzz-found"), help="folder for what is found")
    parser.add_argument("--list", action="store_true", help="print the names of the doors")
    given = parser.parse_args()
    import atheris

    with atheris.instrument_imports(include=["nbframework"]):
        from support.fuzz_targets import TARGETS, is_harmless
    if given.list or given.target is None:
        sys.stdout.write("\n".join(TARGETS) + "\n")
        return
    if given.target not in TARGETS:
        parser.error(f"no target {given.target!r} (targets: {', '.join(TARGETS)})")
    target = TARGETS[given.target]
    found = given.found / given.target
    found.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={given.seconds}", f"-artifact_prefix={found}/", "-timeout=20", "-rss_limit_mb=3000"]
    folders = [str(found), str(ROOT / "tests" / "fuzz" / "corpus" / given.target)]
    atheris.Setup([sys.argv[0], *options, *folders], lambda data: is_harmless(target, data) and None)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
