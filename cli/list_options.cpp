// What list_options.hpp finds in CLI11's description of a command.
#include "cli/list_options.hpp"

#include <vector>

#include <nlohmann/json.hpp>

namespace ellzero::cli {

std::string options_as_json(const CLI::App& app) {
  using Object = nlohmann::ordered_json;
  Object arguments = Object::array(), options = Object::array();
  for (const CLI::Option* option : app.get_options()) {
    Object entry = {{"names", Object::array()},
                    {"value", option->get_type_size_max() == 0 ? "" : option->get_type_name()},
                    {"help", option->get_description()}};
    for (const std::string& name : option->get_snames()) entry["names"].push_back("-" + name);
    for (const std::string& name : option->get_lnames()) entry["names"].push_back("--" + name);
    if (option->get_positional()) entry["names"].push_back(option->get_name(true));
    (option->get_positional() ? arguments : options).push_back(entry);
  }
  return Object{{"command", app.get_name()}, {"arguments", arguments}, {"options", options}}.dump(1) + "\n";
}

}  // namespace ellzero::cli
