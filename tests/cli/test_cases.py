"""docs/cases.md is true: it has a row for every case, its commands end as it says, and the tests that it names are there."""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import case_files
from program import PROGRAM, ROOT, ProgramTest, sanitized

sys.path.insert(0, str(ROOT / "tests"))
import cases_page  # noqa: E402


class Page(unittest.TestCase):
    def test_every_case_has_one_row(self):
        self.assertEqual([row.number for row in cases_page.rows()], list(range(1, 46)))

    def test_rows_say_how_they_are_held_to(self):
        for row in cases_page.rows():
            with self.subTest(case=row.number):
                self.assertTrue(row.references or row.is_ahead, "no test is named")
                for reference in row.references:
                    self.assertTrue(cases_page.is_test(reference), f"{reference}: no such test")

    def test_the_files_of_the_page_are_those_there_are(self):
        made = set(case_files.MAKERS) | {"m.json", "m.proof"}
        self.assertEqual(set(cases_page.files()), made)
        run = " ".join(step.run for row in cases_page.rows() for step in row.steps)
        self.assertEqual([name for name in made if name not in run], [])

    def test_the_reader_of_the_page_sees_what_is_wrong(self):
        line = "| 7 | a case | `ellzero fit a \\| b`<br>`c` | 3 `bad`<br>0, `good` and `more` | `cli/test_cases.py::{}` |"
        (row,) = cases_page.rows(line.format("test_every_case_has_one_row"))
        self.assertEqual(row.steps, [("ellzero fit a | b", "3", ["bad"]), ("c", "0", ["good", "more"])])
        self.assertTrue(cases_page.is_test(row.references[0]))
        for reference in ("cli/test_cases.py::test_none", "cli/none.py::test_none", "cli/test_cases.py",
                          "core/kernels_test.cpp::none"):
            self.assertFalse(cases_page.is_test(reference), reference)
        with self.assertRaises(ValueError):
            list(cases_page.rows("| 7 | a case | `a`<br>`b` | 0 `good` | |"))


class Commands(ProgramTest):
    """Each row in a folder of its own, so that what one writes is no part of another."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.files = Path(folder.name)
        case_files.write_all(cls.files)
        subprocess.run([PROGRAM, "prove", "d.csv", "--k", "2", "-o", "m.json", "--proof", "m.proof"], cwd=cls.files, check=True,
                       stdout=subprocess.DEVNULL)

    def run_step(self, step, folder):
        """As a shell runs it, with the program on its path."""
        command = f'PATH="{PROGRAM.parent}:$PATH"; {step.run}'
        found = subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, timeout=120)
        self.assertEqual(str(found.returncode), step.ending, found.stdout)
        for part in step.parts:
            self.assertIn(cases_page.plain(part), cases_page.plain(found.stdout))

    def test_end_as_the_page_says(self):
        for row in cases_page.rows():
            folder = self.folder / str(row.number)
            shutil.copytree(self.files, folder)
            for step in row.steps:
                if step.is_python or (sanitized() and "ulimit" in step.run):
                    continue  # sanitizers need an address space without limits
                with self.subTest(case=row.number, command=step.run):
                    self.run_step(step, folder)


if __name__ == "__main__":
    unittest.main()
