"""Getting the data sets of a suite from a server on this machine."""

import hashlib
import io
import socket
import zipfile

import pytest
from support.file_server import file_server

from nbframework.errors import DataError, RecipeError
from nbframework.study.fetching import chosen_sets, get_sets, target_folder
from nbframework.study.suite import data_folders, load_suite, located

pytest.importorskip("pooch", reason="pooch fetches: pip install 'nbframework[data]'")
GOOD = b"@relation r\n@attribute x numeric\n@attribute class {a,b}\n@data\n1,a\n2,b\n"
TABLE = b"a,1.50\nb,?\n"
DERIVED = b"% derived\n\n@relation r\n\n@attribute x numeric\n@attribute class {a,b}\n\n@data\n1.50,a\n?,b\n"
DERIVATION = """derivation: small
relation: r
comment: derived
read: {form: comma-separated, columns: {class: [a, b], x: numeric}}
steps: [{move-last: class}]
"""


def checksum(content):
    return hashlib.sha256(content).hexdigest()


SUITE = f"""suite: mine
sets:
  - name: good
    file: good.arff
    sha256: {checksum(GOOD)}
    source: {{repository: owner/sets, commit: abc, path: folder/good set.arff}}
  - name: small
    file: small.arff
    sha256: {checksum(DERIVED)}
    source: {{repository: owner/sets, commit: abc, path: small.csv}}
    derivation: small
  - name: zipped
    file: zipped.arff
    sha256: {checksum(DERIVED)}
    source: {{url: "https://example.org/all.zip", member: d/small.csv}}
    derivation: small
"""
PATHS = {"good": "/owner/sets/abc/folder/good%20set.arff", "small": "/owner/sets/abc/small.csv", "zipped": "/all.zip"}


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("d/small.csv", TABLE)
    with file_server() as served:
        served.files |= {PATHS["good"]: GOOD, PATHS["small"]: TABLE, PATHS["zipped"]: archive.getvalue()}
        yield served


@pytest.fixture
def sets(tmp_path):
    (tmp_path / "mine.yaml").write_text(SUITE)
    (tmp_path / "small.yaml").write_text(DERIVATION)
    return load_suite(tmp_path / "mine.yaml").sets


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "data"


def states(outcomes):
    return {outcome.entry.name: outcome.state for outcome in outcomes}


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


def test_sets_are_fetched_derived_and_taken_from_archives(server, sets, folder):
    assert states(get_sets(sets, folder, server.url)) == dict.fromkeys(PATHS, "fetched")
    assert files(folder) == {"good.arff": GOOD, "small.arff": DERIVED, "zipped.arff": DERIVED}


def test_a_second_run_fetches_nothing(server, sets, folder):
    get_sets(sets, folder, server.url)
    server.asked.clear()
    assert states(get_sets(sets, folder, server.url)) == dict.fromkeys(PATHS, "there")
    assert server.asked == []


def test_an_interrupted_run_is_taken_up_again(server, sets, folder):
    get_sets(sets[:1], folder, server.url)
    server.asked.clear()
    assert states(get_sets(sets, folder, server.url)) == {"good": "there", "small": "fetched", "zipped": "fetched"}
    assert server.asked == [PATHS["small"], PATHS["zipped"]]


def wrong(server):
    server.files |= dict.fromkeys(PATHS.values(), b"a,2\n")


def half(server):
    server.cut |= set(PATHS.values())


def half_that_looks_whole(server):
    half(server)
    server.unannounced |= set(PATHS.values())


def none(server):
    server.files.clear()


@pytest.mark.parametrize(
    ("change", "messages"),
    [
        (
            wrong,
            {
                "good": "SHA-256 .* the suite expects",
                "small": "SHA-256 .* the suite expects",
                "zipped": "cannot be read as an",
            },
        ),
        (half, dict.fromkeys(PATHS, "the connection broke off")),
        (
            half_that_looks_whole,
            {"good": "cut short", "small": "found|SHA-256", "zipped": "cannot be read as an archive"},
        ),
        (none, dict.fromkeys(PATHS, "the host answers 404 Not Found")),
    ],
)
def test_what_is_not_right_is_explained_and_never_placed(server, sets, folder, change, messages):
    change(server)
    outcomes = get_sets(sets, folder, server.url)
    assert states(outcomes) == dict.fromkeys(PATHS, "failed")
    for outcome in outcomes:
        with pytest.raises(DataError, match=messages[outcome.entry.name]):
            raise DataError(outcome.reason)
        assert PATHS[outcome.entry.name] in outcome.reason.replace("https://raw.githubusercontent.com", "")
    assert files(folder) == {}


def test_one_failure_does_not_stop_the_others(server, sets, folder):
    del server.files[PATHS["small"]]
    assert states(get_sets(sets, folder, server.url)) == {"good": "fetched", "small": "failed", "zipped": "fetched"}


def test_offline_every_set_says_where_it_is_and_what_to_do(sets, folder, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        mirror = f"http://127.0.0.1:{probe.getsockname()[1]}"
    first, second, _ = get_sets(sets, folder, mirror)
    for part in (
        "no connection",
        "https://raw.githubusercontent.com/owner/sets/abc/folder/good%20set.arff",
        "--data-dir",
    ):
        assert part in first.reason
    assert "not tried, since there was no connection" in second.reason
    assert second.entry.source.urls[0] in second.reason


def test_a_file_with_another_checksum_stays_unless_it_is_to_be_replaced(server, sets, folder):
    folder.mkdir()
    (folder / "good.arff").write_bytes(GOOD[:20])
    (outcome,) = get_sets(sets[:1], folder, server.url)
    assert outcome.state == "failed"
    assert "damaged or another version: --replace" in outcome.reason
    assert files(folder) == {"good.arff": GOOD[:20]}
    assert server.asked == []
    assert states(get_sets(sets[:1], folder, server.url, anew=True)) == {"good": "fetched"}
    assert files(folder) == {"good.arff": GOOD}


def test_a_failed_replacement_leaves_the_old_file(server, sets, folder):
    folder.mkdir()
    (folder / "good.arff").write_bytes(b"old")
    wrong(server)
    assert states(get_sets(sets[:1], folder, server.url, anew=True)) == {"good": "failed"}
    assert files(folder) == {"good.arff": b"old"}


def test_the_environment_names_the_mirror(server, sets, folder, monkeypatch):
    monkeypatch.setenv("NBFRAMEWORK_MIRROR", server.url)
    assert states(get_sets(sets[:1], folder)) == {"good": "fetched"}


def test_progress_is_told_before_each_set(server, sets, folder):
    told = []
    get_sets(sets, folder, server.url, report=lambda *words: told.append(words))
    assert told == [("good", 0, 3), ("small", 1, 3), ("zipped", 2, 3)]


def test_a_set_without_source_and_one_outside_the_folder_fail(tmp_path, folder):
    text = "suite: s\nsets: [{name: a, file: a.arff}, {name: b, file: ../b.arff, source: {url: 'https://x.org/b'}}]\n"
    (tmp_path / "s.yaml").write_text(text)
    first, second = get_sets(load_suite(tmp_path / "s.yaml").sets, folder)
    assert "names no source; put a.arff into a folder" in first.reason
    assert "found the file '../b.arff', expected the name of a file" in second.reason


def test_a_source_with_wrong_bytes_is_refused_by_its_own_checksum(server, tmp_path, folder):
    text = SUITE.replace("path: small.csv", f"path: small.csv, sha256: {checksum(b'other')}")
    (tmp_path / "mine.yaml").write_text(text)
    (tmp_path / "small.yaml").write_text(DERIVATION)
    (outcome,) = get_sets(load_suite(tmp_path / "mine.yaml").sets[1:2], folder, server.url)
    assert f"SHA-256 {checksum(TABLE)} came, expected {checksum(b'other')}" in outcome.reason


def test_a_generated_set_needs_no_network(folder):
    led24 = [entry for entry in load_suite("kohavi1997").sets if entry.name == "led24"]
    assert states(get_sets(led24, folder, "http://127.0.0.1:9")) == {"led24": "fetched"}


def test_fetched_sets_are_found_by_studies(server, sets, folder, monkeypatch):
    monkeypatch.setenv("NBFRAMEWORK_DATA", str(folder))
    get_sets(sets, target_folder(None), server.url)
    assert located(sets, data_folders(None, None))["small"] == folder / "small.arff"


def test_a_given_folder_comes_before_the_fetched_sets(sets, folder, tmp_path, monkeypatch):
    monkeypatch.setenv("NBFRAMEWORK_DATA", str(folder))
    folder.mkdir()
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "good.arff").write_bytes(GOOD)
    for name in ("good.arff", "small.arff", "zipped.arff"):
        (folder / name).write_bytes(GOOD)
    found = located(sets, data_folders(tmp_path / "given", None))
    assert found == {
        "good": tmp_path / "given" / "good.arff",
        "small": folder / "small.arff",
        "zipped": folder / "zipped.arff",
    }


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("glass2", "glass2.arff"),
        ("chess", "kr-vs-kp.arff"),
        ("hypothyroid", "hypothyroid.arff"),
        ("abalone", "abalone-sex.arff"),
    ],
)
def test_a_single_set_by_the_name_of_its_file_or_in_its_table(name, file):
    assert [entry.file for entry in chosen_sets([name])] == [file]


def test_each_file_is_got_once():
    listed = [entry.file for entry in chosen_sets(["kohavi1997", "lawnb2018", "glass"])]
    assert len(listed) == len(set(listed)) == 43


def test_a_misspelt_name_gets_the_nearest():
    with pytest.raises(DataError, match="no suite or data set 'glas2'; did you mean 'glass2'"):
        chosen_sets(["glas2"])


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{repository: a/b, path: c}", "key 'commit' is required"),
        ("{url: 'ftp://x.org/a'}", "expected an address that begins with https://"),
        ("{url: 'https://x.org/a', commit: abc}", "stands in place of repository, commit and path"),
        ("{url: 'https://x.org/a', sha256: abc}", "expected 64 hexadecimal digits for each file"),
        ("{repositry: a/b}", "unknown key; did you mean 'repository'"),
    ],
)
def test_a_wrong_source_is_explained(tmp_path, source, message):
    (tmp_path / "s.yaml").write_text(f"suite: s\nsets: [{{name: a, file: f, source: {source}}}]\n")
    with pytest.raises(RecipeError, match=message):
        load_suite(tmp_path / "s.yaml")
