"""`ellzero fit` on input that is wrong, degenerate or extreme: right answers or refusals, never silent zeros."""
import math
import unittest

from program import ProgramTest, csv_text, libsvm_text, npy_bytes, regression


class WrongData(ProgramTest):
    def test_cells_that_are_no_finite_numbers_are_named(self):
        for cell, column, shown in (("nan", 2, "holds 'nan'"), ("inf", 0, "holds 'inf'"), ("", 3, "is empty"),
                                    ("NA", 6, "holds 'NA'"), ("1e999", 1, "holds '1e999'"), ("x", 5, "holds 'x'")):
            rows = regression()
            rows[7][column] = cell
            self.assert_refused(3, "data.csv:9:", f"column '{self.names[column]}' {shown}; expected",
                                [self.write_rows(rows), "--lambda0", 1])

    def test_nan_in_npy_names_row_and_column(self):
        rows = regression()
        y = self.write("y.npy", npy_bytes([row[-1] for row in rows]))
        X = [row[:-1] for row in rows]
        X[7][2] = math.nan
        path = self.write("X.npy", npy_bytes(X))
        self.assert_refused(3, "row 7, column 2 is nan", [path, "--target", y, "--lambda0", 1])

    def test_ragged_truncated_and_empty_files(self):
        for text, part in (("a,b,target\n1,2,3\n4,5\n", "d.csv:3:4: the line has 2 cells; the header has 3"),
                           ("a,b,target\n1,2,3,4\n", "d.csv:2:6: the line has more cells"),
                           ("a,b,target\n1,\"2,3\n", "d.csv:2:3: the quote"),
                           ("", "is empty"),
                           ("4,2,3\n4,5,6\n", "d.csv:1:1: the first line holds only numbers")):
            self.assert_refused(3, part, [self.write("d.csv", text), "--lambda0", 1])
        self.assert_refused(3, "0 rows", [self.write("d.csv", "a,b,target\n"), "--lambda0", 1])
        self.assert_refused(3, "gzip", [self.write("d.csv.gz", b"\x1f\x8b\x08\x00broken"), "--lambda0", 1])

    def test_no_features(self):
        self.assert_refused(3, "one column", [self.write("d.csv", "target\n1\n2\n"), "--lambda0", 1])
        self.assert_refused(3, "0 features", [self.write("d.svm", "1\n2\n"), "--lambda0", 1])
        path = self.write_rows([[1, 2], [1, 3]], names=["w", "target"])
        self.assert_refused(3, "0 features", [path, "--weights", "w", "--lambda0", 1])

    def test_weights(self):
        names = ["w"] + self.names
        def weigh(weights, rows):
            return self.write_rows([[w] + row for w, row in zip(weights, rows)], names=names)
        rows = regression(12)
        arguments = ["--weights", "w", "--lambda0", 0.5, "--lambda2", 0.01]
        self.assert_refused(3, "weights[3]: value is -1; expected a finite number, 0 or above",
                            [weigh([1, 1, 1, -1] + [1] * 8, rows), *arguments])
        self.assert_refused(3, "weights: all are 0", [weigh([0] * 12, rows), *arguments])
        expected, _ = self.fit(weigh([1] * 13, rows[1:] + [rows[1], rows[1]]), *arguments)
        weighted, _ = self.fit(weigh([0, 3] + [1] * 10, rows), *arguments)
        self.assert_same_model(weighted, expected, 8)
        self.assertEqual(weighted["n"], 11)

    def test_offset_moves_the_target(self):
        rows = regression()
        moved = [[i % 5] + row[:-1] + [row[-1] + i % 5] for i, row in enumerate(rows)]
        arguments = ["--lambda0", 0.5, "--lambda2", 0.01]
        expected, _ = self.fit(self.write_rows(rows), *arguments)
        found, _ = self.fit(self.write_rows(moved, names=["o"] + self.names), "--offset", "o", *arguments)
        self.assert_same_model(found, expected, 8)


class Degenerate(ProgramTest):
    def test_a_constant_column_is_left_out_and_noted(self):
        rows = [row[:2] + [4.25] + row[3:] for row in regression()]
        result, err = self.fit(self.write_rows(rows), "--lambda0", 0)
        self.assertNotIn(2, [c["index"] for c in result["coefficients"]])
        self.assertEqual(result["nonzeros"], 5)
        self.assertIn("constant", err)

    def test_of_two_equal_columns_the_first_is_used(self):
        rows = [row[:5] + [row[1]] + row[6:] for row in regression()]
        result, _ = self.fit(self.write_rows(rows), "--lambda0", 0.5, "--lambda2", 0)
        self.assertEqual([c["index"] for c in result["coefficients"]], [1, 4])
        self.assertNotIn(5, result["verdicts"]["always"])

    def test_one_sample(self):
        result, _ = self.fit(self.write_rows(regression(1)), "--lambda0", 1)
        self.assertEqual((result["n"], result["nonzeros"]), (1, 0))
        self.assert_close(result["intercept"], regression(1)[0][-1])

    def test_a_constant_target_needs_no_feature(self):
        rows = [row[:-1] + [7.5] for row in regression()]
        result, _ = self.fit(self.write_rows(rows), "--lambda0", 1)
        self.assertEqual((result["nonzeros"], result["intercept"]), (0, 7.5))
        self.assertLess(result["gap"], 1e-9)
        self.assertEqual(result["status"], "optimal")

    def test_scales_beyond_reason_are_refused_or_right(self):
        """Unit changes of X change the coefficients by just that; the rest stays."""
        rows = regression()
        expected, _ = self.fit(self.write_rows(rows), "--lambda0", 0.5, "--lambda2", 0.01)
        for factor in (1e300, 1e-300, 1e150, 1e-150, 1e40, 1e-40):
            scaled = [[factor * cell for cell in row[:-1]] + row[-1:] for row in rows]
            code, out, err = self.run_program("fit", self.write_rows(scaled), "--lambda0", 0.5, "--lambda2", 0.01,
                                              "--format", "csv")
            if code == 3:
                self.assertIn("magnitude", err)
                self.assertIn("rescale", err)
                self.assertFalse(1e-50 < factor < 1e50)
                continue
            self.assertEqual(code, 0, err)
            found = [line.split(",") for line in out.splitlines()[2:]]
            self.assertEqual([int(f[1]) for f in found], [1, 4])
            for f, c in zip(found, expected["coefficients"]):
                self.assert_close(float(f[2]) * factor, c["value"], 8)

    def test_columns_of_very_different_scales(self):
        rows = [[10.0 ** (15 * (j - 2)) * cell for j, cell in enumerate(row[:-1])] + row[-1:] for row in regression()]
        result, _ = self.fit(self.write_rows(rows), "--lambda0", 0.5, "--lambda2", 0.01)
        self.assertEqual([c["index"] for c in result["coefficients"]], [1, 4])

    def test_a_bound_that_binds_is_noted(self):
        result, err = self.fit(self.write_rows(regression()), "--lambda0", 0.5, "--upper", 1.5)
        self.assertEqual(max(c["value"] for c in result["coefficients"]), 1.5)
        self.assertIn("bound", err)


class Budget(ProgramTest):
    def test_k_counts_features(self):
        data = self.write_rows(regression())
        for k in (0, 1, 2, 6):
            result, _ = self.fit(data, "--k", k)
            self.assertEqual((result["k"], result["lambda0"]), (k, None))
            self.assertLessEqual(result["nonzeros"], k)

    def test_k_above_the_number_of_features_is_refused(self):
        self.assert_refused(2, "k: ", "7", "6", [self.write_rows(regression()), "--k", 7])

    def test_a_constant_target_needs_no_feature(self):
        rows = [row[:-1] + [7.5] for row in regression()]
        result, _ = self.fit(self.write_rows(rows), "--k", 2)
        self.assertEqual((result["nonzeros"], result["intercept"]), (0, 7.5))


class Labels(ProgramTest):
    def classes(self, low, high, n=60):
        return [row[:-1] + [high if row[-1] + 0.8 * math.sin(17.0 * i) > 0.3 else low]
                for i, row in enumerate(regression(n))]

    def test_two_labels_of_any_kind_give_the_same_model(self):
        arguments = ["--lambda0", 1, "--lambda2", 0.1]
        for loss, own in (("logistic", (0, 1)), ("smoothed-hinge", (-1, 1))):
            expected, err = self.fit(self.write_rows(self.classes(*own)), "--loss", loss, *arguments)
            self.assertNotIn("taken as", err)
            self.assertGreater(expected["nonzeros"], 0)
            for pair in ((0, 1), (-1, 1), (1, 2), ("no", "yes"), ("B", "a"), ("-1", "+1")):
                found, err = self.fit(self.write_rows(self.classes(*pair)), "--loss", loss, *arguments)
                self.assert_same_model(found, expected, 12)
                if pair in (("no", "yes"), (1, 2)):
                    self.assertIn("taken as", err)

    def test_labels_in_libsvm_and_npy(self):
        arguments = ["--loss", "logistic", "--lambda0", 1, "--lambda2", 0.1]
        rows = self.classes(1, 2)
        expected, _ = self.fit(self.write_rows(rows), *arguments)
        found, _ = self.fit(self.write("d.svm", libsvm_text(rows)), *arguments)
        self.assert_same_model(found, expected)
        y = self.write("y.npy", npy_bytes([row[-1] for row in rows], "q"))
        found, _ = self.fit(self.write("X.npy", npy_bytes([row[:-1] for row in rows])), "--target", y, *arguments)
        self.assert_same_model(found, expected)

    def test_one_or_three_classes_are_refused(self):
        arguments = ["--loss", "logistic", "--lambda0", 1]
        for low, high, part in ((1, 1, "values are 1;"), ("a", "a", "values are 'a';")):
            self.assert_refused(3, part, "expected two classes", [self.write_rows(self.classes(low, high)), *arguments])
        for labels in ((0, 1, 2), ("a", "b", "c")):
            rows = [row[:-1] + [labels[i % 3]] for i, row in enumerate(regression())]
            self.assert_refused(3, "two classes", [self.write_rows(rows), *arguments])

    def test_words_are_refused_by_squared_loss(self):
        self.assert_refused(3, "data.csv:2:", "column 'target' holds 'yes'; expected a finite number",
                            [self.write_rows(self.classes("no", "yes")), "--lambda0", 1])

    def test_perfect_separation_without_ridge_ends(self):
        rows = [row[:-1] + [1 if row[1] > 0 else 0] for row in regression()]
        for loss in ("logistic", "smoothed-hinge"):
            code, out, err = self.run_program("fit", self.write_rows(rows), "--loss", loss, "--lambda0", 0.1,
                                              "--lambda2", 0, "--time-limit", 5, "--format", "csv", timeout=60)
            self.assertIn(code, (0, 4), err)
            for line in out.splitlines()[1:]:
                self.assertTrue(math.isfinite(float(line.split(",")[-1])), line)


if __name__ == "__main__":
    unittest.main()
