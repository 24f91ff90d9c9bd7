// The border between a user's matrix and our columns: checks its structure, borrows what it can, copies once if not.
#pragma once

#include <span>

#include "ellzero/dataset.hpp"
#include "features/columns.hpp"

namespace ellzero::features {

/// `keep` lists the rows to keep, in order; empty keeps all of them. Throws Error for what is not a matrix at all
/// (no rows or columns, sizes that overflow, indices out of range); the entries themselves are checked by
/// column_statistics().
template <class T>
DenseColumns<T> to_columns(const DenseMatrix<T>& X, std::span<const Index> keep = {});

template <class T, class I>
SparseColumns<T, I> to_columns(const SparseMatrix<T, I>& X, std::span<const Index> keep = {});

}  // namespace ellzero::features
