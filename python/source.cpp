// The calls of source.hpp: every answer is looked at before a pointer is made of it.
#include "python/source.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/string.h>

#include "python/arrays.hpp"

namespace ellzero::python {
namespace {

using Array = nb::ndarray<nb::ro, nb::device::cpu>;

std::string type_of(nb::handle answer) {
  auto name = nb::cast<std::string>(answer.type().attr("__name__"));
  if (!nb::hasattr(answer, "dtype")) return name;
  const nb::object dtype = answer.attr("dtype");
  return fmt::format("{} of {}", name, nb::cast<std::string>(nb::str(nb::handle(dtype))));
}

/// Not an Error of the library, which says of those what part of a proof they are in.
[[noreturn]] void refuse(const std::string& message) { throw nb::value_error(message.c_str()); }

/// What `method` has answered: an array of this shape, of float64 or else, where that is allowed, of float32.
Array checked(const char* method, nb::handle answer, const std::vector<std::size_t>& shape, bool may_be_float32) {
  Array found;
  const bool is_array = nb::try_cast(answer, found);
  if (!is_array || (found.dtype() != nb::dtype<double>() && !(may_be_float32 && found.dtype() == nb::dtype<float>())))
    refuse(fmt::format("{}: type is {}; expected a numpy array of float64{}, aligned", method, type_of(answer),
                       may_be_float32 ? " or float32" : ""));
  std::vector<std::size_t> has;
  for (std::size_t axis = 0; axis < found.ndim(); ++axis) has.push_back(found.shape(axis));
  if (has != shape)
    refuse(fmt::format("{}: shape is ({}); expected ({})", method, fmt::join(has, ", "), fmt::join(shape, ", ")));
  return found;
}

template <class T>
DenseMatrix<T> matrix_of(const Array& array) {
  const auto rows = static_cast<Index>(array.shape(0)), cols = static_cast<Index>(array.shape(1));
  // numpy may say anything of the stride of an axis that has one place.
  const Index row_stride = rows == 1 ? 1 : array.stride(0), col_stride = cols == 1 ? rows : array.stride(1);
  return {static_cast<const T*>(array.data()), rows, cols, row_stride, col_stride};
}

nb::object indices_of(std::span<const Index> columns) {
  return numpy_array(std::vector<Index>(columns.begin(), columns.end()));
}

/// call() with Python's lock, unless the user's code has raised before. A handler of signals may raise as well; it runs
/// on Python's main thread only.
template <class Call>
auto with_python(Raised& raised, Call&& call) {
  raised.rethrow_if_any();
  return raised.watch([&] {
    const nb::gil_scoped_acquire lock;
    auto answer = call();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return answer;
  });
}

}  // namespace

CalledColumns::CalledColumns(nb::handle source, Raised& raised)
    : rows_(nb::cast<Index>(source.attr("rows"))),
      cols_(nb::cast<Index>(source.attr("cols"))),
      block_(nb::cast<Index>(source.attr("block"))),
      columns_(source.attr("columns")),
      raised_(raised) {}

ColumnSource::Lent CalledColumns::lend(std::span<const Index> columns) const {
  return with_python(raised_, [&]() -> Lent {
    const nb::object answer = columns_(indices_of(columns));
    const Array array = checked("columns()", answer, {static_cast<std::size_t>(rows_), columns.size()}, true);
    const auto give_back = [](const Array* lent) {
      const nb::gil_scoped_acquire lock;
      delete lent;
    };
    const std::shared_ptr<const Array> owner(new Array(array), give_back);
    if (array.dtype() == nb::dtype<double>()) return {matrix_of<double>(array), owner};
    return {matrix_of<float>(array), owner};
  });
}

CalledSweep::CalledSweep(nb::handle source, Raised& raised)
    : columns_(source, raised), sweep_(source.attr("sweep")), raised_(raised) {
  constexpr double to_spare = 8 * std::numeric_limits<double>::epsilon() / 2;  // as FeatureSource::dot_error() says
  dot_error_ = std::max(columns_.dot_error(), nb::cast<double>(source.attr("dot_error")) + to_spare);
}

void CalledSweep::sweep(std::span<const Index> columns, std::span<const double> v, std::span<double> out) const {
  with_python(raised_, [&] {
    const nb::object answer = sweep_(indices_of(columns), numpy_array(std::vector<double>(v.begin(), v.end())));
    const Array array = checked("sweep()", answer, {columns.size()}, false);
    const auto* const products = static_cast<const double*>(array.data());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      out[c] = products[static_cast<Index>(c) * array.stride(0)];
      if (!std::isfinite(out[c]))
        refuse(fmt::format("sweep(): the product of column {} is {}; expected a finite number", columns[c], out[c]));
    }
    return true;
  });
}

std::unique_ptr<const FeatureSource> called_source(nb::handle source, Raised& raised) {
  if (source.attr("sweep").is_none()) return std::make_unique<CalledColumns>(source, raised);
  return std::make_unique<CalledSweep>(source, raised);
}

}  // namespace ellzero::python
