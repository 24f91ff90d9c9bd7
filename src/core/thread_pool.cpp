// The pool of thread_pool.hpp: one round of work at a time, blocks handed out by a shared counter.
#include "core/thread_pool.hpp"

#include <system_error>
#include <utility>

namespace ellzero::core {

ThreadPool::ThreadPool(int threads) {
  workers_.reserve(static_cast<std::size_t>(threads > 1 ? threads - 1 : 0));
  try {
    for (int t = 1; t < threads; ++t) workers_.emplace_back([this](const std::stop_token& stop) { serve(stop); });
  } catch (const std::system_error&) {
    // The system gives no more threads. Fewer find the same, later.
  }
}

ThreadPool::~ThreadPool() {
  for (auto& worker : workers_) worker.request_stop();
  workers_.clear();  // joins while the mutex and conditions are still alive
}

void ThreadPool::run(Index blocks, const std::function<void(Index)>& work) {
  if (workers_.empty() || blocks <= 1) {
    for (Index b = 0; b < blocks; ++b) work(b);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    blocks_ = blocks;
    next_ = 0;
    busy_ = static_cast<int>(workers_.size());
    ++round_;
  }
  start_.notify_all();
  take_blocks();
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  if (auto error = std::exchange(error_, nullptr)) std::rethrow_exception(error);
}

void ThreadPool::serve(const std::stop_token& stop) {
  std::uint64_t seen = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      if (!start_.wait(lock, stop, [&] { return round_ != seen; })) return;
      seen = round_;
    }
    take_blocks();
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

void ThreadPool::take_blocks() {
  try {
    for (Index b = next_++; b < blocks_; b = next_++) (*work_)(b);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    next_ = blocks_;
  }
}

}  // namespace ellzero::core
