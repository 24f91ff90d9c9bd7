// The headings of heading.hpp.
#include "io/table/heading.hpp"

#include <span>
#include <string_view>
#include <utility>

#include "io/table/matrix_market.hpp"
#include "io/table/npy.hpp"

namespace ellzero::io::table {

bytes::InputGuard::ReadHeading heading_of(std::string format) {
  return [format = std::move(format)](std::string_view name, std::string_view head) -> bytes::Heading {
    if (format == "npy" || (format.empty() && is_npy(head)))
      return {.text = false, .size = promised_npy_size(name, std::as_bytes(std::span(head)))};
    if (format == "mtx") require_matrix_market(name, head);
    return {};
  };
}

}  // namespace ellzero::io::table
