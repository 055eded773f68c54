"""Derivation files: what they say, what is wrong with them, and the documents that come of the shipped ones."""

import hashlib
from dataclasses import replace

import pytest
from support.published_files import biff2, r_data

from nbframework import parse_arff
from nbframework.errors import DataError, RecipeError
from nbframework.study.derivations import load_derivation
from nbframework.study.suite import load_suite, shipped_folder

SHIPPED = sorted(path.stem for path in shipped_folder("derivation").glob("*.yaml"))
CHECKSUMS = {
    entry.derivation: entry.sha256 for s in ("kohavi1997", "lawnb2018", "kappa2022") for entry in load_suite(s).sets
}
EXCERPTS = {
    "abalone-sex": (
        "M,0.455,0.365,0.095,0.514,0.2245,0.101,0.15,15\n",
        "0.455,0.365,0.095,0.514,0.2245,0.101,0.15,15,M",
    ),
    "adult": (
        "|1x3 Cross validator\n25, Private, 226802, 11th, 7, Never-married, ?, Own-child, Black, Male, 0, 0, 40, "
        "United-States, <=50K.\n",
        "25,Private,226802,11th,7,Never-married,?,Own-child,Black,Male,0,0,40,United-States,<=50K",
    ),
    "australian": (
        "1 22.08 11.46 2 4 4 1.585 0 0 0 1 2 100 1213 0\n",
        "1,22.08,11.46,2,4,4,1.585,0,0,0,1,2,100,1213,0",
    ),
    "banknote-authentication": ("3.6216,8.6661,-2.8073,-0.44699,0\n", "3.6216,8.6661,-2.8073,-0.44699,0"),
    "hypothyroid-3163": (
        "negative,29,?,f,f,f,f,f,f,f,f,f,f,f,y,0.80,y,1.80,y,99,y,1.01,y,98,n,?\n",
        "29,?,f,f,f,f,f,f,f,f,f,f,f,y,0.80,y,1.80,y,99,y,1.01,y,98,n,?,negative",
    ),
    "leaf": (
        "36,2,0.7,1.4,0.3,0.9,1,0.8,0.004,0.003,0.04,0.1,0.01,0.005,7.4846e-05,1.1\n",
        "2,0.7,1.4,0.3,0.9,1,0.8,0.004,0.003,0.04,0.1,0.01,0.005,7.4846e-05,1.1,36",
    ),
    "liver-disorder": ("85,92,45,27,31,0.0,1\n", "85,92,45,27,31,0.0,1"),
    "raisin": (
        "@relation Raisin_Grains_Dataset\n@attribute Area Integer\n@attribute MajorAxisLength Real\n"
        "@attribute MinorAxisLength Real\n@attribute Eccentricity Real\n@attribute ConvexArea Integer\n"
        "@attribute Extent Real\n@attribute Perimeter Real\n@attribute Class Integer\n\n@data\n"
        "87524,442.2460114,253.291155,0.819738392,90546,0.758650579,1184.04,0\n7,1,2,0.5,8,0.5,4.10,1\n",
        "87524,442.2460114,253.291155,0.819738392,90546,0.758650579,1184.04,Kecimen\n7,1,2,0.5,8,0.5,4.10,Besni",
    ),
    "waveform-21": (",".join(["-1.20"] * 21) + ",2\n", ",".join(["-1.20"] * 21) + ",2"),
    "wine-quality-red": (
        "7.4,0.7,0,1.9,0.076,11,34,0.9978,3.51,0.56,9.4,5\n",
        "7.4,0.7,0,1.9,0.076,11,34,0.9978,3.51,0.56,9.4,5",
    ),
    "wine-quality-white": (
        "7,0.27,0.36,20.7,0.045,45,170,1.001,3,0.45,8.8,9\n",
        "7,0.27,0.36,20.7,0.045,45,170,1.001,3,0.45,8.8,9",
    ),
    "yeast": (
        "B_YEAST  0.58  0.61  0.47  0.13  0.50  0.00  0.48  0.22  MIT\nA_YEAST 0.1 0.2 0.3 0.4 0.50 0.00 0.5 0.6 CYT\n",
        "B_YEAST,0.58,0.61,0.47,0.13,0.50,0.00,0.48,0.22,MIT\nA_YEAST,0.1,0.2,0.3,0.4,0.50,0.00,0.5,0.6,CYT",
    ),
    "cars": (
        "mpg \tcylinders\tdisplacement\thorsepower\tweight\tacceleration\tmodel_year\torigin\tcar_name\n"
        '18.0   8   307.0      130.0      3504.      12.0   70  1\t"chevrolet chevelle malibu"\n'
        '25.0   4   98.00      ?          2046.      19.0   71  1\t"ford pinto"\n'
        '26.0   4   121.0      113.0      2234.      12.5   70  2\t"bmw 2002"\n'
        '26.0   4   108.0      93.00      2391.      15.5   74  3\t"subaru"\n',
        "18.0,8,307.0,130.0,3504,12.0,70,chevrolet,US\n26.0,4,121.0,113.0,2234,12.5,70,bmw,Europe\n"
        "26.0,4,108.0,93.00,2391,15.5,74,subaru,Japan",
    ),
    "echocardiogram": (
        "11,0,71,0,0.260,9,4.600,14,1,1,name,1,0\n" * 49
        + "?,?,?,77,?,?,?,?,?,2,?,name,2\n.25,1,?,1,0.040,14,5,?,?,?,name,2,1\n",
        "71,0,0.260,9,4.600,14,1,0\n" * 49 + "?,1,0.040,14,5,?,?,1",
    ),
    "algerian-forest-fires": (
        "Bejaia Region Dataset ,,,,,,,,,,,,,\nday,month,year,Temperature, RH, Ws,Rain ,and so on\n"
        + "1,6,2012,29,57,18,0,65.7,3.4,7.6,1.3,3.4,0.5,not fire   \n" * 122
        + ",,,,,,,,,,,,,\nSidi-Bel Abbes Region Dataset,,,,,,,,,,,,,\nday,month,year,and so on\n"
        + "6,6,2012,35,54,11,0.1,83.7,8.4,26.3,3.1,9.3,3.1,fire   \n" * 43
        + "14,7,2012,37,37,18,0.2,88.9,12.9,14.6 9,12.5,10.4,,fire\n",
        "1,6,2012,29,57,18,0,65.7,3.4,7.6,1.3,3.4,0.5,not-fire\n" * 122
        + "6,6,2012,35,54,11,0.1,83.7,8.4,26.3,3.1,9.3,3.1,fire\n" * 43
        + "14,7,2012,37,37,18,0.2,88.9,12.9,14.6,9,12.5,10.4,fire",
    ),
    "anneal-u": (
        "@relation a\n@attribute family { GB , GK }\n@attribute carbon real\n@attribute class { 1 , U }\n"
        "@data\n?,8,1\n GK , 0 ,U\n",
        "-,8,1\nGK,0,U",
    ),
    "glass2": (
        "@relation Glass\n@attribute 'RI' real\n@attribute 'Type' { 'build wind float', 'build wind non-float', "
        "'vehic wind float', 'vehic wind non-float', containers}\n@data\n1.50,'vehic wind float'\n2,containers\n"
        "3,'build wind non-float'\n",
        "1.50,float\n3,non-float",
    ),
    "solar": (
        "@relation s\n@attribute class {B,C}\n@attribute C-class_flares_production_by_this_region {0,1}\n"
        "@attribute M-class_flares_production_by_this_region {0,4}\n"
        "@attribute X-class_flares_production_by_this_region {0,1}\n@data\nC,0,4,1\n",
        "0,4,1,C",
    ),
    "zoo-nominal": (
        "@RELATION zoo\n@ATTRIBUTE animal {bass}\n@ATTRIBUTE legs INTEGER [0,9]\n@ATTRIBUTE type { fish }\n"
        "@DATA\nbass,8,fish\n",
        "8,fish",
    ),
}
FROM_FILES_OF_OTHER_SETS = {"anneal-u": "anneal-orig", "glass2": "glass", "solar": "solar-flare1", "zoo-nominal": "zoo"}


def derived(name, text):
    return load_derivation(name).derivation.of_files([text.encode()], f"{name}.source").decode()


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_derivation_belongs_to_a_set_of_a_suite(name):
    assert load_derivation(name).derivation.name == name
    assert name in CHECKSUMS


@pytest.mark.parametrize("name", EXCERPTS)
def test_an_excerpt_in_the_form_of_the_source(name):
    text, expected = EXCERPTS[name]
    document = derived(name, text)
    assert document.partition("@data\n")[2] == expected + "\n"
    assert len(parse_arff(document)) == expected.count("\n") + 1


@pytest.mark.parametrize("name", FROM_FILES_OF_OTHER_SETS)
def test_what_comes_of_a_given_file_has_the_checksum_of_the_given_set(shared, name):
    source = (shared / "datasets" / f"{FROM_FILES_OF_OTHER_SETS[name]}.arff").read_bytes()
    document = load_derivation(name).derivation.of_files([source], name)
    assert document == (shared / "datasets" / f"{name}.arff").read_bytes()


def test_an_excerpt_of_a_spreadsheet():
    pytest.importorskip("xlrd", reason="xlrd reads spreadsheets: pip install 'nbframework[data]'")
    derivation = load_derivation("breast-tissue").derivation
    reading = replace(derivation.reading, part="Sheet 1")
    rows = [list(reading.columns), [1.0, "car", 524.7940719572033, *map(float, range(8))]]
    document = replace(derivation, reading=reading).of_files([biff2(rows)], "s.xls").decode()
    assert document.endswith("@data\n524.7940719572033,0,1,2,3,4,5,6,7,car\n")
    assert (
        "@attribute 'Max IP' numeric\n@attribute DR numeric\n@attribute P numeric\n@attribute Class {car," in document
    )


@pytest.mark.parametrize(("name", "frame"), [("dna", b"DNA"), ("satimage", b"Satellite")])
def test_an_excerpt_of_r_data(name, frame):
    pytest.importorskip("rdata", reason="rdata reads R data: pip install 'nbframework[data]'")
    document = load_derivation(name).derivation.of_files([r_data(frame)], "s.rda").decode()
    assert document.endswith(
        "@attribute x.1 numeric\n@attribute soil {'grey soil','red soil'}\n\n"
        "@data\n1,'red soil'\n2.5,'grey soil'\n92,?\n"
    )


def test_weka_draws_led24_to_the_byte():
    assert hashlib.sha256(load_derivation("led24").generated()).hexdigest() == CHECKSUMS["led24"]


HEAD = "derivation: d\nrelation: r\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD, "one of the keys 'read' and 'generator' is required"),
        (HEAD + "read: {form: arff}\ngenerator: led24\n", "one of the keys 'read' and 'generator'"),
        (HEAD + "reads: {form: arff}\n", "unknown key; did you mean 'read'"),
        (HEAD + "read: {form: arf}\n", "found 'arf', expected one of comma-separated.*did you mean 'arff'"),
        (HEAD + "read: {form: arff, columns: {a: numeric}}\n", "the form arff brings its columns along"),
        (HEAD + "read: {form: comma-separated}\n", "needs the names and kinds of its columns"),
        (
            HEAD + "read: {form: comma-separated, columns: {a: number}}\n",
            "columns.a: found 'number', expected one of numeric",
        ),
        (HEAD + "read: {form: r-data}\n", "key 'part' is required"),
        (HEAD + "read: {form: arff, leave_out_lines: [0]}\n", "expected the number of a line, from 1"),
        (HEAD + "read: {form: arff, mend: [{line: 1, found: x}]}\n", "key 'mended' is required"),
        (HEAD + "read: {form: arff}\nsteps: [{move-first: a}]\n", "unknown step; did you mean 'move-last'"),
        (HEAD + "read: {form: arff}\nsteps: [move-last]\n", "expected {step: parameters}"),
        (HEAD + "read: {form: arff}\nsteps: [{first-word: {attribute: a}}]\n", "key 'renamed' is required"),
        (HEAD + "read: {form: arff}\nsteps: [{rename: a}]\n", "expected a mapping"),
        (HEAD + "generator: led25\n", "did you mean 'led24'"),
        (HEAD + "generator: {led24: {rows: 0}}\n", "generator.rows"),
    ],
)
def test_a_wrong_derivation_is_explained(tmp_path, text, message):
    (tmp_path / "d.yaml").write_text(text)
    with pytest.raises(RecipeError, match=message):
        load_derivation(tmp_path / "d.yaml")


def test_a_misspelt_name_gets_the_nearest():
    with pytest.raises(RecipeError, match="no derivation 'glass3'; did you mean 'glass2'"):
        load_derivation("glass3")


def test_an_error_in_a_step_names_it():
    text = "@relation z\n@attribute legs numeric\n@data\n4\n"
    with pytest.raises(DataError, match=r"derivation zoo-nominal, step 1 \(leave-out\): no attribute 'animal'"):
        derived("zoo-nominal", text)
