// A small pool of threads that share out numbered blocks of work; results never depend on how many there are.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "ellzero/dataset.hpp"

namespace ellzero::core {

class ThreadPool {
 public:
  /// The calling thread works too, so `threads` = 1 starts none.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Runs work(0) .. work(blocks - 1), each once, in any order and on any thread; returns when all are done. The first
  /// exception is rethrown here, after the remaining blocks were skipped. Not to be called from inside `work`.
  void run(Index blocks, const std::function<void(Index)>& work);

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()) + 1; }

 private:
  void serve(const std::stop_token& stop);
  void take_blocks();

  std::mutex mutex_;
  std::condition_variable_any start_;
  std::condition_variable done_;
  const std::function<void(Index)>* work_ = nullptr;
  Index blocks_ = 0;
  std::atomic<Index> next_{0};
  std::uint64_t round_ = 0;
  int busy_ = 0;
  std::exception_ptr error_;
  std::vector<std::jthread> workers_;
};

}  // namespace ellzero::core
