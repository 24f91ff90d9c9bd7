// The formats of write_table.hpp, each from rows or columns of any kind of matrix.
#include "io/table/write_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ellzero/error.hpp"
#include "io/bytes/packed_file.hpp"
#include "io/letters.hpp"
#include "io/refusal.hpp"
#include "io/table/data_file.hpp"

namespace ellzero::io::table {
namespace {

/// Text on its way to a file, in large pieces.
class Sink {
 public:
  explicit Sink(const std::string& path) : file_(path) {}
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    pass_on(1 << 16);
  }
  void add_bytes(double number) {
    static_assert(std::endian::native == std::endian::little, ".npy is written as it lies in memory");
    text_.append(reinterpret_cast<const char*>(&number), sizeof number);
    pass_on(1 << 16);
  }
  /// All bytes are in the file, which has no name yet.
  void finish() {
    pass_on(0);
    file_.finish();
  }
  void commit() { file_.commit(); }

 private:
  void pass_on(std::size_t size) {
    if (text_.size() < size) return;
    file_.write(text_);
    text_.clear();
  }
  bytes::PackedFile file_;
  std::string text_;
};

/// What one conversion writes: either all files get their names or, where one cannot be written, none does.
class Sinks {
 public:
  Sink& add(const std::string& path) { return files_.emplace_back(path); }
  void commit() {
    for (Sink& file : files_) file.finish();
    for (Sink& file : files_) file.commit();
  }

 private:
  std::deque<Sink> files_;
};

/// The rows of a matrix, one after the other: see(j, value) for the entries that are stored.
template <class T>
class RowsOf;

template <class T>
class RowsOf<DenseMatrix<T>> {
 public:
  explicit RowsOf(const DenseMatrix<T>& X) : matrix_(X) {}
  template <class See>
  void row(Index i, See see) const {
    for (Index j = 0; j < matrix_.cols; ++j)
      see(j, static_cast<double>(matrix_.data[i * matrix_.row_stride + j * matrix_.col_stride]));
  }

 private:
  DenseMatrix<T> matrix_;
};

/// Sparse columns are turned into rows first.
template <class T, class I>
class RowsOf<SparseMatrix<T, I>> {
 public:
  explicit RowsOf(const SparseMatrix<T, I>& X) : starts_(static_cast<std::size_t>(X.rows) + 1) {
    for (const I i : X.indices) ++starts_[static_cast<std::size_t>(i) + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    auto next = starts_;
    columns_.resize(X.indices.size());
    values_.resize(X.indices.size());
    for (Index j = 0; j < X.cols; ++j)
      for (I e = X.indptr[j]; e < X.indptr[j + 1]; ++e) {
        const std::size_t to = next[static_cast<std::size_t>(X.indices[e])]++;
        columns_[to] = static_cast<I>(j);
        values_[to] = static_cast<double>(X.values[e]);
      }
  }
  template <class See>
  void row(Index i, See see) const {
    for (std::size_t e = starts_[static_cast<std::size_t>(i)]; e < starts_[static_cast<std::size_t>(i) + 1]; ++e)
      see(static_cast<Index>(columns_[e]), values_[e]);
  }

 private:
  std::vector<std::size_t> starts_;
  std::vector<I> columns_;
  std::vector<double> values_;
};

template <class T>
constexpr bool is_sparse = false;
template <class T, class I>
constexpr bool is_sparse<SparseMatrix<T, I>> = true;

/// Column by column, zeros that are not stored among them.
template <class Matrix, class See>
void for_each_number(const Matrix& X, See see) {
  if constexpr (is_sparse<Matrix>) {
    std::vector<double> column(static_cast<std::size_t>(X.rows));
    for (Index j = 0; j < X.cols; ++j) {
      std::fill(column.begin(), column.end(), 0.0);
      for (auto e = X.indptr[j]; e < X.indptr[j + 1]; ++e)
        column[static_cast<std::size_t>(X.indices[e])] = static_cast<double>(X.values[e]);
      for (const double value : column) see(value);
    }
  } else {
    for (Index j = 0; j < X.cols; ++j)
      for (Index i = 0; i < X.rows; ++i) see(static_cast<double>(X.data[i * X.row_stride + j * X.col_stride]));
  }
}

/// A name or word as a cell: in quotes where it would be read as something else.
std::string cell(const std::string& text, char separator) {
  const bool plain = !text.empty() && text.find_first_of("\"\r\n") == std::string::npos &&
                     text.find(separator) == std::string::npos && text.front() != ' ' && text.back() != ' ';
  if (plain) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

template <class Matrix>
void write_csv(Sink& out, const Table& table, const Matrix& X, char separator) {
  for (Index j = 0; j < X.cols; ++j) out.add("{}{}", cell(table.name(j), separator), separator);
  if (!table.weights.empty()) out.add("{}{}", cell(table.weights_name, separator), separator);
  if (!table.offset.empty()) out.add("{}{}", cell(table.offset_name, separator), separator);
  out.add("{}\n", cell(table.target_name, separator));
  const RowsOf<Matrix> rows(X);
  for (Index i = 0; i < X.rows; ++i) {
    Index next = 0;
    const auto zeros_until = [&](Index j) {
      for (; next < j; ++next) out.add("0{}", separator);
    };
    rows.row(i, [&](Index j, double value) {
      zeros_until(j);
      out.add("{}{}", value, separator);
      next = j + 1;
    });
    zeros_until(X.cols);
    const auto at = static_cast<std::size_t>(i);
    if (!table.weights.empty()) out.add("{}{}", table.weights[at], separator);
    if (!table.offset.empty()) out.add("{}{}", table.offset[at], separator);
    if (table.classes.empty()) out.add("{}\n", table.y[at]);
    else out.add("{}\n", cell(table.classes[static_cast<std::size_t>(table.y[at])], separator));
  }
}

template <class Matrix>
void write_libsvm(Sink& out, const Table& table, const Matrix& X) {
  const RowsOf<Matrix> rows(X);
  bool last_is_there = false;  // else the number of columns is lost
  for (Index i = 0; i < X.rows; ++i) {
    out.add("{}", table.y[static_cast<std::size_t>(i)]);
    rows.row(i, [&](Index j, double value) {
      if (value == 0) return;
      out.add(" {}:{}", j + 1, value);
      last_is_there = last_is_there || j + 1 == X.cols;
    });
    if (i + 1 == X.rows && !last_is_there) out.add(" {}:0", X.cols);
    out.add("\n");
  }
}

void start_npy(Sink& out, Index rows, const std::string& cols) {
  constexpr std::size_t block = 64;
  std::string dict = fmt::format("{{'descr': '<f8', 'fortran_order': True, 'shape': ({},{}), }}", rows, cols);
  dict.append(block - (dict.size() + 11) % block, ' ');
  dict += '\n';
  out.add("{}", std::string_view("\x93NUMPY\x01\x00", 8));
  out.add("{}{}{}", static_cast<char>(dict.size() % 256), static_cast<char>(dict.size() / 256), dict);
}

void write_vector(Sink& out, bool npy, std::span<const double> values) {
  if (npy) {
    start_npy(out, static_cast<Index>(values.size()), "");
    for (const double value : values) out.add_bytes(value);
  } else {
    out.add("%%MatrixMarket matrix array real general\n{} 1\n", values.size());
    for (const double value : values) out.add("{}\n", value);
  }
}

template <class Matrix>
void write_matrix(Sink& out, bool npy, const Matrix& X) {
  if (npy) {
    start_npy(out, X.rows, fmt::format(" {}", X.cols));
    for_each_number(X, [&](double value) { out.add_bytes(value); });
  } else if constexpr (is_sparse<Matrix>) {
    out.add("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", X.rows, X.cols, X.values.size());
    for (Index j = 0; j < X.cols; ++j)
      for (auto e = X.indptr[j]; e < X.indptr[j + 1]; ++e) out.add("{} {} {}\n", X.indices[e] + 1, j + 1, X.values[e]);
  } else {
    out.add("%%MatrixMarket matrix array real general\n{} {}\n", X.rows, X.cols);
    for_each_number(X, [&](double value) { out.add("{}\n", value); });
  }
}

std::vector<std::string> write_beside(Sinks& files, const std::string& path, bool npy, const Table& table) {
  std::vector<std::string> notes;
  const std::pair<const char*, const std::vector<double>*> vectors[] = {
      {"target", &table.y}, {"weights", &table.weights}, {"offset", &table.offset}};
  for (const auto& [role, values] : vectors) {
    if (values->empty()) continue;
    const std::string name = file_beside(path, role);
    write_vector(files.add(name), npy, *values);
    notes.push_back(fmt::format("{}: in {}", role, name));
  }
  return notes;
}

/// Row and column of the k-th number that is stored.
template <class T>
std::pair<Index, Index> place_of(const DenseMatrix<T>& X, Index k) {
  return X.row_stride == 1 ? std::pair(k % X.rows, k / X.rows) : std::pair(k / X.cols, k % X.cols);
}
template <class T, class I>
std::pair<Index, Index> place_of(const SparseMatrix<T, I>& X, Index k) {
  const auto column = std::upper_bound(X.indptr.begin(), X.indptr.end(), static_cast<I>(k)) - X.indptr.begin() - 1;
  return {static_cast<Index>(X.indices[static_cast<std::size_t>(k)]), static_cast<Index>(column)};
}

/// No reader takes a number that is not finite, so none is written.
template <class Matrix>
void require_finite(const Table& table, const Matrix& X) {
  const auto check = [](const auto& values, auto place) {
    const auto found = std::find_if(values.begin(), values.end(), [](auto value) { return !std::isfinite(value); });
    if (found == values.end()) return;
    throw Error(ErrorCode::Data,
                fmt::format("{} is {}; expected a finite number", place(found - values.begin()), *found));
  };
  const auto in_matrix = [&](Index k) {
    const auto [i, j] = place_of(X, k);
    return fmt::format("X: row {}, column {}", i, j);
  };
  if constexpr (is_sparse<Matrix>) check(X.values, in_matrix);
  else check(std::span(X.data, static_cast<std::size_t>(X.rows * X.cols)), in_matrix);
  check(table.y, [](Index i) { return fmt::format("target: row {}", i); });
  check(table.weights, [](Index i) { return fmt::format("weights: row {}", i); });
  check(table.offset, [](Index i) { return fmt::format("offset: row {}", i); });
}

}  // namespace

std::string file_beside(const std::string& path, std::string_view role) {
  const std::string format = format_by_ending(path);
  if (format != "npy" && format != "mtx") return "";
  const std::string ending = "." + format;
  const auto found = std::find_end(path.begin(), path.end(), ending.begin(), ending.end(), same_letter);
  return fmt::format("{}.{}{}", std::string(path.begin(), found), role, std::string(found, path.end()));
}

std::vector<std::string> write_table(const std::string& path, const Table& table) {
  const std::string format = format_by_ending(path);
  if (format.empty())
    throw Error(ErrorCode::Usage, fmt::format("OUT: value is {}; expected an ending .csv, .tsv, .svm, .npy or .mtx, "
                                              "with .gz or .bz2 behind it where it is to be packed",
                                              shown(path)));
  std::vector<std::string> notes;
  const bool named = format == "csv" || format == "tsv";
  if (!named && !table.classes.empty())
    notes.push_back(fmt::format("target: {} is written as 0{}", shown(table.classes[0]),
                                table.classes.size() < 2 ? "" : fmt::format(", {} as 1", shown(table.classes[1]))));
  if (format == "libsvm" && (!table.weights.empty() || !table.offset.empty()))
    throw Error(ErrorCode::Usage, fmt::format("{}: LIBSVM text has no place for weights and offset", path));
  Sinks files;
  std::visit(
      [&]<class M>(const M& X) {
        if constexpr (std::is_pointer_v<M>) return;  // a table holds its entries
        else {
          require_finite(table, X);
          Sink& out = files.add(path);
          if (named) write_csv(out, table, X, format == "csv" ? ',' : '\t');
          else if (format == "libsvm") write_libsvm(out, table, X);
          else write_matrix(out, format == "npy", X);
        }
      },
      table.matrix());
  const bool renamed = named && table.names.empty();  // a file that had no names has now
  if (renamed && !table.weights.empty())
    notes.push_back(fmt::format("weights: in column {}", shown(table.weights_name)));
  if (renamed && !table.offset.empty()) notes.push_back(fmt::format("offset: in column {}", shown(table.offset_name)));
  if (format == "npy" || format == "mtx")
    for (std::string& note : write_beside(files, path, format == "npy", table)) notes.push_back(std::move(note));
  files.commit();
  if (!named && !table.names.empty()) notes.emplace_back("names: of features are left out, as the format has none");
  return notes;
}

}  // namespace ellzero::io::table
