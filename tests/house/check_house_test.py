"""The laws of the house hold on this tree, and tools/check_house.py notices when they do not."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CHECK = ROOT / "tools" / "check_house.py"

# A house of two rooms that keeps every law.
HOUSE = {
    "docs/math.md": "# Maths\n\n(1.1)  P = loss + penalty\n- (1.2)  g(b) = |b|\n       (1.3)  q(a) = a\n",
    "docs/architecture.md": "`src/core/` holds sums, `src/loss/` losses, `include/ellzero/` the public face.\n",
    "include/ellzero/dataset.hpp": "// The data a user hands over.\n#pragma once\n#include <span>\n",
    "src/core/sum.hpp": '// A running sum of numbers.\n#pragma once\n#include "ellzero/dataset.hpp"\n',
    "src/loss/squared.hpp": "// The squared loss.  (1.1)\n"
    '#include <fmt/format.h>\n#include "core/sum.hpp"\n'
    "double f(double x);  // it's (1.1)-(1.3), and f(9.9) is a call\n"
    'const char* text = "// (9.9)"; const long n = 1\'000\'000;  // (1.2)\n',
}


class CheckHouse(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name, text in HOUSE.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_check(self, root):
        done = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()

    def assert_breach(self, *expected):
        code, lines = self.run_check(self.root)
        self.assertEqual(lines, list(expected))
        self.assertEqual(code, 1)

    def test_this_tree_keeps_the_laws(self):
        code, lines = self.run_check(ROOT)
        self.assertEqual("\n".join(lines), "")
        self.assertEqual(code, 0)

    def test_a_good_house_passes(self):
        self.assertEqual(self.run_check(self.root), (0, []))

    def test_an_include_against_the_arrows(self):
        self.write("src/core/sum.hpp", '// A running sum of numbers.\n#pragma once\n#include "loss/squared.hpp"\n')
        self.assert_breach('src/core/sum.hpp:3: core/ may not include "loss/squared.hpp"; its arrows lead to ellzero')

    def test_an_include_in_angle_brackets_against_the_arrows(self):
        self.write("src/core/sum.hpp", "// A running sum of numbers.\n#include <loss/squared.hpp>\n")
        self.assert_breach('src/core/sum.hpp:2: core/ may not include "loss/squared.hpp"; its arrows lead to ellzero')

    def test_arrows_are_transitive_and_one_way(self):
        self.write("docs/architecture.md", HOUSE["docs/architecture.md"] + "`src/solve/`, `src/problem/`\n")
        self.write("src/solve/descent.hpp", '// Descends one coordinate.\n#include "core/sum.hpp"\n')
        self.assertEqual(self.run_check(self.root), (0, []))
        self.write("src/problem/dual.hpp", '// Feasible dual points.\n#include "solve/descent.hpp"\n')
        self.assert_breach(
            'src/problem/dual.hpp:2: problem/ may not include "solve/descent.hpp"; '
            "its arrows lead to core, features, loss, penalty, ellzero"
        )

    def test_the_public_face_shows_no_inside_and_no_third_party(self):
        self.write(
            "include/ellzero/dataset.hpp",
            '// The data a user hands over.\n#include <fmt/format.h>\n#include "core/sum.hpp"\n',
        )
        self.assert_breach(
            "include/ellzero/dataset.hpp:2: the public face includes <fmt/format.h>; "
            "only the standard library may show there",
            'include/ellzero/dataset.hpp:3: ellzero/ may not include "core/sum.hpp"; its arrows lead to ellzero',
        )

    def test_tests_and_benchmarks_may_include_everything(self):
        self.write("tests/sum_test.cpp", '// A sum adds up.\n#include "loss/squared.hpp"\n#include "cases.hpp"\n')
        self.write("bench/sum.cpp", '// Times a sum of numbers.\n#include "core/sum.hpp"\n')
        self.assertEqual(self.run_check(self.root), (0, []))

    def test_an_unknown_room(self):
        self.write("docs/architecture.md", HOUSE["docs/architecture.md"] + "`src/attic/`\n")
        self.write("src/attic/box.hpp", "// Keeps old things.\n")
        self.assert_breach(
            "src/attic/box.hpp:1: attic/ is no room of the house; "
            "rooms and their arrows are listed in tools/check_house.py"
        )

    def test_a_room_in_a_room_has_its_own_arrows(self):
        rooms = "`src/exact/`, `src/exact/gram/`, `src/exact/tree/`\n"
        self.write("docs/architecture.md", HOUSE["docs/architecture.md"] + rooms)
        self.write("src/exact/gram/compact.hpp", "// A few features side by side.\n")
        self.write("src/exact/tree/search.hpp", '// Rounds of subtrees.\n#include "exact/gram/compact.hpp"\n')
        self.assertEqual(self.run_check(self.root), (0, []))
        self.write("src/exact/gram/compact.hpp", '// A few features side by side.\n#include "exact/tree/search.hpp"\n')
        self.assert_breach(
            'src/exact/gram/compact.hpp:2: exact/gram/ may not include "exact/tree/search.hpp"; '
            "its arrows lead to core, exact, features, loss, penalty, problem, screening, solve, ellzero"
        )
        self.write("src/exact/gram/compact.hpp", '// A few features side by side.\n#include "exact/attic/box.hpp"\n')
        self.assert_breach('src/exact/gram/compact.hpp:2: "exact/attic/box.hpp" is in no room of the house')

    def test_a_namespace_that_has_not_its_folders_name(self):
        rooms = "`src/exact/`, `src/exact/gram/`, `src/fit/`\n"
        self.write("docs/architecture.md", HOUSE["docs/architecture.md"] + rooms)
        self.write("src/fit/fit.cpp", "// The front door.\nnamespace ellzero::front {\n}\nnamespace ellzero {\n}\n")
        self.write("src/exact/gram/compact.hpp", "// Features side by side.\nnamespace ellzero::exact::gram {\n}\n")
        self.assertEqual(self.run_check(self.root), (0, []))
        self.write("src/exact/gram/compact.hpp", "// Features side by side.\nnamespace ellzero::exact {\n}\n")
        self.assert_breach(
            "src/exact/gram/compact.hpp:2: the namespace is ellzero::exact; "
            "expected ellzero::exact::gram, its folder's name"
        )

    def test_an_equation_that_is_not_on_the_maths_page(self):
        self.write("src/core/sum.hpp", "// A running sum of numbers.\n\n/* first\n   (7.4) */ double sum();  // (1.1)\n")
        self.assert_breach("src/core/sum.hpp:4: equation (7.4) is not defined in docs/math.md")

    def test_a_range_of_equations_with_a_hole(self):
        self.write("src/core/sum.hpp", "// A running sum of numbers, (1.2)-(1.4).\n")
        self.assert_breach("src/core/sum.hpp:1: equation (1.4) is not defined in docs/math.md")

    def test_an_equation_defined_twice(self):
        self.write("docs/math.md", HOUSE["docs/math.md"] + "(1.1)  again\n")
        self.assert_breach("docs/math.md:6: equation (1.1) is defined twice")

    def test_a_file_without_its_purpose(self):
        expected = "the first line does not say what the file is for; expected a one-line comment"
        for name, text in {
            "src/core/sum.hpp": "#pragma once\n// A running sum of numbers.\n",
            "src/loss/squared.hpp": "",
        }.items():
            self.write(name, text)
        self.write("tools/sum.sh", "#!/bin/sh\nset -e\n")
        self.assert_breach(
            f"src/core/sum.hpp:1: {expected}", f"src/loss/squared.hpp:1: {expected}", f"tools/sum.sh:2: {expected}"
        )

    def test_a_folder_that_is_not_on_the_map(self):
        self.write("tests/core/deep/sum_test.cpp", "// A sum adds up.\n")
        self.assert_breach(
            "docs/architecture.md:1: the map does not name tests/core/",
            "docs/architecture.md:1: the map does not name tests/core/deep/",
        )


if __name__ == "__main__":
    unittest.main()
