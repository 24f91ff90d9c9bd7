"""The examples on the pages of the site are true, and the scripts of its gallery run."""
import doctest
import os
import runpy
from pathlib import Path

import ellzero
import matplotlib.pyplot as plt
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SITE = ROOT / "docs" / "site"
GENES = Path(os.environ.get("ELLZERO_DATA", ROOT.parent / "shared" / "data")) / "genes"
FILES = {"plot_genes.py": "riboflavin.csv.gz", "plot_classes.py": "golub.csv.gz"}


@pytest.mark.parametrize("page", sorted(path.name for path in SITE.glob("*.md") if ">>>" in path.read_text()))
def test_examples_of_the_page(page):
    failed, tried = doctest.testfile(str(SITE / page), module_relative=False)
    assert tried > 0 and failed == 0


@pytest.fixture
def drawn():
    """Counts the pictures that are open at the end."""
    plt.close("all")
    yield lambda: len(plt.get_fignums())
    plt.close("all")


@pytest.mark.filterwarnings("ignore:FigureCanvasAgg is non-interactive")
@pytest.mark.parametrize("script", sorted(path.name for path in (SITE / "gallery").glob("*.py")))
def test_scripts_of_the_gallery_run(script, drawn, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("ELLZERO_DATA", str(tmp_path))  # without any data
    runpy.run_path(str(SITE / "gallery" / script))
    assert drawn() > 0
    assert ("made-up data instead" in capsys.readouterr().out) == (script in FILES)


@pytest.mark.parametrize("script", FILES)
def test_scripts_of_the_gallery_run_on_genes(script, drawn, monkeypatch, capsys):
    if not (GENES / FILES[script]).is_file():
        pytest.skip(f"{GENES / FILES[script]} is not there")
    monkeypatch.setenv("ELLZERO_DATA", str(GENES.parent))
    runpy.run_path(str(SITE / "gallery" / script))
    assert drawn() > 0 and "made-up" not in capsys.readouterr().out


def test_the_reference_lists_every_public_name():
    listed = set((SITE / "reference.rst").read_text().split())
    modules = {"plot": ellzero.plot, "sources": ellzero.sources}
    inside = {f"{name}.{member}" for name, module in modules.items() for member in module.__all__}
    assert set(ellzero.__all__) - set(modules) | inside <= listed
