// The border between a user's matrix and the solver: checks its structure, borrows what it can, copies once if not.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ellzero/dataset.hpp"

namespace ellzero::features {

/// `keep` lists the rows to keep, ascending; empty keeps all of them. Throws Error for what is not a matrix at all (no
/// rows or columns, sizes that overflow, indices out of range); the entries themselves are checked by
/// column_statistics().
std::shared_ptr<const FeatureSource> make_source(const Matrix& X, std::span<const Index> keep = {});

template <class T>
std::shared_ptr<const FeatureSource> dense_source(const DenseMatrix<T>& X, std::span<const Index> keep = {});

template <class T, class I>
std::shared_ptr<const FeatureSource> sparse_source(const SparseMatrix<T, I>& X, std::span<const Index> keep = {});

/// Some rows of a source that lives elsewhere: nothing is copied.
std::shared_ptr<const FeatureSource> masked_source(std::shared_ptr<const FeatureSource> whole,
                                                   std::span<const Index> keep);

// What the storages check alike.
[[noreturn]] void refuse(const std::string& message);
[[noreturn]] void refuse_entry(Index i, Index j, double x);
void check_shape(Index rows, Index cols, std::size_t element);
std::vector<Index> rows_or_all(std::span<const Index> keep, Index rows);

}  // namespace ellzero::features
