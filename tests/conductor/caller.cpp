// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Conducts a program with nothing but the header that both sides share: 4 ms of virtual time a
// turn, what is sent to port 7 comes back. Where the program listens it gets a connection at once,
// which is closed before the program can have accepted it. After enough turns it asks the program
// to end.
//
// usage: caller LIBRARY native|carrier TURNS COMMAND…
//        QEMU in the environment: runs the command's program, which then gets LIBRARY by -E
// The output of the program goes to ours; our own last line tells the digest of its decisions.
// Exit code: the program's; 124 if a turn takes a minute.

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "tactus/conductor/channel.h"

namespace {

using namespace tactus::conductor;  // NOLINT(google-build-using-namespace): it is about nothing
                                    // else

constexpr std::int64_t kStart_ns = 1'000'000'000;
constexpr std::int64_t kTurn_ns = 4'000'000;

Channel* make_channel(std::string& path) {
  path = "/dev/shm/tactus-test-XXXXXX";
  const int file = ::mkstemp(path.data());
  if (file < 0 || ::ftruncate(file, sizeof(Channel)) != 0) return nullptr;
  void* const memory =
      ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return memory == MAP_FAILED ? nullptr : new (memory) Channel{};
}

[[noreturn]] void become(const char* library, const std::string& path, char** command) {
  ::setenv(kChannelVariable, path.c_str(), 1);
  const char* const emulator = std::getenv("QEMU");
  if (!emulator) {
    ::setenv("LD_PRELOAD", library, 1);
    ::execv(command[0], command);
    ::_exit(127);
  }
  std::string preload = std::string("LD_PRELOAD=") + library;
  std::vector<char*> all{const_cast<char*>(emulator), const_cast<char*>("-E"), preload.data()};
  for (char** word = command; *word; ++word) all.push_back(*word);
  all.push_back(nullptr);
  ::execvp(emulator, all.data());
  ::_exit(127);
}

void wake(std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

class Caller {
 public:
  Caller(Channel& channel, pid_t program) : channel_(channel), program_(program) {}

  /// The exit status; −1: it has answered.
  int await() {
    constexpr timespec kMoment = {0, 10'000'000};
    for (int moments = 0; moments < 6000; ++moments) {
      const std::uint32_t answered = channel_.answered.load(std::memory_order_acquire);
      if (answered == channel_.asked.load()) return -1;
      ::syscall(SYS_futex, &channel_.answered, FUTEX_WAIT, answered, &kMoment, nullptr, 0);
      int status = 0;
      if (::waitpid(program_, &status, WNOHANG) == program_) {
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      }
    }
    ::kill(program_, SIGKILL);
    return 124;
  }

  /// What goes to port 7 comes back, all else is refused or lost.
  void answer() {
    Buffer& input = channel_.input;
    input.bytes = 0;
    const Buffer& output = channel_.output;
    for (std::uint32_t at = 0; at < output.bytes;) {
      RecordHeader header;
      std::memcpy(&header, output.data + at, sizeof header);
      const std::uint32_t size = static_cast<std::uint32_t>(sizeof header) + padded(header.bytes);
      if (header.kind == RecordKind::kListen) call(header.own_port);
      RecordHeader reply = header;
      if (header.kind == RecordKind::kConnect) {
        reply.kind = header.peer_port == 7 ? RecordKind::kAccepted : RecordKind::kRefused;
      }
      const bool echoed = header.kind == RecordKind::kConnect ||
                          header.kind == RecordKind::kStream ||
                          (header.kind == RecordKind::kDatagram && header.peer_port == 7);
      if (echoed) {
        std::memcpy(input.data + input.bytes, output.data + at, size);
        std::memcpy(input.data + input.bytes, &reply, sizeof reply);
        input.bytes += size;
      }
      at += size;
    }
    channel_.limit_ns += kTurn_ns;
    channel_.asked.fetch_add(1);
    wake(channel_.asked);
  }

 private:
  /// Connects, sends and closes, all within a turn.
  void call(std::uint16_t port) {
    RecordHeader header{};
    header.id = 0x80000001;
    header.own_port = port;
    header.peer_port = 49152;
    header.peer_address = 0x7F000001;
    const auto append = [&](RecordKind kind, const char* text) {
      header.kind = kind;
      header.bytes = static_cast<std::uint32_t>(std::strlen(text));
      std::byte* const place = channel_.input.data + channel_.input.bytes;
      std::memcpy(place, &header, sizeof header);
      std::memcpy(place + sizeof header, text, header.bytes);
      channel_.input.bytes += static_cast<std::uint32_t>(sizeof header) + padded(header.bytes);
    };
    append(RecordKind::kIncoming, "");
    append(RecordKind::kStream, "early ");
    append(RecordKind::kStream, "bird");
    append(RecordKind::kClosed, "");
  }

  Channel& channel_;
  pid_t program_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 5) return 2;
  std::string path;
  Channel* const channel = make_channel(path);
  if (!channel) return 3;
  channel->magic = kChannelMagic;
  channel->mode =
      std::strcmp(arguments[2], "native") == 0 ? ThreadMode::kNative : ThreadMode::kCarrier;
  channel->seed = 7;
  channel->limit_ns = kStart_ns;
  channel->asked.store(1);
  const pid_t program = ::fork();
  if (program == 0) become(arguments[1], path, arguments + 4);
  Caller caller(*channel, program);
  int status = -1;
  for (int turns = std::atoi(arguments[3]); turns > 0; --turns) {
    status = caller.await();
    if (status >= 0) break;
    caller.answer();
  }
  if (status < 0 && (status = caller.await()) < 0) {
    ::kill(program, SIGTERM);
    while (status < 0) {
      caller.answer();
      status = caller.await();
    }
  }
  ::unlink(path.c_str());
  if (channel->state.load() == ProgramState::kFailed) std::printf("failed: %s\n", channel->text);
  std::printf("decisions %016llx\n", static_cast<unsigned long long>(channel->decisions));
  return status;
}
