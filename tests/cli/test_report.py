"""`ellzero report`: one file that is whole, asks for nothing else, and says what the model says."""
import html.parser
import json
import re
import unittest

from program import ROOT, ProgramTest

DEMO = ROOT / "examples" / "diabetes.csv"
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Outline(html.parser.HTMLParser):
    """Elements of a page, its text by element, and end tags that close nothing."""

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.found = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes), []))
        if tag not in VOID:
            self.open.append(self.found[-1])

    def handle_endtag(self, tag):
        if self.open and self.open[-1][0] == tag:
            self.open.pop()
        else:
            self.wrong.append(tag)

    def handle_data(self, data):
        for _, _, text in self.open:
            text.append(data)

    def all(self, tag, **attributes):
        return [
            "".join(text) for found, have, text in self.found
            if found == tag and all(have.get(key.rstrip("_")) == value for key, value in attributes.items())
        ]


class ReportTest(ProgramTest):
    def make(self, data, *arguments, command="fit", code=0):
        found, _, err = self.run_program(command, data, *arguments, "-q", "-o", "m.json")
        self.assertEqual(found, code, err)

    def report(self, data, *arguments, code=0):
        """The page that was written."""
        found, out, err = self.run_program("report", "m.json", data, "-o", "r.html", *arguments)
        self.assertEqual(found, code, out + err)
        return (self.folder / "r.html").read_text() if code == 0 else err

    def block(self, page):
        return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script', page, re.DOTALL).group(1))


class Files(ReportTest):
    def test_the_page_is_whole_and_asks_for_nothing_else(self):
        self.make(DEMO, "--lambda0", 1000, command="prove")
        page = self.report(DEMO)
        outline = Outline(page)
        self.assertEqual((outline.wrong, outline.open), ([], []))
        self.assertTrue(page.startswith("<!doctype html>"))
        self.assertEqual(re.findall(r"https?:[^\"' ]*", page), ["http://www.w3.org/2000/svg"])  # a name, not an address
        for asks in ("src=", "url(", "@import", "fetch(", "XMLHttpRequest", "innerHTML"):
            self.assertNotIn(asks, page)
        self.assertIn("default-src 'none'", page)
        self.assertLess(len(page), 200_000)

    def test_numbers_are_those_of_the_model(self):
        self.make(DEMO, "--lambda0", 1000, command="prove")
        block, model = self.block(self.report(DEMO)), json.loads((self.folder / "m.json").read_text())
        shown = {row["name"]: row["value"] for row in block["features"] if row["value"]}
        self.assertEqual(shown, {c["feature"]: c["value"] for c in model["coefficients"]})
        self.assertEqual(len(block["course"]), len(model["course"]))
        self.assertGreater(len(block["course"]), 1)
        last = block["course"][-1]
        for key in ("objective", "lower_bound"):
            self.assertEqual(last[key], model["certificate"][key])
        self.assertIn("ptimal: no solution can be better by more than", block["summary"]["proof"][0])

    def test_the_course_never_crosses_and_its_time_never_falls(self):
        self.make(DEMO, "--lambda0", 1000, command="prove")
        course = json.loads((self.folder / "m.json").read_text())["course"]
        self.assertLessEqual(len(course), 200)
        self.assertEqual([m["seconds"] for m in course], sorted(m["seconds"] for m in course))
        for moment in course:
            if None not in (moment["objective"], moment["lower_bound"]):
                self.assertLessEqual(moment["lower_bound"], moment["objective"] * (1 + 1e-12))

    def test_other_data_is_refused_and_the_old_report_stays(self):
        self.make(DEMO, "--lambda0", 1000)
        self.report(DEMO)
        before = (self.folder / "r.html").read_bytes()
        rows = DEMO.read_text().splitlines()
        self.assertIn("has 441 rows", self.report(self.write("less.csv", "\n".join(rows[:-1]) + "\n"), code=5))
        self.assertIn("hash", self.report(self.write("other.csv", "\n".join(rows).replace("32.1", "32.2", 1) + "\n"), code=5))
        self.assertEqual((self.folder / "r.html").read_bytes(), before)

    def test_usage(self):
        self.make(DEMO, "--lambda0", 1000)
        for arguments, code, part in (
            ((), 2, "MODEL: is not set"), (("m.json",), 2, "DATA: is not set"),
            (("m.json", DEMO, "--pth"), 2, "did you mean '--path'?"), (("none.json", DEMO), 6, "none.json"),
            (("m.json", DEMO, "-o", "/nowhere/r.html"), 6, "/nowhere/r.html: cannot write"),
        ):
            found, out, err = self.run_program("report", *arguments)
            self.assertEqual((found, out), (code, ""), err)
            self.assertIn(part, err)

    def test_a_path_is_computed_when_asked_for(self):
        self.make(DEMO, "--lambda0", 1000)
        self.assertIsNone(self.block(self.report(DEMO))["path"])
        path = self.block(self.report(DEMO, "--path"))["path"]
        self.assertEqual(path["x"], sorted(path["x"], reverse=True))
        self.assertEqual(path["mark"], 1000)
        self.make(DEMO, "--k", 4, "--lambda2", 0.1)
        self.assertEqual(self.block(self.report(DEMO, "--path"))["path"]["x"], [0, 1, 2, 3, 4])


if __name__ == "__main__":
    unittest.main()
