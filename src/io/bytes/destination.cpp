// Following links one by one behind destination.hpp: the names of open descriptors are links that lead nowhere.
#include "io/bytes/destination.hpp"

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "ellzero/error.hpp"

namespace ellzero::io::bytes {
namespace {

std::optional<int> descriptor_of(std::string_view name) {
  if (name == "/dev/stdout") return 1;
  if (name == "/dev/stderr") return 2;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder)) continue;
    int number = -1;
    const char* const last = name.data() + name.size();
    const auto [end, error] = std::from_chars(name.data() + folder.size(), last, number);
    if (error == std::errc() && end == last && number >= 0) return number;
  }
  return std::nullopt;
}

}  // namespace

Destination destination_of(const std::filesystem::path& path) {
  constexpr int most_links = 40;  // as many as the kernel follows
  std::error_code missing;
  Destination to{path, {}, std::filesystem::status(path, missing).type()};
  for (int links = 0; links <= most_links; ++links) {
    to.descriptor = descriptor_of(to.path.string());
    if (to.descriptor || !std::filesystem::is_symlink(std::filesystem::symlink_status(to.path, missing))) return to;
    to.path = to.path.parent_path() / std::filesystem::read_symlink(to.path, missing);
  }
  throw Error(ErrorCode::InputOutput, fmt::format("{}: cannot write: its links lead in a circle", path.string()));
}

}  // namespace ellzero::io::bytes
