// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "tactus/core/error.h"
#include "tactus/files/text_file.h"
#include "tactus/link/net/console.h"
#include "tactus/link/net/socket.h"
#include "tactus/link/net/work_folder.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace tactus {
namespace {

using namespace std::chrono_literals;

constexpr auto kTimeToEnd = 2s;

std::string system_text(int code) { return std::generic_category().message(code); }

[[noreturn]] void refuse(const ProcessParameters& parameters, std::string_view what, int code) {
  const std::string program = parameters.command.empty() ? "" : parameters.command.front();
  throw Error(ExitCode::kEnvironment, fmt::format("cannot start {} ({}): {}: {}", parameters.name,
                                                  program, what, system_text(code)));
}

/// Ours, with what is given in place of or besides it.
std::vector<std::string> merged_environment(const ProcessParameters& parameters) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    bool replaced = false;
    for (const auto& [given, value] : parameters.environment) replaced |= given == name;
    replaced |= !parameters.forgotten.empty() && name.starts_with(parameters.forgotten);
    if (!replaced) merged.emplace_back(text);
  }
  for (const auto& [name, value] : parameters.environment) {
    merged.push_back(fmt::format("{}={}", name, value));
  }
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// All that the child needs, made before the fork: after it only system calls are safe.
struct Launch {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  const char* folder;
  int console;
  int report;  ///< closed by a successful exec; else carries errno
  pid_t parent;
  int kept_descriptor;
  bool same_addresses;
};

[[noreturn]] void become(const Launch& launch) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != launch.parent) ::_exit(127);  // it died before the line above
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGXFSZ}) ::signal(number, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(launch.console, STDOUT_FILENO);
  ::dup2(launch.console, STDERR_FILENO);
  // Recordings and sockets of ours must not stay open, or locked, in it.
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  int report = launch.report;
  if (launch.kept_descriptor >= 0) {
    if (report == kKeptDescriptor) report = ::fcntl(report, F_DUPFD_CLOEXEC, kKeptDescriptor + 1);
    if (launch.kept_descriptor == kKeptDescriptor) {
      ::fcntl(kKeptDescriptor, F_SETFD, 0);
    } else {
      ::dup2(launch.kept_descriptor, kKeptDescriptor);
    }
  }
  if (launch.same_addresses) ::personality(ADDR_NO_RANDOMIZE);
  if (::chdir(launch.folder) == 0) {
    ::execve(launch.arguments[0], launch.arguments.data(), launch.environment.data());
  }
  const int code = errno;
  const ssize_t written = ::write(report, &code, sizeof code);
  ::_exit(written > 0 ? 127 : 126);
}

struct Pipe {
  Descriptor read, write;
};

Pipe make_pipe(const ProcessParameters& parameters) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) refuse(parameters, "pipe", errno);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace

class ChildProcess::Impl {
 public:
  explicit Impl(const ProcessParameters& parameters) : folder_(parameters.folder, parameters.name) {
    start(parameters);
  }

  ~Impl() {
    end();
    console_.reset();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  /// Reaps it when it has ended; its group goes with it while its number is still taken.
  bool running() {
    if (ended_) return false;
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == 0) {
      return true;
    }
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    ended_ = true;
    return false;
  }

  void end() {
    if (!running()) return;
    ::kill(-pid_, SIGTERM);
    ::kill(-pid_, SIGCONT);  // a stopped program would not see the first
    if (!ends_within(kTimeToEnd)) {
      ::kill(-pid_, SIGKILL);
      while (running()) std::this_thread::sleep_for(2ms);
    }
  }

  [[nodiscard]] std::string exit_text() {
    if (running()) return {};
    if (WIFSIGNALED(status_)) {
      return fmt::format("was ended by signal {} ({})", WTERMSIG(status_),
                         ::strsignal(WTERMSIG(status_)));  // NOLINT(concurrency-mt-unsafe)
    }
    return fmt::format("ended with status {}", WEXITSTATUS(status_));
  }

  pid_t pid_ = -1;
  WorkFolder folder_;
  std::unique_ptr<Console> console_;

 private:
  void start(const ProcessParameters& parameters) {
    Pipe output = make_pipe(parameters);
    Pipe report = make_pipe(parameters);
    std::unique_ptr<OutputFile> console = new_console_file(folder_.path() + "/console.txt");
    std::vector<std::string> command = parameters.command;
    // Its folder is another one, so a relative path must not stay relative.
    command.at(0) = std::filesystem::absolute(command.at(0)).string();
    std::vector<std::string> environment = merged_environment(parameters);
    const Launch launch{pointers(command),          pointers(environment),
                        folder_.path().c_str(),     output.write.get(),
                        report.write.get(),         ::getpid(),
                        parameters.kept_descriptor, parameters.same_addresses};
    pid_ = ::fork();
    if (pid_ < 0) refuse(parameters, "fork", errno);
    if (pid_ == 0) become(launch);
    ::setpgid(pid_, pid_);  // here as well: either process may come first
    output.write.close();
    report.write.close();
    int code = 0;
    ssize_t got = -1;
    while ((got = ::read(report.read.get(), &code, sizeof code)) < 0 && errno == EINTR) {
    }
    if (got > 0) {
      running();
      refuse(parameters, "exec", code);
    }
    console_ = std::make_unique<Console>(std::move(output.read), std::move(console),
                                         parameters.console_kept, parameters.console_file_limit);
  }

  bool ends_within(std::chrono::steady_clock::duration time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (running()) {
      if (std::chrono::steady_clock::now() >= end) return false;
      std::this_thread::sleep_for(2ms);
    }
    return true;
  }

  bool ended_ = false;
  int status_ = 0;
};

std::string why_not_startable(const std::string& program) {
  std::string why = why_no_file(program);
  if (!why.empty()) return why;
  return ::access(program.c_str(), X_OK) == 0 ? "" : "not executable; try chmod +x";
}

ChildProcess::ChildProcess(const ProcessParameters& parameters)
    : impl_(std::make_unique<Impl>(parameters)) {}
ChildProcess::~ChildProcess() = default;

pid_t ChildProcess::pid() const { return impl_->pid_; }
const std::string& ChildProcess::folder() const { return impl_->folder_.path(); }
bool ChildProcess::running() { return impl_->running(); }
std::string ChildProcess::exit_text() { return impl_->exit_text(); }
void ChildProcess::end() { impl_->end(); }
std::string ChildProcess::console_failure() const { return impl_->console_->failure(); }
std::string ChildProcess::console_tail(std::size_t lines) const {
  // Its last output may not have been read yet.
  if (!impl_->running()) impl_->console_->wait_for_end();
  return impl_->console_->tail(lines);
}

}  // namespace tactus
