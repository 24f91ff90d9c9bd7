// The extension module ellzero._core: the public face of the library, over borrowed arrays and without Python's lock.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "ellzero/ellzero.hpp"
#include "io/model/fingerprint.hpp"
#include "io/proof/proof_file.hpp"
#include "io/proof/settle_proof.hpp"
#include "python/arrays.hpp"
#include "python/results.hpp"
#include "python/settings.hpp"
#include "python/watcher.hpp"

namespace ellzero::python {
namespace {

/// solve(data, settings, observer) without Python's lock, its answer for Python.
template <class Solve>
auto run(nb::handle X, nb::handle y, nb::handle weights, nb::handle offset, const nb::dict& values, nb::handle callback,
         Solve&& solve) {
  Borrowed borrowed(X, y, weights, offset);
  const Settings settings = settings_from(values);
  Watcher watcher(callback, borrowed.raised);
  auto found = [&] {
    const nb::gil_scoped_release unlocked;
    return solve(borrowed.data, settings, watcher);
  }();
  return to_python(std::move(found));
}

nb::dict run_fit(nb::handle X, nb::handle y, nb::handle weights, nb::handle offset, const nb::dict& settings,
                 nb::handle callback) {
  return run(X, y, weights, offset, settings, callback,
             [](const auto& data, const auto& chosen, auto& watcher) { return fit(data, chosen, &watcher); });
}

nb::tuple run_path(nb::handle X, nb::handle y, nb::handle weights, nb::handle offset, const nb::dict& settings,
                   nb::handle callback) {
  return run(X, y, weights, offset, settings, callback,
             [](const auto& data, const auto& chosen, auto& watcher) { return path(data, chosen, &watcher); });
}

/// `splits`: pairs of lists of rows, to fit to and to judge by.
nb::dict run_choose(nb::handle X, nb::handle y, nb::handle weights, nb::handle offset, const nb::dict& settings,
                    nb::handle callback, const std::vector<std::pair<std::vector<Index>, std::vector<Index>>>& splits) {
  std::vector<Split> owned;
  owned.reserve(splits.size());
  for (const auto& [train, test] : splits) owned.push_back({train, test});
  return run(X, y, weights, offset, settings, callback, [&](const auto& data, const auto& chosen, auto& watcher) {
    Dataset split = data;
    split.splits = owned;
    return choose(split, chosen, &watcher);
  });
}

nb::dict run_prove(nb::handle X, nb::handle y, nb::handle weights, nb::handle offset, const nb::dict& settings,
                   nb::handle callback, const std::optional<std::string>& proof) {
  return run(X, y, weights, offset, settings, callback, [&](const auto& data, const auto& chosen, auto& watcher) {
    if (!proof) return prove(data, chosen, &watcher);
    const auto mark = io::model::fingerprint(data);
    io::proof::ProofWriter writer(*proof, mark);
    auto result = prove(data, chosen, &watcher, &writer);
    writer.finish(result.objective, result.lower_bound);
    io::proof::settle_proof(*proof, mark, data, settings_of(result, chosen), result);
    return result;
  });
}

nb::dict run_prove_chosen(nb::handle X, nb::handle y, nb::handle weights, nb::handle offset, const nb::dict& settings,
                          nb::handle callback, const nb::dict& model) {
  return run(X, y, weights, offset, settings, callback,
             [known = from_python(model)](const auto& data, const auto& chosen, auto& watcher) {
               return prove_chosen(data, chosen, known, &watcher);
             });
}

nb::tuple run_every_k(nb::handle X, nb::handle y, nb::handle weights, nb::handle offset, const nb::dict& settings,
                      nb::handle callback) {
  return run(X, y, weights, offset, settings, callback, [](const auto& data, const auto& chosen, auto& watcher) {
    Path found{every_k(data, chosen, &watcher)};
    for (const Result& model : found.models) found.status = std::max(found.status, model.status);
    return found;
  });
}

nb::dict run_pool(nb::handle X, nb::handle y, nb::handle weights, nb::handle offset, const nb::dict& settings,
                  nb::handle callback, double margin, Index size) {
  return run(X, y, weights, offset, settings, callback, [&](const auto& data, const auto& chosen, auto& watcher) {
    return pool(data, chosen, {margin, size}, &watcher);
  });
}

struct Verified {
  double objective = 0;
  double lower_bound = 0;
  std::optional<Index> nodes, points;
  std::vector<int> verdicts;  // that are proved, by feature
};

Verified verify(const Dataset& data, const Settings& settings, const Claim& claim,
                const std::optional<std::string>& proof) {
  Verified found;
  found.objective = verify_objective(data, settings, claim);
  ProofCheck check(data, settings);
  if (proof) io::proof::check_proof(*proof, io::model::fingerprint(data), claim, check);
  else check.on_claim(claim);
  found.lower_bound = check.lower_bound();
  if (proof) {
    found.nodes = check.nodes();
    found.points = check.points();
  }
  const Index p = shape(data.X).cols;
  for (Index j = 0; j < p; ++j) found.verdicts.push_back(static_cast<int>(check.verdict(j, found.objective)));
  return found;
}

nb::dict run_verify(nb::handle X, nb::handle y, nb::handle weights, nb::handle offset, const nb::dict& settings,
                    const nb::dict& claimed, const std::optional<std::string>& proof) {
  const Borrowed borrowed(X, y, weights, offset);
  const Settings chosen = settings_from(settings);
  const Result result = from_python(claimed);
  const Claim claim = claim_of(result);
  const Verified found = [&] {
    const nb::gil_scoped_release unlocked;
    return verify(borrowed.data, chosen, claim, proof);
  }();
  nb::dict out;
  out["objective"] = found.objective;
  out["lower_bound"] = found.lower_bound;
  out["nodes"] = found.nodes;
  out["points"] = found.points;
  out["verdict_codes"] = found.verdicts;
  return out;
}

nb::object run_predict(nb::handle X, const nb::dict& model) {
  const Borrowed borrowed(X);
  const Result result = from_python(model);
  auto predictor = [&] {
    const nb::gil_scoped_release unlocked;
    return predict(borrowed.data.X, {}, result.intercept, result.support, result.coefficients);
  }();
  return numpy_array(std::move(predictor));
}

/// Bad input is a ValueError, whatever the library calls it.
PyObject* exception_of(ErrorCode code, PyObject* numerical) {
  switch (code) {
    case ErrorCode::Usage:
    case ErrorCode::Data:
      return PyExc_ValueError;
    case ErrorCode::Numerical:
      return numerical;
    case ErrorCode::InputOutput:
      return PyExc_OSError;
  }
  return PyExc_RuntimeError;
}

/// Messages begin with the name of an argument, and some have another one here.
std::string in_python_words(const std::string& message) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"weights", "sample_weight"}, {"pool_size:", "size:"}, {"pool:", "margin:"}};
  for (const auto& [ours, pythons] : names)
    if (message.starts_with(ours)) return std::string(pythons) + message.substr(ours.size());
  return message;
}

}  // namespace
}  // namespace ellzero::python

// NOLINTNEXTLINE: the macro is nanobind's
NB_MODULE(_core, module) {
  namespace nb = nanobind;
  using namespace nb::literals;
  using namespace ellzero::python;
  const nb::object numerical = nb::steal(
      PyErr_NewExceptionWithDoc("ellzero.NumericalError", "Numbers out of range, or a claim that does not hold.",
                                PyExc_ArithmeticError, nullptr));
  module.attr("NumericalError") = numerical;
  nb::register_exception_translator(
      [](const std::exception_ptr& caught, void* payload) {
        try {
          std::rethrow_exception(caught);
        } catch (const ellzero::Error& error) {
          PyErr_SetString(exception_of(error.code(), static_cast<PyObject*>(payload)),
                          in_python_words(error.what()).c_str());
        }
      },
      numerical.ptr());
  module.attr("version") = ellzero::version;
  nb::list statuses;
  for (int status = 0; status <= static_cast<int>(ellzero::Status::Interrupted); ++status)
    statuses.append(to_string(static_cast<ellzero::Status>(status)));
  module.attr("statuses") = nb::tuple(statuses);
  module.def("settings_table", &table_rows);
  module.def("refuse_idle", &refuse_idle, "settings"_a, "walks"_a, "proves"_a);
  const auto define = [&](const char* name, auto function) {
    module.def(name, function, "X"_a, "y"_a, "weights"_a.none(), "offset"_a.none(), "settings"_a, "callback"_a.none());
  };
  define("fit", &run_fit);
  define("path", &run_path);
  module.def("choose", &run_choose, "X"_a, "y"_a, "weights"_a.none(), "offset"_a.none(), "settings"_a,
             "callback"_a.none(), "splits"_a);
  define("every_k", &run_every_k);
  module.def("prove", &run_prove, "X"_a, "y"_a, "weights"_a.none(), "offset"_a.none(), "settings"_a,
             "callback"_a.none(), "proof"_a.none());
  module.def("prove_chosen", &run_prove_chosen, "X"_a, "y"_a, "weights"_a.none(), "offset"_a.none(), "settings"_a,
             "callback"_a.none(), "model"_a);
  module.def("pool", &run_pool, "X"_a, "y"_a, "weights"_a.none(), "offset"_a.none(), "settings"_a, "callback"_a.none(),
             "margin"_a, "size"_a);
  module.def("verify", &run_verify, "X"_a, "y"_a, "weights"_a.none(), "offset"_a.none(), "settings"_a, "claim"_a,
             "proof"_a.none());
  module.def("predict", &run_predict, "X"_a, "model"_a);
}
