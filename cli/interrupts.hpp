// Ctrl-C, SIGTERM, SIGHUP and SIGBUS: how they end the program, in whatever it does when they come.
#pragma once

namespace ellzero::cli {

/// From now on the first of these signals ends the program at once, as interrupted: nothing is lost by it while data
/// are read, for one. A SIGHUP that the caller ignores, as nohup does, stays ignored; shells ignore Ctrl-C for what
/// runs in the background of a script, but a signal that is sent there by name is meant.
void catch_interrupts();

/// Files are read in place. Where one becomes shorter meanwhile, or its disk fails, the next look at what is gone is a
/// SIGBUS: from now on that is an error of input with a message.
void catch_lost_files();

/// While one lives, the first signal is noted only, so that a computation can stop in good order and what it has found
/// is saved. Another one kills the program, then and later.
class OrderlyStop {
 public:
  OrderlyStop();
  OrderlyStop(const OrderlyStop&) = delete;
  OrderlyStop& operator=(const OrderlyStop&) = delete;
  ~OrderlyStop();

  /// Whether a signal came.
  static bool is_requested();
};

}  // namespace ellzero::cli
