"""The pages for users are true: docs/cli.md lists the options there are, and every example prints what the page shows."""
import os
import re
import shutil
import subprocess
import sys
import unittest

from program import PROGRAM, ROOT, ProgramTest

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
SECONDS = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)? s\b")
PAGES = ("README.md", "docs/cli.md")


def examples(text):
    """(line, command, expected output) of every `$ command` in a console block."""
    lines, inside = text.splitlines(), False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            shown = []
            for after in lines[number:]:
                if after.startswith(("$ ", "```")):
                    break
                shown.append(after)
            yield number, line[2:], shown


def same(shown, printed):
    """Equal up to times and the rounding of numbers; a line of dots stands for any lines."""
    if not shown:
        return not printed
    if shown[0].strip() == "...":
        return any(same(shown[1:], printed[k:]) for k in range(len(printed) + 1))
    return bool(printed) and same_line(shown[0], printed[0]) and same(shown[1:], printed[1:])


def same_line(shown, printed):
    shown, printed = (" ".join(SECONDS.sub("T s", line).split()) for line in (shown, printed))
    if NUMBER.sub("#", shown) != NUMBER.sub("#", printed):
        return False
    pairs = zip(map(float, NUMBER.findall(shown)), map(float, NUMBER.findall(printed)))
    return all(abs(a - b) <= 1e-6 * max(1, abs(a), abs(b)) for a, b in pairs)


class Docs(ProgramTest):
    def test_the_reference_is_what_the_program_says(self):
        found = subprocess.run([sys.executable, ROOT / "tools" / "make_cli_docs.py", "--check"],
                               env=os.environ | {"ELLZERO_BIN": str(PROGRAM)}, capture_output=True, text=True)
        self.assertEqual((found.returncode, found.stdout), (0, ""), found.stderr)

    def test_examples_print_what_the_pages_show(self):
        environment = os.environ | {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        for page in PAGES:
            shutil.rmtree(self.folder)
            (self.folder / "bin").mkdir(parents=True)
            (self.folder / "bin" / "ellzero").symlink_to(PROGRAM)
            shutil.copytree(ROOT / "examples", self.folder / "examples")
            found = list(examples((ROOT / page).read_text()))
            self.assertTrue(found, page)
            for line, command, shown in found:
                run = subprocess.run(["bash", "-c", command], cwd=self.folder, env=environment, timeout=300, text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                while shown and not shown[-1]:
                    shown.pop()
                printed = run.stdout.rstrip("\n").split("\n") if run.stdout else []
                with self.subTest(page=page, line=line, command=command):
                    self.assertTrue(same(shown, printed), "\n".join(["shown:", *shown, "printed:", *printed]))

    def test_the_comparison_can_fail(self):
        for shown, printed, wanted in (
            ("a 1.0000001", "a 1.0000002", True), ("a 1.00001", "a 1.00002", False), ("a 1", "b 1", False),
            ("time 0.5 s", "time 7 s", True), ("a\n...\nb", "a\nx\ny\nb", True), ("a\n...\nb", "a\nx", False), ("a", "a\nb", False),
        ):
            self.assertEqual(same(shown.split("\n"), printed.split("\n")), wanted, (shown, printed))


if __name__ == "__main__":
    unittest.main()
