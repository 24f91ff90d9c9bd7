"""`ellzero path`, `ellzero cv`, and `ellzero fit` and `prove` that choose a model themselves: output, choice, endings."""
import csv
import io
import json
import math
import random
import signal
import time
import unittest

from program import DATA, ROOT, ProgramTest, regression
from test_fit import KEYS
from test_prove import hard_rows

DEMO = ROOT / "examples" / "diabetes.csv"


def classes(n=80, p=6, seed=2, labels=("no", "yes")):
    """Rows whose last cell is a label, by 2 x1 - 2 x4 and some noise."""
    numbers = random.Random(seed)
    rows = []
    for _ in range(n):
        x = [round(numbers.gauss(0, 1), 3) for _ in range(p)]
        rows.append(x + [labels[2 * x[1] - 2 * x[4] + numbers.gauss(0, 1) > 0]])
    return rows


class SelectTest(ProgramTest):
    def json_of(self, command, *arguments, code=0, **keywords):
        found, out, err = self.run_program(command, *arguments, "--format", "json", **keywords)
        self.assertEqual(found, code, err)
        return json.loads(out)

    def write_hard(self):
        rows = hard_rows()
        return self.write_rows(rows, names=[f"f{j}" for j in range(len(rows[0]) - 1)] + ["target"])

    def assert_interrupted(self, *arguments, wait=1.0):
        """What it printed after Ctrl-C."""
        process = self.start(*arguments, "--format", "json")
        time.sleep(wait)
        self.assertIsNone(process.poll(), "over before it could be interrupted")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)  # it would go on for hours
        self.assertEqual(process.returncode, 130, err)
        return json.loads(out)


class PathTest(SelectTest):
    def test_one_model_for_each_value_from_the_sparsest_on(self):
        path = self.json_of("path", DEMO, "--grid-size", 20)
        self.assertEqual(list(path), ["schema", "models"])
        self.assertEqual(path["schema"], "ellzero.path/1")
        models = path["models"]
        self.assertLessEqual(len(models), 20)
        self.assertGreater(len(models), 5)
        for model in models:
            self.assertEqual(list(model), KEYS)
            self.assertLessEqual(model["lower_bound"], model["objective"])
        prices = [model["lambda0"] for model in models]
        self.assertEqual(prices, sorted(prices, reverse=True))
        self.assertEqual(models[0]["nonzeros"], 0)

    def test_the_values_of_a_grid_are_those_asked_for(self):
        models = self.json_of("path", DEMO, "--lambda0-grid", "1000,100000,10000")["models"]
        self.assertEqual([model["lambda0"] for model in models], [100000, 10000, 1000])
        for model in models:
            alone = self.fit(DEMO, "--lambda0", model["lambda0"])[0]
            self.assertLessEqual(model["objective"], alone["objective"] * (1 + 1e-9))

    def test_k_is_a_path_over_sizes(self):
        models = self.json_of("path", DEMO, "--k", 4)["models"]
        self.assertEqual([model["k"] for model in models], [0, 1, 2, 3, 4])
        self.assertEqual({model["lambda0"] for model in models}, {None})

    def test_text_and_csv_have_one_row_per_model(self):
        arguments = (DEMO, "--lambda0-grid", "100000,10000,1000")
        models = self.json_of("path", *arguments)["models"]
        code, text, err = self.run_program("path", *arguments)
        self.assertEqual((code, err), (0, ""))
        rows = [line.split() for line in text.splitlines() if line.startswith("  ")]
        self.assertEqual(rows[0][:2], ["lambda0", "features"])
        self.assertEqual([int(row[1]) for row in rows[1:4]], [model["nonzeros"] for model in models])
        self.assertIn("+bmi", text)
        _, table, _ = self.run_program("path", *arguments, "--format", "csv")
        found = list(csv.DictReader(io.StringIO(table)))
        self.assertEqual(len(found), len(models))
        for row, model in zip(found, models):
            self.assertEqual(float(row["objective"]), model["objective"])
            self.assertEqual(float(row["(intercept)"]), model["intercept"])
            for coefficient in model["coefficients"]:
                self.assertEqual(float(row[coefficient["feature"]]), coefficient["value"])
            self.assertEqual(row["status"], model["status"])

    def test_help_lists_what_means_something(self):
        flags = {command: self.run_program(command, "--help")[1] for command in ("fit", "prove", "path", "cv")}
        for command, absent in (("path", "--method --folds --select --node-limit --proof --output"),
                                ("cv", "--method --select --node-limit --trace --output"),
                                ("prove", "--method --step --trace"), ("fit", "--proof")):
            for flag in absent.split():
                self.assertNotIn(flag + " ", flags[command], command)
        for command, present in (("path", "--lambda0-grid --lambda2-grid --k"), ("cv", "--folds --metric --rule"),
                                 ("fit", "--select --folds --method"), ("prove", "--select --node-limit")):
            for flag in present.split():
                self.assertIn(flag + " ", flags[command], command)
        self.assertNotIn("--lambda0 ", flags["path"])

    def test_refusals(self):
        for command, arguments, part in (
            ("path", ["--lambda0", 1], "lambda0: "),
            ("path", ["--lambda0-gird", 1], "did you mean '--lambda0-grid'?"),
            ("path", ["--lambda0-grid", "1,x"], "lambda0-grid: value is 'x'"),
            ("path", ["--folds", 3], "no option '--folds'"),
            ("cv", ["--metric", "auc"], "metric: value is auc; expected mse or mae for squared loss"),
            ("cv", ["--metric", "acuracy"], "metric: value is acuracy"),
            ("cv", ["--folds", 1], "folds: value is 1"),
            ("cv", ["--folds", 1000], "folds: value is 1000; expected 2 to 442"),
            ("cv", ["--select", "bic"], "no option '--select'"),
            ("fit", ["--select", "bicc"], "select: value is bicc"),
            ("fit", ["--method", "cdss"], "with a published --method"),
            ("prove", ["--pool", 0.1], "with --pool"),
        ):
            code, out, err = self.run_program(command, DEMO, *arguments)
            self.assertEqual((code, out), (2, ""), err)
            self.assertIn(part, err)

    def test_a_time_limit_leaves_a_shorter_path(self):
        models = self.json_of("path", self.write_hard(), "--lambda2", 0.005, "--effort", "thorough", "--grid-size", 5000,
                              "--time-limit", 0.5, code=4)["models"]
        self.assertGreaterEqual(len(models), 1)

    def test_interrupts_keep_what_is_there(self):
        path = self.assert_interrupted("path", self.write_hard(), "--effort", "thorough", "--grid-size", 5000)
        self.assertGreaterEqual(len(path["models"]), 1)


class CrossValidationTest(SelectTest):
    def test_the_curve_and_its_marks(self):
        curve = self.json_of("cv", DEMO, "--grid-size", 20, "--rule", "1se")
        self.assertEqual(list(curve), ["schema", "metric", "rule", "best", "chosen", "models"])
        self.assertEqual((curve["schema"], curve["metric"], curve["rule"]), ("ellzero.path/1", "mse", "1se"))
        models = curve["models"]
        for model in models:
            self.assertEqual([key for key in model if key not in ("relax", "penalised")], KEYS + ["cv_mean", "cv_se"])
            self.assertGreater(model["cv_se"], 0)
        best, chosen = models[curve["best"]], models[curve["chosen"]]
        self.assertEqual(best["cv_mean"], min(model["cv_mean"] for model in models))
        within = [model for model in models if model["cv_mean"] <= best["cv_mean"] + best["cv_se"]]
        self.assertEqual(chosen["nonzeros"], min(model["nonzeros"] for model in within))
        self.assertIn(chosen, within)
        again = self.json_of("cv", DEMO, "--grid-size", 20, "--rule", "min")
        self.assertEqual(again["chosen"], again["best"])

    def test_text_and_csv_say_the_same(self):
        arguments = (DEMO, "--lambda0-grid", "100000,10000,1000", "--metric", "mae")
        curve = self.json_of("cv", *arguments)
        code, text, err = self.run_program("cv", *arguments)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(text.count("chosen"), 1)
        self.assertIn("10-fold cross-validation", text)
        _, table, _ = self.run_program("cv", *arguments, "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(table)))
        self.assertEqual([float(row["cv_mean"]) for row in rows], [m["cv_mean"] for m in curve["models"]])
        self.assertIn("chosen", rows[curve["chosen"]]["mark"])
        self.assertIn("best", rows[curve["best"]]["mark"])

    def test_threads_change_nothing_and_seeds_do(self):
        curves = [self.json_of("cv", DEMO, "--grid-size", 5, *extra)
                  for extra in (["--threads", 1], ["--threads", 4], ["--seed", 1, "--threads", 1])]
        means = [[model["cv_mean"] for model in curve["models"]] for curve in curves]
        self.assertEqual(means[0], means[1])
        self.assertNotEqual(means[0], means[2])

    def test_classes_by_every_metric(self):
        data = self.write_rows(classes())
        for loss in ("logistic", "smoothed-hinge"):
            for metric in ("deviance", "accuracy", "auc"):
                curve = self.json_of("cv", data, "--loss", loss, "--metric", metric, "--grid-size", 10)
                model = curve["models"][curve["chosen"]]
                self.assertEqual({"f1", "f4"}, {c["feature"] for c in model["coefficients"]}, (loss, metric))

    def test_sizes_in_place_of_prices(self):
        curve = self.json_of("cv", self.write_rows(regression()), "--k", 4)
        self.assertEqual([model["k"] for model in curve["models"]], [0, 1, 2, 3, 4])
        self.assertEqual(curve["chosen"], 2)

    def test_a_class_of_one_sample_is_refused(self):
        rows = classes()
        for row in rows:
            row[-1] = "no"
        rows[0][-1] = "yes"
        code, out, err = self.run_program("cv", self.write_rows(rows), "--loss", "logistic")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("y: class 1 has 1 sample", err)

    def write_folds(self, count=4, name="folds.csv"):
        """Rows of regression() with the fold of each before the target, 10, 20, ..., dealt in turn."""
        rows = regression()
        for i, row in enumerate(rows):
            row.insert(-1, 10 * (i % count + 1))
        return self.write_rows(rows, name, [f"f{j}" for j in range(len(rows[0]) - 2)] + ["fold", "target"])

    def test_folds_of_a_column(self):
        """Within and beside the other columns, a fold is a fold; and the column is no feature."""
        with_folds, plain = self.write_folds(), self.write_rows(regression(), name="plain.csv")
        curve = self.json_of("cv", with_folds, "--folds-column", "fold", "--k", 3, "--lambda2", 1)
        self.assertTrue(all("fold" not in str(model["coefficients"]) for model in curve["models"]))
        by_hand = []
        for left_out in range(4):
            rows = regression()
            train = self.write_rows([row for i, row in enumerate(rows) if i % 4 != left_out], name="train.csv")
            code, _, err = self.run_program("fit", train, "--k", 2, "--lambda2", 1, "-q", "-o", self.folder / "m.json")
            self.assertEqual(code, 0, err)
            _, out, _ = self.run_program("predict", self.folder / "m.json", plain)
            errors = [float(u) - row[-1] for u, row in zip(out.split(), rows)]
            by_hand += [e * e for i, e in enumerate(errors) if i % 4 == left_out]
        at_two = next(model for model in curve["models"] if model["k"] == 2)
        self.assertAlmostEqual(at_two["cv_mean"], sum(by_hand) / len(by_hand), delta=1e-6 * at_two["cv_mean"])

    def test_a_model_remembers_the_column_of_its_folds(self):
        data, model, proof = self.write_folds(), self.folder / "m.json", self.folder / "m.ez"
        code, _, err = self.run_program("prove", data, "--folds-column", "fold", "-q", "-o", model, "--proof", proof)
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(model.read_text())["data"]["folds"], "fold")
        code, out, err = self.run_program("verify", model, data, "--proof", proof)
        self.assertEqual(code, 0, err)
        self.assertIn("folds fold", out)
        self.assertEqual(self.run_program("predict", model, data)[0], 0)
        self.assertIn("folds fold", self.run_program("inspect", model)[1])

    def test_columns_that_are_no_folds(self):
        data, one = self.write_folds(), self.write_folds(count=1, name="one.csv")
        for code, path, arguments, part in (
            (2, data, ["--folds-column", "target"], "expected different ones"),
            (2, data, ["--folds-column", "flod"], "did you mean 'fold'?"),
            (2, data, ["--folds-column", "fold", "--folds", 4], "folds: is set; expected none beside --folds-column"),
            (2, data, ["--folds-column", "fold", "--repeats", 4], "repeats: is set"),
            (3, one, ["--folds-column", "fold"], "folds-column: every sample is in fold 10"),
        ):
            found, out, err = self.run_program("fit", path, *arguments)
            self.assertEqual((found, out), (code, ""), err)
            self.assertIn(part, err)
        self.assertEqual(self.run_program("convert", data, self.folder / "x.npy", "--folds-column", "fold")[0], 2)

    def test_interrupts_keep_what_is_there(self):
        curve = self.assert_interrupted("cv", DEMO, "--repeats", 100000)
        self.assertGreaterEqual(len(curve["models"]), 1)
        self.assertTrue(any(model["cv_mean"] is not None for model in curve["models"]))


class FitTest(SelectTest):
    def test_auto_is_as_when_nothing_is_said(self):
        plain, said = (self.json_of("cv", DEMO, "--grid-size", 5, *more)["models"] for more in ([], ["--relax", "auto", "--folds", "auto"]))
        self.assertEqual([model["cv_mean"] for model in plain], [model["cv_mean"] for model in said])

    def test_nothing_but_the_data_chooses_proves_and_says_so(self):
        result, err = self.fit(DEMO, "--target", "target")
        self.assertEqual(([key for key in result if key not in ("relax", "penalised")], err), (KEYS + ["selection"], ""))
        self.assertEqual(result["status"], "optimal")
        selection = result["selection"]
        self.assertEqual((selection["by"], selection["metric"], selection["rule"]), ("cv", "mse", "auto"))
        curve = self.json_of("cv", DEMO)
        self.assertEqual(curve["chosen"], selection["chosen"])
        chosen = curve["models"][curve["chosen"]]
        self.assertEqual(selection["score"], chosen["cv_mean"])
        self.assertEqual(result["lambda0"], chosen["lambda0"])
        self.assertLessEqual(result["objective"], chosen["objective"])
        self.assertGreaterEqual(result["lower_bound"], chosen["lower_bound"])
        code, text, _ = self.run_program("fit", DEMO)
        self.assertEqual(code, 0)
        for words in ("by 10-fold cross-validation, ", "+/-", "bmi", "gap", "in every optimum", "optimal:"):
            self.assertIn(words, text)

    def test_criteria_agree_with_a_calculation_by_hand(self):
        rows = regression(n=60)
        data = self.write_rows(rows)
        values = {}
        for name, price in (("aic", lambda s: 2 * (s + 1)), ("bic", lambda s: math.log(60) * (s + 1)),
                            ("ebic", lambda s: math.log(60) * (s + 1) + 2 * math.log(math.comb(6, s))),
                            ("gic", lambda s: math.log(math.log(60)) * math.log(6) * (s + 1))):
            result, _ = self.fit(data, "--select", name)
            selection = result["selection"]
            self.assertEqual((selection["by"], selection["metric"], selection["standard_error"]), (name, name, None))
            beta = {c["index"]: c["value"] for c in result["coefficients"]}
            rss = sum((row[-1] - result["intercept"] - sum(b * row[j] for j, b in beta.items())) ** 2 for row in rows)
            self.assert_close(selection["score"], 60 * math.log(rss / 60) + price(len(beta)), 6)
            values[name] = set(beta)
        self.assertEqual(values["ebic"], {1, 4})

    def test_prove_selects_as_well(self):
        result = self.json_of("prove", DEMO, "--select", "bic", "--gap", 1e-6)
        self.assertEqual(result["status"], "optimal")
        self.assertEqual(result["selection"]["by"], "bic")

    def test_the_model_remembers_its_selection_and_verifies(self):
        model, proof = self.folder / "m.json", self.folder / "m.proof"
        result = self.json_of("prove", DEMO, "-o", model, "--proof", proof)
        saved = json.loads(model.read_text())
        self.assertEqual(saved["settings"]["lambda0"], result["lambda0"])
        selection = saved["selection"]
        self.assertEqual(selection["chosen"], result["selection"]["chosen"])
        self.assertEqual(len(selection["models"]), result["selection"]["models"])
        self.assertEqual(selection["models"][selection["chosen"]]["score"], result["selection"]["score"])
        self.assertEqual(self.run_program("verify", model, DEMO, "--proof", proof)[0], 0)
        code, _, err = self.run_program("fit", DEMO, "--select", "bic", "-o", model)
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(model.read_text())["selection"]["models"][0]["standard_error"], None)
        self.assertEqual(self.run_program("verify", model, DEMO)[0], 0)

    def test_all_rules_predict_from_one_file(self):
        model = self.folder / "model.json"
        code, _, err = self.run_program("fit", DEMO, "--rule", "min", "-q", "-o", model)
        self.assertEqual(code, 0, err)
        said = json.loads(model.read_text())["selection"]
        found = {}
        for rule, place in (("min", "best"), ("1se", "one_error"), ("auto", "as_good")):
            code, found[rule], err = self.run_program("predict", model, DEMO, "--rule", rule)
            self.assertEqual(code, 0, err)
            rows = csv.DictReader(DEMO.read_text().splitlines())
            kept, row = said["models"][said[place]], [float(cell) for cell in next(iter(rows)).values()]
            by_hand = kept["intercept"] + sum(entry["value"] * row[entry["index"]] for entry in kept["coefficients"])
            self.assertAlmostEqual(float(found[rule].split()[0]), by_hand, delta=1e-9 * abs(by_hand))
        self.assertEqual(found["min"], self.run_program("predict", model, DEMO)[1])
        self.assertNotEqual(found["min"], found["1se"])
        self.run_program("fit", DEMO, "--k", 2, "-q", "-o", model)
        code, out, err = self.run_program("predict", model, DEMO, "--rule", "min")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("rule: value is 'min'; expected none", err)

    def test_limits_that_the_user_set_count(self):
        hard = self.write_hard()
        result, _ = self.fit(hard, "--lambda2", 0.005, "--grid-size", 5, "--effort", "quick", "--gap", 0, "--time-limit",
                             3, code=4)
        self.assertEqual(result["status"], "time_limit")
        self.assertLess(result["seconds"], 10)

    def test_labels_of_words(self):
        result, err = self.fit(self.write_rows(classes()), "--loss", "logistic")
        self.assertLessEqual({"f1", "f4"}, {c["feature"] for c in result["coefficients"]})
        self.assertEqual(result["selection"]["metric"], "deviance")
        self.assertIn("'no' is taken as 0", err)

    def test_interrupts_save_the_model(self):
        model = self.folder / "m.json"
        result = self.assert_interrupted("fit", DEMO, "--repeats", 100000, "-o", model)
        self.assertEqual(result["status"], "interrupted")
        self.assertEqual(json.loads(model.read_text())["intercept"], result["intercept"])
        hard = self.write_hard()
        result = self.assert_interrupted("prove", hard, "--lambda2", 0.005, "--grid-size", 3, "--effort", "quick",
                                         "--folds", 2, "--gap", 0, wait=4)
        self.assertEqual(result["status"], "interrupted")
        self.assertLessEqual(result["lower_bound"], result["objective"])


@unittest.skipUnless((DATA / "genes").is_dir(), f"no data in {DATA / 'genes'}")
class RealDataTest(SelectTest):
    def test_riboflavin(self):
        data = DATA / "genes" / "riboflavin.csv.gz"
        curve = self.json_of("cv", data, "--grid-size", 10, "--effort", "quick", timeout=600)
        models = curve["models"]
        self.assertLess(models[curve["best"]]["cv_mean"], models[0]["cv_mean"])
        self.assertGreater(models[curve["chosen"]]["nonzeros"], 0)

    def test_golub(self):
        data = DATA / "genes" / "golub.csv.gz"
        curve = self.json_of("cv", data, "--loss", "logistic", "--grid-size", 6, "--effort", "quick", "--metric", "auc",
                             timeout=600)
        self.assertGreater(curve["models"][curve["best"]]["cv_mean"], 0.8)


if __name__ == "__main__":
    unittest.main()
