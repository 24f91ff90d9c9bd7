"""`ellzero prove --every-k` as a user runs it: text, JSON, CSV, the largest k, refusals and limits."""
import csv
import io
import json
import random
import unittest

from program import ProgramTest, regression


class EveryKTest(ProgramTest):
    def every_k(self, *arguments, code=0):
        found, out, err = self.run_program("prove", *arguments, "--every-k", "--format", "json")
        self.assertEqual(found, code, err)
        path = json.loads(out)
        self.assertEqual(path["schema"], "ellzero.path/1")
        return path["models"]

    def test_one_optimal_model_of_each_size_no_worse_than_the_one_before(self):
        models = self.every_k(self.write_rows(regression()))
        self.assertEqual([model["k"] for model in models], list(range(7)))
        self.assertEqual({model["status"] for model in models}, {"optimal"})
        objectives = [model["objective"] for model in models]
        self.assertEqual(objectives, sorted(objectives, reverse=True))
        self.assertEqual([c["feature"] for c in models[2]["coefficients"]], ["f1", "f4"])

    def test_k_is_the_largest_and_always_in_features_the_smallest(self):
        models = self.every_k(self.write_rows(regression()), "--k", 4, "--always", "f0,f2")
        self.assertEqual([model["k"] for model in models], [2, 3, 4])
        for model in models:
            self.assertLessEqual({"f0", "f2"}, {c["feature"] for c in model["coefficients"]})

    def test_text_and_csv_say_the_same(self):
        data = self.write_rows(regression())
        models = self.every_k(data)
        code, text, _ = self.run_program("prove", data, "--every-k")
        self.assertEqual(code, 0)
        row = next(line for line in text.splitlines() if line.split()[:1] == ["2"])
        self.assertEqual(row.split()[-2:], ["f1", "f4"])
        _, table, _ = self.run_program("prove", data, "--every-k", "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(table)))
        self.assertEqual(len(rows), sum(1 + model["nonzeros"] for model in models))
        self.assertEqual(float(rows[-1]["value"]), models[-1]["coefficients"][-1]["value"])

    def test_refusals_name_the_flag(self):
        data = self.write_rows(regression())
        for part, arguments in (("lambda0:", ["--lambda0", 1]), ("loss:", ["--loss", "logistic"]),
                                ("every-k:", ["-o", "model.json"])):
            code, out, err = self.run_program("prove", data, "--every-k", *arguments)
            self.assertEqual((out, err.count("\n")), ("", 1), err)
            self.assertIn(code, (2, 3))
            self.assertTrue(err.startswith("ellzero: " + part) or code == 3, err)

    def test_a_limit_gives_exit_code_4_and_valid_gaps(self):
        numbers = random.Random(3)
        rows = [[round(numbers.gauss(0, 1), 4) for _ in range(41)] for _ in range(60)]
        data = self.write_rows(rows, names=[f"f{j}" for j in range(40)] + ["target"])
        models = self.every_k(data, "--node-limit", 3, code=4)
        self.assertIn("node_limit", {model["status"] for model in models})
        for model in models:
            self.assertLessEqual(model["lower_bound"], model["objective"])


if __name__ == "__main__":
    unittest.main()
