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

    def test_a_column_of_zeros_is_left_out_and_noted(self):
        rows = [row[:2] + [0] + row[3:] for row in regression()]
        for path in (self.write_rows(rows), self.write("d.svm", libsvm_text(rows))):
            result, err = self.fit(path, "--lambda0", 0, "--lambda2", 0.01)
            self.assertEqual([c["index"] for c in result["coefficients"]], [0, 1, 3, 4, 5])
            self.assertIn("note: 1 constant column left out", err)
            self.assertLess(result["relative_gap"], 1e-8)

    def test_nothing_but_constant_columns_leaves_the_intercept(self):
        rows = [[1, 2, 3, 0, 5, 6] + row[6:] for row in regression()]
        for form in (["--lambda0", 1], ["--k", 2], ["--lambda0", 1, "--always", "f1"]):
            result, err = self.fit(self.write_rows(rows), *form)
            self.assertEqual((result["nonzeros"], result["status"]), (0, "optimal"))
            self.assert_close(result["intercept"], sum(row[-1] for row in rows) / 40)
            self.assertIn("note: 6 constant columns left out", err)

    def test_of_two_equal_columns_the_first_is_used(self):
        """Whether the copy comes after or before, in other units or not: the certificate is the one without it."""
        plain = self.write_rows([row[:5] + [0] + row[6:] for row in regression()])
        later = self.write_rows([row[:5] + [4 * row[1]] + row[6:] for row in regression()], "later.csv")
        before = self.write_rows([[row[1] / 2] + row[1:5] + [0] + row[6:] for row in regression()], "before.csv")
        for form in (["--lambda0", 0.5], ["--k", 2]):
            expected, _ = self.fit(plain, *form, "--lambda1", 0.1, "--lambda2", 0)
            for path, support in ((later, [1, 4]), (before, [0, 4])):
                result, _ = self.fit(path, *form, "--lambda1", 0.1, "--lambda2", 0)
                self.assertEqual([c["index"] for c in result["coefficients"]], support)
                self.assert_close(result["objective"], expected["objective"], 8)
                self.assert_close(result["lower_bound"], expected["lower_bound"], 6)
                self.assertFalse({0, 1, 5} & set(result["verdicts"]["always"]))  # some optimum uses the copy

    def test_collinear_columns_keep_the_bound_below_the_objective(self):
        rows = [row[:2] + [row[1] + row[4], row[1] - row[4]] + row[4:] for row in regression()]
        plain, _ = self.fit(self.write_rows([row[:2] + [0, 0] + row[4:] for row in rows]), "--k", 2, "--lambda2", 0.01)
        result, _ = self.fit(self.write_rows(rows), "--k", 2, "--lambda2", 0.01)
        self.assertLessEqual(result["lower_bound"], result["objective"])
        self.assertLessEqual(result["lower_bound"], plain["objective"])
        self.assertLessEqual(result["objective"], plain["objective"] * (1 + 1e-9))

    def test_one_sample(self):
        for form in (["--lambda0", 1], ["--k", 1]):
            result, _ = self.fit(self.write_rows(regression(1)), *form)
            self.assertEqual((result["n"], result["nonzeros"], result["gap"]), (1, 0, 0))
            self.assert_close(result["intercept"], regression(1)[0][-1])
            path = self.write_rows([[2, 0, -4, 4]], names=["a", "b", "c", "target"])
            plain, _ = self.fit(path, *form, "--lambda2", 0.5, "--no-intercept", "--no-standardize")
            self.assertEqual([c["index"] for c in plain["coefficients"]], [2])
            self.assert_close(plain["coefficients"][0]["value"], -16 / 17)
        self.assert_refused(3, "two classes", [path, "--loss", "logistic", "--lambda0", 1])

    def test_a_constant_target_needs_no_feature(self):
        for value in (7.5, 0.1, -1e30 / 3, 0):
            rows = [row[:-1] + [value] for row in regression()]
            for form in (["--lambda0", 1], ["--k", 2], ["--lambda0", 1, "--lambda2", 0]):
                result, _ = self.fit(self.write_rows(rows), *form)
                self.assertEqual((result["nonzeros"], result["intercept"]), (0, value))
                self.assertEqual((result["gap"], result["status"]), (0, "optimal"))

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

    def test_targets_beyond_reason_are_refused_or_right(self):
        """A unit change of y by c, with lambda0 by c^2, changes the coefficients by c."""
        rows = regression()
        expected, _ = self.fit(self.write_rows(rows), "--lambda0", 0.5, "--lambda2", 0.01)
        for factor in (1e300, 1e-300, 1e150, 1e-150, 1e29):
            path = self.write_rows([row[:-1] + [factor * row[-1]] for row in rows])
            if not 1e-60 < factor < 1e60:
                self.assert_refused(3, "y: the largest magnitude is", "between 1e-60 and 1e+60", "rescale",
                                    [path, "--lambda0", 0.5])
                continue
            found, _ = self.fit(path, "--lambda0", 0.5 * factor**2, "--lambda2", 0.01)
            self.assertEqual([c["index"] for c in found["coefficients"]], [1, 4])
            for f, c in zip(found["coefficients"], expected["coefficients"]):
                self.assert_close(f["value"] / factor, c["value"], 8)

    def test_columns_of_very_different_scales(self):
        plain, _ = self.fit(self.write_rows(regression()), "--lambda0", 0.5, "--lambda2", 0.01)
        for step in (22, 60):  # 1e-55 to 1e55, and 1e-150 to 1e150
            scales = [10.0 ** (step * (j - 2.5)) for j in range(6)]
            path = self.write_rows([[s * c for s, c in zip(scales, row)] + row[-1:] for row in regression()])
            if step == 60:
                self.assert_refused(3, "X: the largest magnitude in column ", "rescale the column",
                                    [path, "--lambda0", 0.5])
                continue
            result, _ = self.fit(path, "--lambda0", 0.5, "--lambda2", 0.01)
            self.assertEqual([c["index"] for c in result["coefficients"]], [1, 4])
            for f, c in zip(result["coefficients"], plain["coefficients"]):
                self.assert_close(f["value"] * scales[c["index"]], c["value"], 8)

    def test_denormals_are_numbers(self):
        def with_first(cell):
            return self.write_rows([[cell if i % 2 else row[0]] + row[1:] for i, row in enumerate(regression())])
        expected, _ = self.fit(with_first(0), "--lambda0", 0, "--lambda2", 0.01)
        for cell in (5e-324, -1e-310):
            self.assert_same_model(self.fit(with_first(cell), "--lambda0", 0, "--lambda2", 0.01)[0], expected, 12)
        alone = self.write_rows([[5e-324 * (i % 3)] + row[1:] for i, row in enumerate(regression())])
        self.assert_refused(3, "X: the largest magnitude in column 0 is 9.88131e-324", "rescale", [alone, "--k", 1])
        target = self.write_rows([row[:-1] + [5e-324 * (i % 3)] for i, row in enumerate(regression())])
        self.assert_refused(3, "y: the largest magnitude is 9.88131e-324", "rescale", [target, "--k", 1])


class Settings(ProgramTest):
    def test_lambdas_and_boxes_out_of_range_are_refused(self):
        data = self.write_rows(regression())
        for name in ("lambda0", "lambda1", "lambda2"):
            others = [] if name == "lambda0" else ["--lambda0", 1]
            for value in ("-1", "nan", "inf", "-inf"):
                self.assert_refused(2, f"{name}: value is {value}; expected 0 to 1e+60",
                                    [data, *others, f"--{name}={value}"])
        for value in ("nan", "inf", "0.5"):
            self.assert_refused(2, f"lower[0]: value is {value}; expected -inf to 0",
                                [data, "--lambda0", 1, f"--lower={value}"])
        for value in ("nan", "-inf", "-0.5"):
            self.assert_refused(2, f"upper[0]: value is {value}; expected 0 to inf",
                                [data, "--lambda0", 1, f"--upper={value}"])
        self.assert_refused(2, "lower[0]: value is 2; expected -inf to 0",
                            [data, "--lambda0", 1, "--lower", 2, "--upper", 1])
        self.assert_refused(2, "k: value is '9223372036854775808'", [data, "--k", 2**63])
        self.assert_refused(2, "k: value is 1; expected 2 to 6", [data, "--k", 1, "--always", "f0,f1"])

    def test_a_bound_that_binds_is_kept_exactly_and_noted(self):
        data = self.write_rows(regression())
        for bound in (1.5, 0.1, 1.3, 0.7, 1 / 3, 1.1, 0.9):
            for form in (["--lambda0", 0.5], ["--k", 3]):
                result, err = self.fit(data, *form, "--upper", bound, "--lower", -bound)
                values = {c["index"]: c["value"] for c in result["coefficients"]}
                self.assertEqual((values[1], values[4]), (bound, -bound))
                self.assertIn(f"note: feature 1 is at its bound, {bound}\n", err)
                self.assertIn(f"note: feature 4 is at its bound, {-bound}\n", err)
        _, err = self.fit(data, "--lambda0", 0.5, "--upper", 100, "--lower", -100)
        self.assertEqual(err, "")

    def test_a_gap_below_rounding_stops_at_the_floor_and_says_so(self):
        data = self.write_rows(regression())
        for gap in ("0", "1e-300", "1e-17"):
            arguments = (data, "--lambda0", 0, "--lambda2", 0.1, "--gap", gap)
            result, err = self.fit(*arguments)
            self.assertTrue(float(gap) < result["relative_gap"] < 1e-9)
            self.assertIn(f"note: gap: value is {gap}, below rounding; stopped at the floor, a relative gap of", err)
            self.assertIn("below rounding; stopped at the floor", self.run_program("fit", *arguments)[1])
        result, err = self.fit(data, "--lambda0", 0, "--lambda2", 0.1, "--gap", "1e-9")
        self.assertEqual((result["status"], err), ("optimal", ""))
        self.assert_refused(2, "gap: value is -1; expected 0 to 1", [data, "--lambda0", 1, "--gap", "-1"])


class Budget(ProgramTest):
    def test_k_counts_features(self):
        data = self.write_rows(regression())
        for k in (0, 1, 2, 6):
            result, _ = self.fit(data, "--k", k)
            self.assertEqual((result["k"], result["lambda0"]), (k, None))
            self.assertLessEqual(result["nonzeros"], k)

    def test_k_above_the_number_of_features_is_refused(self):
        self.assert_refused(2, "k: ", "7", "6", [self.write_rows(regression()), "--k", 7])


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
        for loss in ("logistic", "smoothed-hinge"):
            for low, high, part in ((1, 1, "values are 1;"), (0, 0, "values are 0;"), ("a", "a", "values are 'a';")):
                self.assert_refused(3, f"target: {part} expected two classes for {loss} loss",
                                    [self.write_rows(self.classes(low, high)), "--loss", loss, "--lambda0", 1])
        for labels in ((0, 1, 2), ("a", "b", "c")):
            rows = [row[:-1] + [labels[i % 3]] for i, row in enumerate(regression())]
            self.assert_refused(3, "two classes", [self.write_rows(rows), *arguments])

    def test_words_are_refused_by_squared_loss(self):
        self.assert_refused(3, "data.csv:2:", "column 'target' holds 'yes'; expected a finite number",
                            [self.write_rows(self.classes("no", "yes")), "--lambda0", 1])

    def test_perfect_separation_without_ridge_ends_with_a_warning(self):
        rows = [row[:-1] + [1 if row[1] > 0 else 0] for row in regression()]
        path = self.write_rows(rows)
        for loss in ("logistic", "smoothed-hinge"):
            for form in (["--lambda0", 0.1], ["--k", 2], ["--lambda0", 0], ["--k", 1, "--no-intercept"]):
                arguments = ["--loss", loss, "--lambda2", 0, *form]
                result, err = self.fit(path, *arguments, timeout=60)
                self.assertIn("separated perfectly", err)
                self.assertGreater(result["nonzeros"], 0)
                numbers = [c["value"] for c in result["coefficients"]] + [result["intercept"], result["objective"]]
                self.assertTrue(all(number is not None and math.isfinite(number) for number in numbers))
                self.assertLessEqual(result["lower_bound"], result["objective"])
            for held in (["--lambda2", 1], ["--lambda1", 0.1], ["--lower=-50", "--upper=50"]):
                others = [] if "--lambda2" in held else ["--lambda2", 0]
                _, err = self.fit(path, "--loss", loss, "--lambda0", 0.1, *others, *held)
                self.assertNotIn("separated", err)


if __name__ == "__main__":
    unittest.main()
