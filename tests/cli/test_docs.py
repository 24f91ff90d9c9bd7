"""The pages for users are true: docs/cli.md lists the options there are, and every example prints what the page shows."""
import os
import subprocess
import sys
import unittest

from program import PROGRAM, ROOT, ProgramTest

sys.path.insert(0, str(ROOT / "tools"))
from make_cli_docs import PAGES, examples, same  # noqa: E402


class Docs(ProgramTest):
    def test_the_reference_is_what_the_program_says(self):
        found = subprocess.run([sys.executable, ROOT / "tools" / "make_cli_docs.py", "--check"],
                               env=os.environ | {"ELLZERO_BIN": str(PROGRAM)}, capture_output=True, text=True)
        self.assertEqual((found.returncode, found.stdout), (0, ""), found.stderr)

    def test_examples_print_what_the_pages_show(self):
        for page in PAGES:
            found = list(examples(page.read_text(encoding="utf-8"), PROGRAM))
            self.assertTrue(found, page)
            for position, command, shown, printed in found:
                with self.subTest(page=page.name, line=position + 1, command=command):
                    self.assertTrue(same(shown, printed), "\n".join(["shown:", *shown, "printed:", *printed]))

    def test_the_comparison_can_fail(self):
        for shown, printed, wanted in (
            ("a 1.0000001", "a 1.0000002", True), ("a 1.00001", "a 1.00002", False), ("a 1", "b 1", False),
            ("time 0.5 s", "time 7 s", True), ("a\n...\nb", "a\nx\ny\nb", True), ("a\n...\nb", "a\nx", False), ("a", "a\nb", False),
        ):
            self.assertEqual(same(shown.split("\n"), printed.split("\n")), wanted, (shown, printed))


if __name__ == "__main__":
    unittest.main()
