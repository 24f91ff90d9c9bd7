"""`ellzero inspect`: everything that a model file holds, for people and for programs."""
import json
import unittest

from program import ProgramTest, regression


class Inspect(ProgramTest):
    def setUp(self):
        super().setUp()
        path = self.write_rows(regression())
        code, _, err = self.run_program("prove", path, "--lambda0", 0.5, "--lambda2", 0.01, "-o", "m.json", "--no-standardize")
        self.assertEqual(code, 0, err)
        self.model = json.loads((self.folder / "m.json").read_text())

    def test_json_is_what_the_file_says(self):
        code, out, _ = self.run_program("inspect", "m.json", "--format", "json")
        self.assertEqual(code, 0)
        found = json.loads(out)
        self.assertEqual(found["schema"], "ellzero.inspection/1")
        self.assertEqual(found["coefficients"], self.model["coefficients"])
        self.assertEqual((found["n"], found["p"], found["nonzeros"]), (40, 6, 2))
        for key in ("status", "objective", "lower_bound", "gap", "relative_gap"):
            self.assertEqual(found[key], self.model["certificate"][key])
        self.assertEqual(found["changed_settings"], {"lambda0": 0.5, "lambda2": 0.01, "standardize": False})
        self.assertIsNone(found["selection"])

    def test_text_names_features_certificate_and_changed_settings(self):
        code, out, err = self.run_program("inspect", "m.json")
        self.assertEqual((code, err), (0, ""))
        for part in ("squared loss, 2 of 6 features", "f1", "f4", repr(self.model["intercept"]), "proved optimal",
                     "40 rows", "lambda0 = 0.5", "standardize = false"):
            self.assertIn(part, out)
        self.assertNotIn("time_limit", out)

    def test_refusals(self):
        for arguments, code, part in (((), 2, "MODEL: is not set"), (("nowhere.json",), 6, "cannot open"),
                                      (("data.csv",), 3, "data.csv:1:"), (("m.json", "x"), 2, "unexpected argument 'x'")):
            found, out, err = self.run_program("inspect", *arguments)
            self.assertEqual((found, out), (code, ""), err)
            self.assertIn(part, err)


if __name__ == "__main__":
    unittest.main()
