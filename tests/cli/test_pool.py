"""`ellzero prove --pool` as a user runs it: text, JSON, CSV, the size of the list, refusals and limits."""
import csv
import io
import itertools
import json
import random
import unittest

from program import ProgramTest, regression


class PoolTest(ProgramTest):
    def pool(self, *arguments, code=0):
        found, out, err = self.run_program("prove", *arguments, "--format", "json")
        self.assertEqual(found, code, err)
        path = json.loads(out)
        self.assertEqual(path["schema"], "ellzero.path/1")
        return path

    def test_all_supports_of_a_duplicated_column_are_listed(self):
        rows = [row[:-1] + [row[1], row[-1]] for row in regression()]
        data = self.write_rows(rows, names=[f"f{j}" for j in range(7)] + ["target"])
        path = self.pool(data, "--k", 2, "--lambda2", 0.1, "--pool", 0)
        self.assertEqual((path["status"], path["complete"], path["cut"]), ("optimal", True, False))
        found = {tuple(c["feature"] for c in model["coefficients"]) for model in path["models"]}
        self.assertEqual(found, {("f1", "f4"), ("f4", "f6")})

    def test_a_wide_margin_lists_every_support(self):
        path = self.pool(self.write_rows(regression()), "--lambda0", 0.1, "--lambda2", 0.1, "--pool", 1e6)
        self.assertEqual(len(path["models"]), 2 ** 6)
        self.assertIs(path["complete"], True)
        self.assertIsNone(path["beyond"])
        objectives = [model["objective"] for model in path["models"]]
        self.assertEqual(objectives, sorted(objectives))
        self.assertEqual({model["status"] for model in path["models"]}, {"optimal"})

    def test_the_first_is_what_prove_finds(self):
        arguments = [self.write_rows(regression()), "--lambda0", 0.5, "--lambda2", 0.1]
        first = self.pool(*arguments, "--pool", 0.5)["models"][0]
        code, out, _ = self.run_program("prove", *arguments, "--format", "json")
        self.assertEqual(code, 0)
        self.assertAlmostEqual(first["objective"], json.loads(out)["objective"], places=10)

    def test_size_keeps_the_best_and_says_that_there_are_more(self):
        arguments = [self.write_rows(regression()), "--lambda0", 0.1, "--lambda2", 0.1, "--pool", 1e6]
        everything = self.pool(*arguments)["models"]
        path = self.pool(*arguments, "--pool-size", 5)
        self.assertEqual((path["status"], path["complete"], path["cut"]), ("optimal", False, True))
        for few, many in itertools.zip_longest(path["models"], everything[:5]):
            self.assertAlmostEqual(few["objective"], many["objective"], places=10)
        self.assertAlmostEqual(path["beyond"], everything[5]["objective"], places=8)
        _, text, _ = self.run_program("prove", *arguments, "--pool-size", 5)
        self.assertIn("cut by --pool-size", text)

    def test_text_and_csv_say_the_same(self):
        arguments = [self.write_rows(regression()), "--k", 2, "--lambda2", 0.1, "--pool", 20]
        models = self.pool(*arguments)["models"]
        code, text, _ = self.run_program("prove", *arguments)
        self.assertEqual(code, 0)
        row = next(line for line in text.splitlines() if line.split()[:1] == ["1"])
        self.assertEqual(row.split()[-2:], ["f1", "f4"])
        self.assertIn("complete", text)
        _, table, _ = self.run_program("prove", *arguments, "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(table)))
        self.assertEqual(len(rows), sum(1 + model["nonzeros"] for model in models))
        self.assertEqual([int(row["rank"]) for row in rows if row["feature"] == "(intercept)"],
                         list(range(1, len(models) + 1)))
        self.assertEqual(float(rows[-1]["objective"]), models[-1]["objective"])

    def test_refusals_name_the_flag(self):
        data = self.write_rows(regression())
        for part, arguments in (("pool: value is '-1'", ["--pool=-1"]), ("pool: value is 'many'", ["--pool", "many"]),
                                ("pool_size: value is 0", ["--pool", 0.1, "--pool-size", 0]),
                                ("pool-size: value is 'x'", ["--pool", 0.1, "--pool-size", "x"]),
                                ("pool:", ["--pool", 0.1, "-o", "model.json"]),
                                ("every-k, pool:", ["--pool", 0.1, "--every-k"]),
                                ("--pool-size requires --pool", ["--pool-size", 3])):
            code, out, err = self.run_program("prove", data, "--lambda0", 1, *arguments)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
            self.assertTrue(err.startswith("ellzero: " + part.split("'")[0]), err)

    def test_a_limit_gives_exit_code_4_and_a_valid_bound_for_the_rest(self):
        numbers = random.Random(3)
        rows = [[round(numbers.gauss(0, 1), 4) for _ in range(21)] for _ in range(30)]
        data = self.write_rows(rows, names=[f"f{j}" for j in range(20)] + ["target"])
        path = self.pool(data, "--lambda0", 0.1, "--lambda2", 0.1, "--pool", 3, "--node-limit", 50, code=4)
        self.assertEqual((path["status"], path["complete"]), ("node_limit", False))
        best = self.pool(data, "--lambda0", 0.1, "--lambda2", 0.1, "--pool", 0)["models"][0]
        self.assertLessEqual(path["beyond"], 4 * best["objective"])
        for model in path["models"]:
            self.assertLessEqual(model["lower_bound"], model["objective"])
            self.assertEqual(model["status"] == "optimal", model["relative_gap"] <= 1e-4)


if __name__ == "__main__":
    unittest.main()
