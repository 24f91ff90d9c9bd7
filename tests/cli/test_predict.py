"""`ellzero predict`: columns by name, numbers or labels or probabilities, and data that a model cannot be applied to."""
import json
import math
import unittest

from program import ProgramTest, csv_text, libsvm_text, npy_bytes, packed, regression


class PredictTest(ProgramTest):
    def make(self, data, *arguments):
        """Fits, and returns the model as it was written."""
        code, _, err = self.run_program("fit", data, "--lambda2", 0.01, "-o", "m.json",
                                        *(arguments if "--lambda0" in arguments else ("--lambda0", 0.5, *arguments)))
        self.assertEqual(code, 0, err)
        return json.loads((self.folder / "m.json").read_text())

    def predict(self, *arguments, **keywords):
        code, out, err = self.run_program("predict", "m.json", *arguments, **keywords)
        self.assertEqual(code, 0, err)
        return out.splitlines()

    def refused(self, code, *parts_and_arguments):
        *parts, arguments = parts_and_arguments
        found, out, err = self.run_program("predict", "m.json", *arguments)
        self.assertEqual((found, out), (code, ""), err)
        for part in parts:
            self.assertIn(part, err)

    def by_hand(self, model, rows):
        return [model["intercept"] + sum(c["value"] * row[c["index"]] for c in model["coefficients"]) for row in rows]

    def assert_numbers(self, lines, expected):
        self.assertEqual(len(lines), len(expected))
        for line, value in zip(lines, expected):
            self.assert_close(float(line), value, 12)


class Numbers(PredictTest):
    def test_columns_are_found_by_name_and_others_do_not_matter(self):
        rows = regression()
        model = self.make(self.write_rows(rows))
        expected = self.by_hand(model, rows)
        self.assert_numbers(self.predict("data.csv"), expected)
        used = [c["index"] for c in model["coefficients"]]
        self.assertEqual(used, [1, 4])
        self.write("new.csv", csv_text(["f4", "words", "f1"], [[row[4], "x y", row[1]] for row in rows]))
        self.assertEqual(self.predict("new.csv"), self.predict("data.csv"))
        self.write("one.tsv", csv_text(["f1", "f4"], [[row[1], row[4]] for row in rows[:1]], "\t"))
        self.assert_numbers(self.predict("one.tsv"), expected[:1])
        self.assertEqual(self.predict("new.csv", "--target", "y", "--weights", "w"), self.predict("data.csv"))
        text = (self.folder / "new.csv").read_bytes()
        self.assertEqual(self.predict("-", stdin=packed(text, ".gz")), self.predict("new.csv"))

    def test_means_fill_in_by_place_where_a_file_has_no_names(self):
        rows = regression()
        rows[3][1] = rows[5][2] = "NA"
        model = self.make(self.write_rows(rows), "--missing", "mean")
        new = [[math.nan if j == 1 else cell for j, cell in enumerate(row[:-1])] for row in regression()[:4]]
        filled = [[model["data"]["means"][1] if j == 1 else cell for j, cell in enumerate(row)] for row in new]
        self.assertIn(1, [c["index"] for c in model["coefficients"]])
        self.write("new.npy", npy_bytes(new))
        self.write("new.svm", libsvm_text([row + [0] for row in new]))
        for data in ("new.npy", "new.svm"):
            self.assert_numbers(self.predict(data), self.by_hand(model, filled))

    def test_missing_columns_are_refused_with_a_suggestion(self):
        rows = regression()
        self.make(self.write_rows(rows))
        self.write("new.csv", csv_text(["F4", "f1"], [[row[4], row[1]] for row in rows]))
        self.refused(3, "new.csv: has no column 'f4', which the model uses; did you mean 'F4'?", ["new.csv"])
        self.write("new.csv", csv_text(["f4", "f1", "f1"], [[1, 2, 3]]))
        self.refused(3, "several columns 'f1'", ["new.csv"])
        self.write("new.csv", "f1,f4\n1,2\n3,x\n")
        self.refused(3, "new.csv:3:3: column 'f4' holds 'x'", ["new.csv"])

    def test_without_names_columns_are_found_by_position(self):
        rows = regression()
        model = self.make(self.write_rows(rows))
        X = [row[:-1] for row in rows]
        expected = self.by_hand(model, rows)
        self.write("X.npy", npy_bytes(X))
        self.assert_numbers(self.predict("X.npy"), expected)
        self.write("d.svm", libsvm_text(rows))
        self.assert_numbers(self.predict("d.svm"), expected)
        self.write("d.svm", libsvm_text([row[:2] + [0] * 4 + [0] for row in rows]))  # features 3 to 6 are 0 everywhere
        self.assert_numbers(self.predict("d.svm"), self.by_hand(model, [row[:2] + [0] * 4 for row in rows]))
        self.write("X.mtx", "%%MatrixMarket matrix array real general\n40 6\n"
                   + "".join(f"{row[j]}\n" for j in range(6) for row in X))
        self.assert_numbers(self.predict("X.mtx"), expected)
        self.write("X.npy", npy_bytes([row[:5] for row in X]))
        self.refused(3, "has 5 features without names; the model was fitted to 6", ["X.npy"])

    def test_models_without_names_find_x0_x1(self):
        rows = regression()
        model = self.make(self.write("d.svm", libsvm_text(rows)))
        self.write("new.csv", csv_text([f"x{j}" for j in range(6)], [row[:-1] for row in rows]))
        self.assert_numbers(self.predict("new.csv"), self.by_hand(model, rows))

    def test_an_offset_is_added_where_the_model_had_one(self):
        rows = [[i % 3] + row for i, row in enumerate(regression())]
        names = ["o"] + self.names
        model = self.make(self.write_rows(rows, names=names), "--offset", "o")
        expected = [row[0] + u for row, u in zip(rows, self.by_hand(model, [row[1:] for row in rows]))]
        self.assert_numbers(self.predict("data.csv"), expected)
        self.write("new.csv", csv_text(self.names, [row[1:] for row in rows]))
        self.refused(2, "offset: new.csv has no column 'o'", ["new.csv"])
        self.write("X.npy", npy_bytes([[float(cell) for cell in row[1:-1]] for row in rows]))
        self.refused(2, "offset: is not set; expected a file", ["X.npy"])
        self.write("o.npy", npy_bytes([float(row[0]) for row in rows]))
        self.assert_numbers(self.predict("X.npy", "--offset", "o.npy"), expected)

    def test_a_model_without_features_needs_no_column(self):
        model = self.make(self.write_rows(regression()), "--lambda0", 1e6)
        self.assertEqual(model["coefficients"], [])
        self.write("new.csv", "anything\nx\ny\n")
        self.assert_numbers(self.predict("new.csv"), [model["intercept"]] * 2)

    def test_output_goes_to_a_file(self):
        self.make(self.write_rows(regression()))
        lines = self.predict("data.csv")
        self.assertEqual(self.predict("data.csv", "-o", "out.txt"), [])
        self.assertEqual((self.folder / "out.txt").read_text().splitlines(), lines)

    def test_usage(self):
        self.make(self.write_rows(regression()))
        for arguments, part in ((["data.csv", "--probability"], "probability: the model is of squared loss"),
                                ([], "DATA: is not set"),
                                (["data.csv", "--targt", "y"], "no option '--targt'"),
                                (["data.csv", "--missing", "mean"], "missing: value is 'mean'; expected another one")):
            self.refused(2, part, arguments)
        self.write("m.json", "{}")
        self.refused(3, "m.json: schema: is missing", ["data.csv"])


class Classes(PredictTest):
    rows = [row[:-1] + ["yes" if row[-1] + math.sin(9 * row[-1]) > 0 else "no"] for row in regression()]

    def test_labels_and_probabilities(self):
        for loss in ("logistic", "smoothed-hinge"):
            model = self.make(self.write_rows(self.rows), "--loss", loss)
            u = self.by_hand(model, self.rows)
            self.assertEqual(self.predict("data.csv"), ["yes" if value > 0 else "no" for value in u])
            if loss == "logistic":
                self.assert_numbers(self.predict("data.csv", "--probability"), [1 / (1 + math.exp(-v)) for v in u])
            else:
                self.refused(2, "expected it only with logistic", ["data.csv", "--probability"])

    def test_labels_that_are_numbers(self):
        self.make(self.write_rows([row[:-1] + [2 if row[-1] == "yes" else 1] for row in self.rows]), "--loss", "logistic")
        self.assertEqual(set(self.predict("data.csv")), {"1", "2"})


class Encodings(PredictTest):
    """What a model remembers of missing cells and of words."""

    def rows(self):
        rows = regression()
        levels = ["low", "mid", "top"]
        return [row[:-1] + [levels[i % 3], row[-1] + 5 * (i % 3 == 2)] for i, row in enumerate(rows)]

    names = [f"f{j}" for j in range(6)] + ["level", "target"]

    def test_words_become_the_same_features(self):
        rows = self.rows()
        model = self.make(self.write_rows(rows, names=self.names), "--categorical", "onehot")
        self.assertEqual(model["data"]["levels"], [{"column": "level", "levels": ["low", "mid", "top"]}])
        self.assertEqual(model["data"]["names"][6:], ["level=low", "level=mid", "level=top"])
        self.assertIn("level=top", [c["feature"] for c in model["coefficients"]])
        expected = self.by_hand(model, [row[:6] + [row[6] == "low", row[6] == "mid", row[6] == "top"] for row in rows])
        self.write("new.csv", csv_text(["level", "f4", "f1"], [[row[6], row[4], row[1]] for row in rows]))
        self.assert_numbers(self.predict("new.csv"), expected)
        self.write("new.csv", "level,f4,f1\ntop,1,2\ntopp,1,2\n")
        self.refused(3, "new.csv:3:1: column 'level' holds 'topp', which was not there when the model was fitted; did you "
                     "mean 'top'?", ["new.csv"])
        code, _, err = self.run_program("verify", "m.json", "data.csv")
        self.assertEqual(code, 0, err)

    def test_means_fill_in_as_they_did(self):
        rows = regression()
        rows[3][1], rows[5][4] = "NA", ""
        names = self.names[:6] + ["target"]
        model = self.make(self.write_rows(rows, names=names), "--missing", "mean")
        known = [row[1] for row in rows if row[1] != "NA"]
        self.assert_close(model["data"]["means"][1], sum(known) / len(known), 12)
        means = model["data"]["means"]
        self.write("new.csv", csv_text(["f4", "f1"], [["?", 1], [2, "null"]]))
        expected = self.by_hand(model, [[0, 1, 0, 0, means[4], 0], [0, means[1], 0, 0, 2, 0]])
        self.assert_numbers(self.predict("new.csv"), expected)
        self.refused(3, "new.csv:2:1: column 'f4' holds '?'", ["new.csv", "--missing", "refuse"])
        self.assertEqual(self.run_program("verify", "m.json", "data.csv")[0], 0)
        self.write("new.csv", csv_text(["f4", "f1"], [["?", 1], [2, 3]]))
        self.assert_numbers(self.predict("new.csv", "--missing", "drop"), self.by_hand(model, [[0, 3, 0, 0, 2, 0]]))


if __name__ == "__main__":
    unittest.main()
