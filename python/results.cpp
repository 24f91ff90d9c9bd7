// The dictionaries of results.hpp, key by key as the classes of the Python package take them.
#include "python/results.hpp"

#include <cstdint>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "python/arrays.hpp"

namespace ellzero::python {

nb::dict to_python(Result result) {
  std::vector<std::uint8_t> verdicts;
  verdicts.reserve(result.verdicts.size());
  for (const Verdict verdict : result.verdicts) verdicts.push_back(static_cast<std::uint8_t>(verdict));
  nb::dict out;
  out["status"] = to_string(result.status);
  out["objective"] = result.objective;
  out["lower_bound"] = result.lower_bound;
  out["gap"] = result.gap;
  out["relative_gap"] = result.relative_gap;
  out["intercept"] = result.intercept;
  out["support"] = numpy_array(std::move(result.support));
  out["coefficients"] = numpy_array(std::move(result.coefficients));
  out["relax"] = result.relax;
  out["penalised"] = nb::none();
  if (result.penalised)
    out["penalised"] =
        nb::make_tuple(result.penalised->intercept, numpy_array(std::move(result.penalised->coefficients)));
  out["verdict_codes"] = numpy_array(std::move(verdicts));
  out["k"] = result.k;
  out["lambda0"] = result.lambda0;
  out["lambda1"] = result.lambda1;
  out["lambda2"] = result.lambda2;
  out["loss"] = result.loss;
  out["n"] = result.n;
  out["p"] = result.p;
  out["seconds"] = result.seconds;
  out["sweeps"] = result.sweeps;
  out["iterations"] = result.iterations;
  out["nodes"] = result.nodes;
  out["threads"] = result.threads;
  out["notes"] = nb::tuple(nb::cast(result.notes));
  out["selection"] = nb::none();
  if (result.selection != nullptr) out["selection"] = to_python(Selection(*result.selection));
  return out;
}

nb::tuple to_python(Path path) {
  nb::list models;
  for (Result& model : path.models) models.append(to_python(std::move(model)));
  return nb::make_tuple(models, to_string(path.status));
}

nb::dict to_python(Selection selection) {
  nb::dict out;
  out["path"] = to_python(std::move(selection.path));
  out["by"] = selection.by;
  out["metric"] = selection.metric;
  out["score"] = numpy_array(std::move(selection.score));
  out["standard_error"] = numpy_array(std::move(selection.standard_error));
  out["relax"] = numpy_array(std::move(selection.relax));
  out["best"] = selection.best;
  out["one_error"] = selection.one_error;
  out["as_good"] = selection.as_good;
  out["repeats"] = selection.repeats;
  out["folds"] = selection.fold_count;
  out["least"] = selection.least;
  out["proved"] = selection.proved;
  out["chosen"] = selection.chosen;
  out["status"] = to_string(selection.status);
  return out;
}

nb::dict to_python(Pool pool) {
  nb::dict out;
  out["path"] = to_python(Path{std::move(pool.models), pool.status});
  out["complete"] = pool.complete;
  out["cut"] = pool.cut;
  out["beyond"] = pool.beyond;
  return out;
}

Result from_python(const nb::dict& values) {
  const auto list = [&]<class T>(const nb::handle& given, std::vector<T>& into) {
    const auto array = nb::cast<nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(given);
    into.assign(array.data(), array.data() + array.size());
  };
  Result result;
  result.objective = nb::cast<double>(values["objective"]);
  result.lower_bound = nb::cast<double>(values["lower_bound"]);
  result.intercept = nb::cast<double>(values["intercept"]);
  list(values["support"], result.support);
  list(values["coefficients"], result.coefficients);
  result.relax = nb::cast<double>(values["relax"]);
  if (const nb::object penalised = values["penalised"]; !penalised.is_none())
    list(penalised[1], result.penalised.emplace(Penalised{nb::cast<double>(penalised[0]), {}}).coefficients);
  result.k = nb::cast<std::optional<Index>>(values["k"]);
  result.lambda0 = nb::cast<std::optional<double>>(values["lambda0"]);
  result.lambda1 = nb::cast<double>(values["lambda1"]);
  result.lambda2 = nb::cast<double>(values["lambda2"]);
  return result;
}

}  // namespace ellzero::python
