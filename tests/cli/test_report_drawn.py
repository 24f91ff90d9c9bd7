"""`ellzero report` in a real browser: drawn without an error for every kind of model; skipped where there is none."""
import json
import os
import shutil
import subprocess
import unittest

from program import csv_text, regression
from test_report import DEMO, Outline, ReportTest

NAMES = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
BROWSER = os.environ.get("ELLZERO_BROWSER") or next((path for name in NAMES if (path := shutil.which(name))), None)
EVIL = "</script><b id=evil>"


@unittest.skipUnless(BROWSER, f"no browser; expected ELLZERO_BROWSER or one of {', '.join(NAMES)}")
class Drawn(ReportTest):
    def draw(self, data, *arguments, address="", extra=""):
        """The page as the browser has built it."""
        page = self.report(data, *arguments).replace("</body>", extra + "</body>")
        path = self.write("drawn.html", page)
        run = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
             f"--user-data-dir={self.folder / 'profile'}", "--virtual-time-budget=5000", "--dump-dom", path.as_uri() + address],
            capture_output=True, timeout=300, check=True)
        self.assertNotRegex(run.stderr.decode(errors="replace"), "Uncaught|Content Security Policy")
        outline = Outline(run.stdout.decode())
        self.assertEqual(outline.all("p", class_="failure"), [])
        self.assertNotIn("NaN", "".join(str(attributes) for tag, attributes, _ in outline.found if tag in ("path", "circle", "rect", "text")))
        return outline

    def charts(self, outline):
        titles = outline.all("h3")
        self.assertEqual(len(outline.all("svg", role="img")), len(titles))
        return titles

    def column(self, outline, column=0):
        """Of the table of features, the last one of the page."""
        cells = outline.all("td")[-4 * len(self.block((self.folder / "r.html").read_text())["features"]):]
        return cells[column::4]

    def test_regression_with_a_path(self):
        self.make(DEMO, "--lambda0", 1000, "--gap", 0.01, command="prove")
        outline = self.draw(DEMO, "--path")
        self.assertEqual(self.charts(outline), [
            "Coefficient path", "Gap along the path", "Support map", "Solution and bound against time", "Gap against time",
            "Residuals against fitted values", "Normal quantiles of the residuals"])
        self.assertEqual(len(outline.all("circle", class_="point")), 2 * 442)
        models = json.loads(self.run_program("path", DEMO, "--format", "json")[1])["models"]
        self.assertGreaterEqual(len(outline.all("rect")), sum(model["nonzeros"] for model in models))
        self.assertGreater(len(outline.all("circle", class_="dot good")), 0)

    def test_a_model_that_was_chosen_shows_its_scores(self):
        self.make(DEMO, "--grid-size", 12)
        outline = self.draw(DEMO)
        self.assertIn("Cross-validation", self.charts(outline))
        self.assertTrue(any("±" in text for text in outline.all("dd")))
        self.assertTrue({"chosen", "best, chosen"} & set(outline.all("text")))  # the best may be of another row
        self.make(DEMO, "--grid-size", 12, "--rule", "1se", "--lambda2", 0)
        self.assertLessEqual({"best", "chosen (1 SE)"}, set(self.draw(DEMO).all("text")))
        self.make(DEMO, "--grid-size", 12, "--select", "bic")
        self.assertIn("Criterion: bic", self.charts(self.draw(DEMO)))

    def test_classes(self):
        rows = [row[:-1] + ["yes" if row[-1] > 0.3 * (-1) ** i else "no"] for i, row in enumerate(regression(n=80))]
        data = self.write_rows(rows)
        for loss, charts in (("logistic", ["ROC curve", "Calibration"]), ("smoothed-hinge", ["ROC curve"])):
            self.make(data, "--loss", loss, "--lambda0", 1, "--lambda2", 0.1)
            outline = self.draw(data)
            self.assertEqual([title for title in self.charts(outline) if title in ("ROC curve", "Calibration")], charts)

    def test_an_empty_model_and_a_single_feature(self):
        self.make(DEMO, "--lambda0", 1e9)
        self.assertIn("No feature is in the model.", "".join(self.draw(DEMO).all("p", class_="note")))
        self.make(DEMO, "--k", 1, "--lambda2", 0.1)
        self.draw(DEMO, "--path")

    def test_names_stay_text(self):
        rows = regression()
        data = self.write("evil.csv", csv_text(["a", EVIL, "c", "d", "<img src=x>", "f", "target"], rows))
        self.make(data, "--lambda0", 0.5, "--lambda2", 0.01)
        outline = self.draw(data)
        self.assertEqual((outline.all("b"), outline.all("img")), ([], []))
        self.assertIn(EVIL, outline.all("td"))

    def test_the_table_sorts_by_its_address_and_by_a_click(self):
        self.make(DEMO, "--lambda0", 1000)
        by_name = self.column(self.draw(DEMO, address="#sort=name"))
        self.assertEqual(by_name, sorted(by_name))
        falling = self.column(self.draw(DEMO, address="#sort=name,falls"))
        self.assertEqual(falling, by_name[::-1])
        values = [float(v) for v in self.column(self.draw(DEMO, address="#sort=value"), 1)]
        self.assertEqual(values, sorted(values))
        click = "<script>document.querySelector('th[data-key=value] button').click()</script>"
        outline = self.draw(DEMO, extra=click)
        self.assertEqual([float(v) for v in self.column(outline, 1)], values[::-1])
        order = [have.get("aria-sort") for tag, have, _ in outline.found if tag == "th"]
        self.assertEqual(order, ["none", "descending", "none", "none"])

    def test_the_theme_can_be_chosen(self):
        self.make(DEMO, "--lambda0", 1000)
        click = "<script>const b = document.getElementById('theme'); b.click(); b.click();</script>"
        outline = self.draw(DEMO, extra=click)
        self.assertEqual([have.get("data-theme") for tag, have, _ in outline.found if tag == "html"], ["dark"])
        self.assertEqual(outline.all("button", id="theme"), ["Theme: dark"])


if __name__ == "__main__":
    unittest.main()
