"""The examples on the pages of the site are true."""
import doctest
from pathlib import Path

import pytest

SITE = Path(__file__).resolve().parent.parent.parent / "docs" / "site"


@pytest.mark.parametrize("page", sorted(path.name for path in SITE.glob("*.md") if ">>>" in path.read_text()))
def test_examples_of_the_page(page):
    failed, tried = doctest.testfile(str(SITE / page), module_relative=False)
    assert tried > 0 and failed == 0
