"""`ellzero fit --method`: the published methods from the command line, their trace, and what they refuse."""
import csv
import io
import math
import unittest

from program import ProgramTest, regression

COLUMNS = ["iteration", "seconds", "objective", "lower_bound", "gap", "nonzeros", "active", "screened"]


class Methods(ProgramTest):
    def setUp(self):
        super().setUp()
        self.data = self.write_rows(regression())

    def test_all_find_the_two_features_that_matter(self):
        engine, _ = self.fit(self.data, "--lambda0", "5", "--lambda2", "0.1")
        for method in ("primal-dual", "dual-ascent", "cdss"):
            with self.subTest(method):
                found, _ = self.fit(self.data, "--lambda0", "5", "--lambda2", "0.1", "--method", method)
                self.assertEqual([c["index"] for c in found["coefficients"]], [1, 4])
                self.assertLessEqual(found["lower_bound"], engine["objective"] * (1 + 1e-12))
                self.assert_close(found["objective"], engine["objective"], 3)
                self.assertIn(found["status"], ("stationary", "optimal"))
        sparse, _ = self.fit(self.data, "--k", "2", "--lambda2", "0.1", "--method", "dual-iht")
        self.assertEqual([c["index"] for c in sparse["coefficients"]], [1, 4])

    def trace(self, *arguments):
        self.fit(self.data, "--lambda0", "5", "--lambda2", "0.1", "--trace", "trace.csv", *arguments)
        return list(csv.DictReader(io.StringIO((self.folder / "trace.csv").read_text())))

    def test_the_trace_has_one_layout_for_all(self):
        for method in ("primal-dual", "dual-ascent", "cdss"):
            with self.subTest(method):
                rows = self.trace("--method", method)
                self.assertEqual(list(rows[0]), COLUMNS)
                numbers = [int(row["iteration"]) for row in rows]
                self.assertEqual(numbers, sorted(numbers))
                self.assertTrue(all(math.isfinite(float(row["objective"])) for row in rows))
                known = [row for row in rows if row["lower_bound"]]
                self.assertEqual(bool(known), method != "cdss")
                for row in known:
                    self.assert_close(float(row["objective"]) - float(row["lower_bound"]), float(row["gap"]), 12)

    def test_switches_of_primal_dual(self):
        flags = ["--method", "primal-dual", "--add-factor", "0.5"]
        self.assertEqual(self.trace(*flags)[0]["active"], "1")
        self.assertEqual(self.trace(*flags, "--no-adding")[0]["active"], "6")
        self.assertGreater(int(self.trace(*flags)[-1]["screened"]), 0)
        self.assertEqual(self.trace(*flags, "--screening", "none")[-1]["screened"], "0")
        self.assertEqual(self.trace(*flags, "--max-iterations", "3", "--step", "0.0001", "--gap", "1")[-1]["iteration"], "3")

    def test_a_limit_is_4(self):
        found, _ = self.fit(self.data, "--lambda0", "5", "--lambda2", "0.1", "--method", "dual-ascent", "--step",
                            "1e-9", "--max-iterations", "2", code=4)
        self.assertEqual((found["status"], found["iterations"]), ("iteration_limit", 2))

    def test_refusals(self):
        self.assert_refused(2, "method: value is pdual", "primal-dual", [self.data, "--lambda0", "1", "--method", "pdual"])
        self.assert_refused(2, "k: value is 2", "lambda0", [self.data, "--k", "2", "--method", "cdss"])
        self.assert_refused(2, "lambda0: value is 1", "k,", [self.data, "--lambda0", "1", "--method", "dual-iht"])
        self.assert_refused(2, "trace", "--method", [self.data, "--lambda0", "1", "--trace", "trace.csv"])
        self.assert_refused(6, "missing", [self.data, "--lambda0", "1", "--method", "cdss", "--trace", "missing/t.csv"])
        code, out, err = self.run_program("prove", self.data, "--lambda0", "1", "--method", "cdss")
        self.assertEqual((code, out), (2, ""), err)
        self.assertIn("method: value is cdss; expected engine", err)

    def test_models_of_a_method_verify(self):
        self.fit(self.data, "--lambda0", "5", "--lambda2", "0.1", "--method", "primal-dual", "-o", "m.json")
        code, _, err = self.run_program("verify", "m.json", self.data)
        self.assertEqual(code, 0, err)


if __name__ == "__main__":
    unittest.main()
