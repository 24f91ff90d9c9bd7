// The borrowing of arrays.hpp: every type, shape and stride is looked at before a pointer is made of it.
#include "python/arrays.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "python/source.hpp"

namespace ellzero::python {
namespace {

[[noreturn]] void refuse_type(const char* name, const std::string& expected) {
  throw nb::type_error(fmt::format("{}: expected {}", name, expected).c_str());
}

template <class T>
const T* typed(const void* data) {
  return static_cast<const T*>(data);
}

}  // namespace

Borrowed::Borrowed(nb::handle X) {
  if (nb::isinstance<nb::tuple>(X)) {
    data.X = sparse(nb::borrow<nb::tuple>(X));
  } else if (nb::hasattr(X, "columns")) {
    source_ = called_source(X, raised);
    data.X = source_.get();
  } else {
    data.X = dense(X);
  }
}

Borrowed::Borrowed(nb::handle X, nb::handle y, nb::handle weights, nb::handle offset) : Borrowed(X) {
  data.y = column(y, "y");
  if (!weights.is_none()) data.weights = column(weights, "weights");
  if (!offset.is_none()) data.offset = column(offset, "offset");
  if (!weights.is_none() && data.weights.empty() && !data.y.empty())  // empty would mean none
    throw Error(ErrorCode::Data, fmt::format("weights: length is 0; expected {}", data.y.size()));
  if (!offset.is_none() && data.offset.empty() && !data.y.empty())
    throw Error(ErrorCode::Data, fmt::format("offset: length is 0; expected {}", data.y.size()));
}

Borrowed::Array Borrowed::array(nb::handle object, const char* name, std::size_t dimensions) {
  Array found;
  if (!nb::try_cast(object, found)) refuse_type(name, "a numpy array");
  if (found.ndim() != dimensions) {
    const auto message = fmt::format("{}: has {} dimensions; expected {}", name, found.ndim(), dimensions);
    throw Error(ErrorCode::Data, message);
  }
  held_.push_back(found);
  return found;
}

std::span<const double> Borrowed::column(nb::handle object, const char* name) {
  const Array found = array(object, name, 1);
  if (found.dtype() != nb::dtype<double>() || (found.shape(0) > 1 && found.stride(0) != 1))
    refuse_type(name, "a contiguous array of float64");
  return {typed<double>(found.data()), found.shape(0)};
}

Matrix Borrowed::dense(nb::handle object) {
  const Array found = array(object, "X", 2);
  const auto fill = [&]<class T>(const T* values) {
    return DenseMatrix<T>{values, static_cast<Index>(found.shape(0)), static_cast<Index>(found.shape(1)),
                          found.stride(0), found.stride(1)};
  };
  if (found.dtype() == nb::dtype<double>()) return fill(typed<double>(found.data()));
  if (found.dtype() == nb::dtype<float>()) return fill(typed<float>(found.data()));
  refuse_type("X", "an array of float64 or float32");
}

Matrix Borrowed::sparse(const nb::tuple& parts) {
  if (parts.size() != 5) refuse_type("X", "an array, or rows, columns, indptr, indices and values");
  const auto rows = nb::cast<Index>(parts[0]);
  const auto cols = nb::cast<Index>(parts[1]);
  const Array indptr = array(parts[2], "X.indptr", 1);
  const Array indices = array(parts[3], "X.indices", 1);
  const Array values = array(parts[4], "X.data", 1);
  for (const Array& part : {indptr, indices, values})
    if (part.shape(0) > 1 && part.stride(0) != 1) refuse_type("X", "contiguous arrays in a sparse matrix");
  const auto fill = [&]<class T, class I>(const T* entries, const I* pointers) {
    return SparseMatrix<T, I>{rows,
                              cols,
                              {pointers, indptr.shape(0)},
                              {typed<I>(indices.data()), indices.shape(0)},
                              {entries, values.shape(0)}};
  };
  const auto with_index = [&]<class T>(const T* entries) -> Matrix {
    if (indptr.dtype() != indices.dtype()) refuse_type("X", "indptr and indices of one type");
    if (indptr.dtype() == nb::dtype<std::int32_t>()) return fill(entries, typed<std::int32_t>(indptr.data()));
    if (indptr.dtype() == nb::dtype<std::int64_t>()) return fill(entries, typed<std::int64_t>(indptr.data()));
    refuse_type("X", "indices of int32 or int64");
  };
  if (values.dtype() == nb::dtype<double>()) return with_index(typed<double>(values.data()));
  if (values.dtype() == nb::dtype<float>()) return with_index(typed<float>(values.data()));
  refuse_type("X", "values of float64 or float32");
}

}  // namespace ellzero::python
