// The page of a report: what stands in the JSON block becomes sections, charts and a table that sorts.

const data = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");
const colours = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => `var(--c${k})`);
const figures = [];

function section(title, ...children) {
  page.append(h("section", {}, h("h2", {}, title), ...children));
}
function section_of_charts(title, intro, ...made) {
  figures.push(...made);
  section(title, intro ? h("p", {}, intro) : null, h("div", { class: "charts" }, made));
}
const note = (text) => h("p", { class: "note" }, text);
const count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

function summary() {
  const { summary: s } = data;
  document.getElementById("subtitle").textContent = s.subtitle;
  document.getElementById("footer").textContent = s.footer;
  const card = ([name, value, more]) => h("div", { class: "card" }, h("dt", {}, name), h("dd", {}, value, more ? h("small", {}, more) : null));
  page.append(h("dl", { class: "cards" }, s.cards.map(card)),
    h("div", { class: s.optimal ? "proof good" : "proof" }, s.proof.map((text) => h("p", {}, text))),
    h("details", {}, h("summary", {}, "Data and settings"), h("div", { class: "scroll" },
      h("table", {}, h("tbody", {}, s.settings.map(([name, value]) => h("tr", {}, h("td", {}, name), h("td", {}, value))))))));
}

/** The axis that all charts of the path share: lambda0 falls to the right, so that models grow to the right as with k. */
function path_axis(path) {
  const by_k = path.axis === "k";
  const whole = by_k && path.x.length <= 12 ? { ticks: path.x } : {};
  return { domain: extent(path.x), log: !by_k, falls: !by_k, pad: 0.02, ...whole,
    label: by_k ? "features allowed, k" : "lambda0 (logarithmic, falls to the right)" };
}

function coefficient_path(path) {
  const coloured = path.features.slice(0, 8), at = (f, i) => f.values[i] ?? 0;
  const legend = h("ul", { class: "legend" }, coloured.map((f, c) => h("li", {}, h("i", { style: `background:${colours[c]}` }), f.name)),
    path.features.length > 8 ? h("li", {}, h("i", { style: "background:var(--rule)" }), `${path.features.length - 8} more`) : null);
  return chart({
    title: "Coefficient path", wide: true, height: 360, legend,
    text: "Each line is a feature: what one standard deviation of it adds to the prediction, as the price of a feature falls." +
      (path.left_out ? ` The ${path.features.length} largest are drawn, ${path.left_out} smaller ones are not.` : ""),
    x: path_axis(path), y: { domain: extent([0, ...path.features.flatMap((f) => f.values)]), pad: 0.05, label: "standardised coefficient" },
    marks: (x, y, box) => [...path.features.map((f, c) => [f, c]).reverse().map(([f, c]) => {
      const line = stroke(path.x.map((v, i) => [x(v), y(at(f, i))]), c < 8 ? colours[c] : undefined, c < 8 ? "line" : "line dim");
      return titled(line, f.name);
    }), path.mark !== null ? upright(x(path.mark), box, "this model") : []],
  });
}

/** How many features the models have, above the chart. */
function sizes_above(path, x, box) {
  const shown = spaced(path.x, x, 44).map((v) => [v, path.nonzeros[path.x.indexOf(v)]]);
  return [svg("text", { class: "tick", x: box.left - 7, y: box.top - 8, "text-anchor": "end" }, "features"),
    ...shown.map(([v, size]) => svg("text", { class: "tick", x: x(v), y: box.top - 8, "text-anchor": "middle" }, size))];
}

function score_curve(path) {
  // A model that no fold could score has none.
  const models = path.score.map((score, i) => ({ i, x: path.x[i], score, error: path.error?.[i] ?? 0 })).filter((m) => m.score !== null);
  const domain = extent(models.flatMap((m) => [m.score - m.error, m.score + m.error]));
  const log = domain[0] > 0 && domain[1] > 20 * domain[0];
  const name = (m) => `${number(m.x)}: ${number(m.score)}${path.error ? ` ± ${number(m.error, 2)}` : ""}, ${count(path.nonzeros[m.i], "feature")}`;
  return chart({
    title: path.error ? "Cross-validation" : `Criterion: ${path.metric}`, wide: true, height: 340, top: 26, text: path.score_text,
    x: path_axis(path), y: { domain, log, pad: 0.06, label: path.metric },
    marks: (x, y, box) => {
      const edge = (side) => models.map((m) => [x(m.x), y(m.score + side * m.error)]);
      const same = path.best === path.chosen;
      return [sizes_above(path, x, box), path.error ? svg("path", { class: "band", d: `${path_of([...edge(1), ...edge(-1).reverse()])}Z` }) : [],
        stroke(edge(0), "var(--accent)"), models.map((m) => dot(x(m.x), y(m.score), name(m), "dot", m.i === path.chosen ? 5 : 2.5)),
        path.best === null ? [] : upright(x(path.x[path.best]), box, same ? "best, chosen" : "best"),
        same || path.chosen === null ? [] : upright(x(path.x[path.chosen]), box, path.rule === "1se" ? "chosen (1 SE)" : "chosen", 1)].flat();
    },
  });
}

/** Gaps on a logarithmic axis; one far below what counts as closed, or of 0, stands at its lower end. */
function gap_axis(gaps, wanted) {
  const known = gaps.filter((g) => g !== null && g > 0);
  const floor = Math.max(Math.min(...known, wanted > 0 ? wanted : 1e-4), (wanted > 0 ? wanted : 1e-6) / 100) / 3;
  return { axis: { domain: [100 * floor, 100 * Math.max(...known, 10 * floor)], log: true, pad: 0.05, label: "gap in %" }, at: (g) => 100 * Math.max(g, floor) };
}

function gap_along_path(path) {
  const { axis, at } = gap_axis(path.gap, data.allowed_gap);
  const certified = path.certified.filter(Boolean).length;
  return chart({
    title: "Gap along the path", wide: true, height: 260,
    text: `How far each model can be from the best of its kind at most. Full points are certified (gap at most ${percent(data.allowed_gap)}): ${certified} of ${path.x.length}.`,
    x: path_axis(path), y: axis,
    marks: (x, y, box) => [...path.gap.map((g, i) => g === null ? null :
      dot(x(path.x[i]), y(at(g)), `${number(path.x[i])}: ${percent(g)}, ${path.status[i]}`, path.certified[i] ? "dot good" : "dot open", 3.2)),
    ...(path.mark !== null ? upright(x(path.mark), box, "this model") : [])],
  });
}

function support_map(path) {
  const shown = path.features, row = 18, by_k = path.axis === "k", first = by_k ? path.x[0] : 1, last = first + path.x.length - 1;
  const peak = Math.max(...shown.flatMap((f) => f.values.map((v) => Math.abs(v ?? 0))), 1e-300);
  const short = (name) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);
  return chart({
    title: "Support map", wide: true, left: 128, top: 8, height: 8 + row * shown.length + 44,
    text: "Rows are features, columns are models. Blue adds, red subtracts, stronger is larger." +
      (path.chosen === null ? "" : " The frame is the chosen model.") +
      (path.left_out ? ` ${count(path.left_out, "feature")} with smaller coefficients left out.` : ""),
    x: { domain: [first - 0.5, last + 0.5], label: by_k ? "features allowed, k" : "number of the model, lambda0 falls",
      ticks: last - first < 12 ? path.x.map((_, i) => first + i) : undefined }, y: {},
    marks: (x, _, box) => {
      const width = x(2) - x(1);
      const cells = shown.flatMap((f, r) => [
        titled(svg("text", { x: box.left - 7, y: box.top + row * r + 13, "text-anchor": "end" }, short(f.name)), f.name),
        ...f.values.map((v, i) => v ? titled(svg("rect", { class: v > 0 ? "plus" : "minus", x: (x(first + i) - width / 2).toFixed(2), y: box.top + row * r + 1,
          width: Math.max(width - (width > 4 ? 1 : 0), 0.6).toFixed(2), height: row - 2, "fill-opacity": (0.3 + 0.7 * Math.sqrt(Math.abs(v) / peak)).toFixed(2) }),
        `${f.name} at ${number(path.x[i])}: ${number(v)}`) : null)]);
      const frame = path.chosen === null ? null : svg("rect", { class: "frame", x: x(first + path.chosen) - width / 2 - 1, y: box.top,
        width: width + 1, height: row * shown.length });
      return [...cells, frame].filter(Boolean);
    },
  });
}

/** Corners of a line that stays where it is until the next moment. */
const steps = (points) => points.flatMap(([t, v], i) => (i ? [[t, points[i - 1][1]], [t, v]] : [[t, v]]));

function course() {
  const moments = data.course, end = moments[moments.length - 1];
  const first = Math.max(moments[0].seconds, end.seconds / 1e5, 1e-4), log = end.seconds > 30 * first;
  const time = { domain: [first, end.seconds], log, pad: 0.02, label: log ? "seconds (logarithmic)" : "seconds" };
  const at_time = (x, m) => x(Math.max(m.seconds, first));
  const line = (key, list, x, y) => steps(list.filter((m) => m[key] !== null).map((m) => [at_time(x, m), y(m[key])]));
  const both = moments.filter((m) => m.objective !== null && m.lower_bound !== null)
    .map((m) => ({ ...m, gap: Math.max(m.objective - m.lower_bound, 0) / Math.max(Math.abs(m.objective), 1e-300) }));
  const { axis, at } = gap_axis(both.map((m) => m.gap), data.allowed_gap);
  const legend = h("ul", { class: "legend" }, h("li", {}, h("i", { style: "background:var(--c1)" }), "best solution"), h("li", {}, h("i", { style: "background:var(--c0)" }), "lower bound"));
  return [chart({
    title: "Solution and bound against time", legend, x: time,
    y: { domain: extent(moments.flatMap((m) => [m.objective, m.lower_bound])), pad: 0.06, label: "objective" },
    text: `No solution whatever lies below the bound. ${number(end.seconds, 3)} s, ${count(end.nodes, "node")} of the proof.`,
    marks: (x, y) => [svg("path", { class: "band", d: both.length ? `${path_of([...line("objective", both, x, y), ...line("lower_bound", both, x, y).reverse()])}Z` : "" }),
      stroke(line("objective", moments, x, y), "var(--c1)"), stroke(line("lower_bound", moments, x, y), "var(--c0)")],
  }), chart({
    title: "Gap against time", text: `The gap between the two, in percent of the objective; ${percent(data.allowed_gap)} counts as closed.`, x: time, y: axis,
    marks: (x, y, box) => [data.allowed_gap > 0 ? svg("path", { class: "mark", d: `M${box.left} ${y(100 * data.allowed_gap)}H${box.right}` }) : null,
      stroke(steps(both.map((m) => [at_time(x, m), y(at(m.gap))])), "var(--accent)"),
      ...both.map((m) => dot(at_time(x, m), y(at(m.gap)), `${number(m.seconds, 3)} s: ${percent(m.gap)}`, "dot", 2))],
  })];
}

const diagonal = (x, y, [low, high]) => svg("path", { class: "mark", d: path_of([[x(low), y(low)], [x(high), y(high)]]) });

function regression_charts(f) {
  const spread = Math.max(...extent(f.residual).map(Math.abs));
  const both = extent([...f.quantile, ...f.ordered]);
  return [chart({
    title: "Residuals against fitted values", text: `Observed less fitted. R² ${number(f.r_squared)}, root mean square ${number(f.rms)}.${f.text}`,
    x: { domain: extent(f.fitted), pad: 0.03, label: "fitted" }, y: { domain: [-spread, spread], pad: 0.05, label: "residual" },
    marks: (x, y, box) => [svg("path", { class: "mark", d: `M${box.left} ${y(0)}H${box.right}` }),
      ...f.fitted.map((u, i) => dot(x(u), y(f.residual[i]), `fitted ${number(u)}, residual ${number(f.residual[i])}`, "point"))],
  }), chart({
    title: "Normal quantiles of the residuals", text: "On the diagonal where residuals are normally distributed.",
    x: { domain: extent(f.quantile), pad: 0.03, label: "normal quantile" }, y: { domain: both, pad: 0.05, label: "residual / its standard deviation" },
    marks: (x, y) => [diagonal(x, y, extent(f.quantile)), ...f.quantile.map((q, i) => dot(x(q), y(f.ordered[i]), number(f.ordered[i]), "point"))],
  })];
}

function class_charts(f) {
  const unit = { domain: [0, 1], pad: 0.02 };
  const largest = f.calibration ? Math.max(...f.calibration.map((bin) => bin.count)) : 1;
  return [chart({
    title: "ROC curve", text: `Area under the curve ${number(f.auc)}, ${percent(f.accuracy)} of the samples in the right class.`,
    x: { ...unit, label: `share of ${f.classes[0]} taken for ${f.classes[1]}` }, y: { ...unit, label: `share of ${f.classes[1]} found` },
    marks: (x, y) => [svg("path", { class: "band", d: `${path_of([...f.roc.map(([a, b]) => [x(a), y(b)]), [x(1), y(0)], [x(0), y(0)]])}Z` }),
      diagonal(x, y, [0, 1]), stroke(f.roc.map(([a, b]) => [x(a), y(b)]), "var(--accent)")],
  }), f.calibration ? chart({
    title: "Calibration", text: "Samples in bins of predicted probability; larger points hold more of them. On the diagonal a probability means what it says.",
    x: { ...unit, label: `predicted probability of ${f.classes[1]}` }, y: { ...unit, label: "observed share" },
    marks: (x, y) => [diagonal(x, y, [0, 1]), ...f.calibration.map((bin) => dot(x(bin.predicted), y(bin.observed),
      `predicted ${number(bin.predicted, 3)}, observed ${number(bin.observed, 3)}, ${count(bin.count, "sample")}`, "point", 3 + 7 * Math.sqrt(bin.count / largest)))],
  }) : null].filter(Boolean);
}

/** Columns of the table: its key in the address, its head, the value it sorts by, the text of a cell. */
const columns = [
  ["name", "feature", (row) => row.name, (row) => row.name],
  ["value", "coefficient", (row) => row.value, (row) => number(row.value, 6)],
  ["standardised", "standardised", (row) => Math.abs(row.standardised), (row) => number(row.standardised)],
  ["verdict", "proved", (row) => row.verdict, (row) => row.verdict],
];

function feature_table() {
  const body = h("tbody"), heads = columns.map(([key, head]) => h("th", { scope: "col", "data-key": key }, h("button", { type: "button" }, head)));
  const order = (column, falls) => {
    const value = columns[column][2], text = new Intl.Collator("en", { numeric: true });
    const compare = (a, b) => (typeof value(a) === "string" ? text.compare(value(a), value(b)) : value(a) - value(b));
    const rows = [...data.features].sort((a, b) => (falls ? compare(b, a) : compare(a, b)));
    body.replaceChildren(...rows.map((row) => h("tr", {}, columns.map(([, , , cell], c) =>
      h("td", c === 3 && row.verdict === "in every optimum" ? { class: "always" } : {}, cell(row))))));
    heads.forEach((th, c) => th.setAttribute("aria-sort", c !== column ? "none" : falls ? "descending" : "ascending"));
  };
  heads.forEach((th, c) => th.firstChild.addEventListener("click", () => {
    const falls = th.getAttribute("aria-sort") === "none" ? c === 1 || c === 2 : th.getAttribute("aria-sort") === "ascending";
    order(c, falls);
    history.replaceState(null, "", `#sort=${columns[c][0]}${falls ? ",falls" : ""}`);
  }));
  // The order is part of the address, so that a link keeps it.
  const [key, falls] = (/^#sort=(.*)/.exec(location.hash)?.[1] ?? "standardised,falls").split(",");
  order(Math.max(columns.findIndex((column) => column[0] === key), 0), falls === "falls");
  return h("div", { class: "scroll" }, h("table", { id: "features" },
    h("caption", {}, "Coefficients in the units of the data; standardised: what one standard deviation of the feature adds. A click on a head sorts."),
    h("thead", {}, h("tr", {}, heads)), body));
}

function theme() {
  const button = document.getElementById("theme"), dark = matchMedia("(prefers-color-scheme: dark)"), words = ["auto", "light", "dark"];
  let chosen = 0;
  const apply = () => {
    document.documentElement.dataset.theme = chosen ? words[chosen] : dark.matches ? "dark" : "light";
    button.textContent = `Theme: ${words[chosen]}`;
  };
  button.addEventListener("click", () => (chosen = (chosen + 1) % 3, apply()));
  dark.addEventListener("change", apply);
  // Paper is light.
  addEventListener("beforeprint", () => (document.documentElement.dataset.theme = "light"));
  addEventListener("afterprint", apply);
  apply();
}

function draw_page() {
  theme();
  summary();
  const { path, fit } = data;
  if (path) {
    section_of_charts("The path", path.text, coefficient_path(path), ...(path.score ? [score_curve(path)] : []), gap_along_path(path), support_map(path));
  } else section("The path", note(data.path_absent));
  if (data.course.length > 1) section_of_charts("The proof", null, ...course());
  else section("The proof", note("The model does not say how the proof went."));
  section_of_charts("The fit", fit.intro, ...(fit.kind === "regression" ? regression_charts(fit) : class_charts(fit)));
  section("Features", data.features.length ? feature_table() : note("No feature is in the model."), data.features_text ? note(data.features_text) : null);
  const draw = () => figures.forEach((figure) => figure.draw());
  let width = 0;
  new ResizeObserver(() => page.clientWidth !== width && (width = page.clientWidth, draw())).observe(page);
  draw();
}

try {
  draw_page();
} catch (error) {
  page.append(h("p", { class: "failure", role: "alert" }, `This report could not be drawn: ${error}`));
  throw error;
}
