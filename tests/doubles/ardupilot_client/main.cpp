// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A program that looks like ArduPilot from its JSON port, for tests: one servo packet per frame
// from a port of its own, then it blocks for one answer and asks again after a silence. It never
// reads more than one datagram per frame, so an answer too many would show. Ends with
//   2 called wrongly   7 got an answer twice   8 got an answer that it cannot read

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/doubles/ardupilot_client/copter.h"
#include "tests/doubles/ardupilot_client/options.h"
#include "tests/doubles/ardupilot_client/reply_text.h"

namespace ardupilot_double {

namespace {

/// While it waits for an answer it does not notice that it shall end, as ArduPilot does not.
volatile std::sig_atomic_t shall_end = 0;

class Client {
 public:
  explicit Client(const Options& options)
      : options_(options), copter_(options), socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    server_.sin_family = AF_INET;
    server_.sin_port = htons(static_cast<std::uint16_t>(options.port));
    server_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (!options.trace.empty()) trace_ = std::fopen(options.trace.c_str(), "w");
    std::printf("ardupilot double: asks on port %d\n", options.port);
    std::fflush(stdout);
  }

  [[noreturn]] void run() {
    while (true) {
      misbehave();
      ask();
      Motion motion;
      wait_for_answer(motion);
      advance(motion);
    }
  }

 private:
  void misbehave() {
    if (shall_end != 0) std::exit(0);
    const long frame = total_;
    if (frame == options_.die_at) {
      std::printf("ardupilot double: dies at frame %ld\n", frame);
      std::fflush(stdout);
      std::exit(options_.exit_status);
    }
    if (frame == options_.stop_at) ::raise(SIGSTOP);
    if (frame == options_.restart_at) {
      count_ = 0;
      last_s_ = 0.0;
    }
    if (options_.garbage_every > 0 && frame % options_.garbage_every == 0) {
      send("\x1a\x48 this is no servo packet", 26);
    }
  }

  /// Whether this frame is one of `count` that are spread over the first frames.
  [[nodiscard]] bool is_chosen(int count, int offset) const {
    if (count <= 0) return false;
    const long gap = options_.lose_until / (count + 1);
    return total_ > 0 && total_ <= gap * count && total_ % gap == offset % gap;
  }

  void send(const char* bytes, std::size_t size) {
    ::sendto(socket_, bytes, size, 0, reinterpret_cast<const sockaddr*>(&server_), sizeof server_);
  }

  void ask() {
    if (options_.silent_at >= 0 && total_ >= options_.silent_at) return;
    std::string packet;
    const auto add = [&packet](std::uint32_t value, int bytes) {
      for (int i = 0; i < bytes; ++i) packet += static_cast<char>((value >> (8 * i)) & 0xffU);
    };
    add(options_.channels == 32 ? 29569 : 18458, 2);
    add(1000, 2);
    add(count_, 4);
    const auto pulses = copter_.pulses(count_);
    for (int k = 0; k < options_.channels; ++k) add(pulses[static_cast<std::size_t>(k)], 2);
    if (!asked_before_ && is_chosen(options_.lose_questions, 0)) {
      asked_before_ = true;
      return;
    }
    asked_before_ = true;
    send(packet.data(), packet.size());
    if (options_.duplicate_percent > 0 && total_ % 100 < options_.duplicate_percent) {
      send(packet.data(), packet.size());
    }
  }

  void wait_for_answer(Motion& motion) {
    bool lose = is_chosen(options_.lose_answers, 7);
    while (true) {
      pollfd polled{socket_, POLLIN, 0};
      const int ready = ::poll(&polled, 1, options_.resend_ms);
      if (ready == 0) ask();
      if (ready <= 0) continue;
      char bytes[65536];
      const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
      if (got <= 0) continue;
      if (lose) {
        lose = false;
        continue;
      }
      std::string why;
      if (text_.add(bytes, static_cast<std::size_t>(got), motion, why)) return;
      std::printf("ardupilot double: answer to frame %u refused: %s\n", count_, why.c_str());
      std::fflush(stdout);
      std::exit(8);
    }
  }

  void advance(const Motion& motion) {
    // The first answer may be at time 0, as its own clock starts; later ones must be new.
    if (total_ > 0 && motion.timestamp_s == last_s_ && count_ != 0) {
      std::printf("ardupilot double: the answer to frame %u came before\n", count_);
      std::fflush(stdout);
      std::exit(7);
    }
    // In whole microseconds, each sum cut, as its model.
    if (motion.timestamp_s > last_s_) {
      clock_us_ = static_cast<std::uint64_t>(static_cast<double>(clock_us_) +
                                             (motion.timestamp_s - last_s_) * 1e6);
    }
    last_s_ = motion.timestamp_s;
    copter_.step(motion, static_cast<double>(clock_us_) * 1e-6);
    ++count_;
    ++total_;
    asked_before_ = false;
    if (trace_ == nullptr) return;
    const auto pulses = copter_.pulses(count_);
    std::fprintf(trace_, "%u %llu %u %u %u %u\n", count_,
                 static_cast<unsigned long long>(clock_us_), pulses[0], pulses[1], pulses[2],
                 pulses[3]);
    std::fflush(trace_);
  }

  Options options_;
  Copter copter_;
  int socket_;
  sockaddr_in server_{};
  ReplyText text_;
  std::FILE* trace_ = nullptr;
  std::uint32_t count_ = 0;
  long total_ = 0;  ///< frames, restarts or not
  bool asked_before_ = false;
  double last_s_ = 0.0;
  std::uint64_t clock_us_ = 0;
};

}  // namespace
}  // namespace ardupilot_double

int main(int count, char** arguments) {
  ::alarm(120);  // outlives no test
  std::signal(SIGTERM, [](int) { ardupilot_double::shall_end = 1; });
  ardupilot_double::Client client(ardupilot_double::read_options(count, arguments));
  client.run();
}
