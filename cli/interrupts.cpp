// The handler of interrupts.hpp, which may call only what is safe in one.
#include "cli/interrupts.hpp"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

#include "cli/exit_code.hpp"
#include "ellzero/error.hpp"

namespace ellzero::cli {
namespace {

constexpr int caught[] = {SIGINT, SIGTERM, SIGHUP};

// A signal handler can reach nothing else.
volatile std::sig_atomic_t orderly_stops = 0;
volatile std::sig_atomic_t stop_requested = 0;

auto handler_of(int number) {
  struct sigaction now {};
  ::sigaction(number, nullptr, &now);
  return now.sa_handler;
}

/// Where nobody reads what is full, the message is left out rather than waited for.
[[noreturn]] void end_at_once(std::string_view message, int code) {
  struct pollfd room {
    STDERR_FILENO, POLLOUT, 0
  };
  [[maybe_unused]] const bool said =
      ::poll(&room, 1, 0) == 1 && ::write(STDERR_FILENO, message.data(), message.size()) > 0;
  ::_exit(code);
}

extern "C" void on_interrupt(int /*signal*/) {
  if (orderly_stops == 0) end_at_once("ellzero: interrupted\n", interrupted);
  stop_requested = 1;
  for (const int number : caught)
    if (handler_of(number) != SIG_IGN) std::signal(number, SIG_DFL);
}

extern "C" void on_lost_file(int /*signal*/) {
  end_at_once("ellzero: cannot read on: a file became shorter while it was read, or its disk failed\n",
              static_cast<int>(ErrorCode::InputOutput));
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (const int number : caught) ::sigaddset(&action.sa_mask, number);
  for (const int number : caught)
    if (number != SIGHUP || handler_of(number) != SIG_IGN) ::sigaction(number, &action, nullptr);
}

void catch_lost_files() { std::signal(SIGBUS, on_lost_file); }

OrderlyStop::OrderlyStop() { orderly_stops = orderly_stops + 1; }
OrderlyStop::~OrderlyStop() { orderly_stops = orderly_stops - 1; }
bool OrderlyStop::is_requested() { return stop_requested != 0; }

}  // namespace ellzero::cli
