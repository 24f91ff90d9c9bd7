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

    def test_how_it_was_selected(self):
        def point(lambda0, score):
            return {"lambda0": lambda0, "lambda1": 0, "lambda2": 0.01, "k": None, "objective": 1.0, "lower_bound": None,
                    "relative_gap": None, "status": "swap_optimal", "intercept": 0.5, "coefficients": [], "score": score,
                    "standard_error": 0.125}
        self.model["selection"] = {"by": "cv", "metric": "mse", "rule": "1se", "best": 1, "chosen": 0,
                                   "models": [point(2, 0.75), point(0.5, 0.5)]}
        self.write("m.json", json.dumps(self.model))
        code, out, err = self.run_program("inspect", "m.json")
        self.assertEqual(code, 0, err)
        self.assertIn("model 1 of 2 by mse, rule 1se: score 0.75", out)
        found = json.loads(self.run_program("inspect", "m.json", "--format", "json")[1])
        self.assertEqual(found["selection"], {"by": "cv", "metric": "mse", "rule": "1se", "best": 1, "chosen": 0, "models": 2,
                                              "score": [0.75, 0.5]})

    def test_refusals(self):
        for arguments, code, part in (((), 2, "MODEL: is not set"), (("nowhere.json",), 6, "cannot open"),
                                      (("data.csv",), 3, "data.csv:1:"), (("m.json", "x"), 2, "unexpected argument 'x'")):
            found, out, err = self.run_program("inspect", *arguments)
            self.assertEqual((found, out), (code, ""), err)
            self.assertIn(part, err)


if __name__ == "__main__":
    unittest.main()
