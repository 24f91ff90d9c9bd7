// Data from Python, borrowed: arrays, the parts of a CSC matrix and sources become a Dataset without a copy.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "ellzero/dataset.hpp"
#include "python/raised.hpp"

namespace ellzero::python {

namespace nb = nanobind;

/// Keeps hold of the arrays that `data` points into. Nothing of them is read here: types and shapes are checked first,
/// and the numbers by the library.
class Borrowed {
 public:
  /// X is a 2-D array, the tuple (rows, columns, indptr, indices, values) of compressed sparse columns, or a source as
  /// source.hpp takes it. Throws nb::type_error for another type, naming the argument.
  explicit Borrowed(nb::handle X);
  /// weights and offset may be None.
  Borrowed(nb::handle X, nb::handle y, nb::handle weights, nb::handle offset);

  Dataset data;
  Raised raised;  ///< by the user's code: it ends the calls of a source

 private:
  using Array = nb::ndarray<nb::ro, nb::device::cpu>;
  Array array(nb::handle object, const char* name, std::size_t dimensions);
  std::span<const double> column(nb::handle object, const char* name);
  Matrix dense(nb::handle object);
  Matrix sparse(const nb::tuple& parts);

  std::vector<Array> held_;
  std::unique_ptr<const FeatureSource> source_;
};

/// A numpy array that owns the values.
template <class T>
nb::object numpy_array(std::vector<T> values) {
  auto* const heap = new std::vector<T>(std::move(values));
  const nb::capsule owner(heap, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(heap->data(), {heap->size()}, owner));
}

}  // namespace ellzero::python
