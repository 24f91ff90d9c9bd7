// stdin, stdout and stderr: results that cannot be written are an error, all else that cannot be is dropped.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ellzero::cli {

/// Before any file is opened: a standard descriptor that is closed would otherwise be the number of the first of them.
/// A reader that goes away, or a file beyond the limit of its size, becomes an error of writing in place of a signal.
void prepare_streams();

/// Results. Throws Error(InputOutput) when they cannot be written.
void write_stdout(std::string_view text);

/// Progress and messages, on stderr; nothing happens where nobody can read them.
void say(std::string_view text);
/// One line each.
void say_notes(std::span<const std::string> notes);

}  // namespace ellzero::cli
