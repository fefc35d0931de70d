// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A test that is told in order, while a flight goes on: a coroutine that waits in simulated time.
//
//   Script fly(Client& client) {
//     client.arm();
//     co_await client.clock().until([&] { return client.armed(); }, 10.0, "armed");
//   }

#include <coroutine>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "tactus/core/time.h"

namespace tactus::testing {

class Script {
 public:
  struct promise_type {  // NOLINT(readability-identifier-naming): the language calls it so
    std::coroutine_handle<> caller;
    std::exception_ptr error;

    Script get_return_object() {
      return Script(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Back {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
          const std::coroutine_handle<> next = ended.promise().caller;
          return next ? next : std::noop_coroutine();
        }
        void await_resume() noexcept {}
      };
      return Back{};
    }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }
  };

  Script(Script&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Script& operator=(Script&&) = delete;
  ~Script() {
    if (handle_) handle_.destroy();
  }

  /// Throws what the script has thrown.
  void resume() {
    handle_.resume();
    rethrow();
  }
  [[nodiscard]] bool done() const { return handle_.done(); }
  void rethrow() const {
    if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
  }

  /// A script within another.
  auto operator co_await() {
    struct Awaited {
      Script& script;
      bool await_ready() { return script.done(); }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) {
        script.handle_.promise().caller = caller;
        return script.handle_;
      }
      void await_resume() { script.rethrow(); }
    };
    return Awaited{*this};
  }

 private:
  explicit Script(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

/// Lets a script go on when what it waits for has come true.
class ScriptClock {
 public:
  [[nodiscard]] double now_s() const { return to_seconds(now_); }

  /// Fails the script if it does not come true within so many seconds.
  auto until(std::function<bool()> condition, double longest_s, std::string what) {
    struct Awaited {
      ScriptClock& clock;
      Wait wait;
      bool await_ready() { return wait.condition(); }
      void await_suspend(std::coroutine_handle<> script) {
        wait.script = script;
        clock.wait_ = std::move(wait);
      }
      void await_resume() {
        if (!std::exchange(clock.missed_, "").empty()) throw std::runtime_error(clock.told_);
      }
    };
    return Awaited{*this, {std::move(condition), now_s() + longest_s, std::move(what), {}}};
  }
  auto pass(double seconds) {
    const double end_s = now_s() + seconds;
    return until([this, end_s] { return now_s() >= end_s; }, seconds + 1.0, "time");
  }

  /// Once per tick.
  void tick(TimeUs now, Script& script) {
    now_ = now;
    if (!started_) {
      started_ = true;
      script.resume();
      return;
    }
    if (script.done() || !wait_.script) return;
    const bool late = now_s() > wait_.end_s;
    if (!late && !wait_.condition()) return;
    if (late && !wait_.condition()) {
      missed_ = wait_.what;
      told_ = "t = " + to_text(now) + ": not in time: " + wait_.what;
    }
    std::exchange(wait_.script, nullptr).resume();
    script.rethrow();
  }

 private:
  struct Wait {
    std::function<bool()> condition;
    double end_s = 0.0;
    std::string what;
    std::coroutine_handle<> script;
  };

  TimeUs now_;
  bool started_ = false;
  Wait wait_;
  std::string missed_;
  std::string told_;
};

}  // namespace tactus::testing
