// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A program whose output depends on which of its threads runs when, what time it is and what comes
// in from where: on everything that the conductor is to put in order. It prints what happens.
//
// usage: program PART…   (all parts if none is named)

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <future>
#include <map>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

double now_ms() {
  return std::chrono::duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

template <class... Values>
void say(const char* format, Values... values) {
  std::printf("%9.3f ", now_ms());
  std::printf(format, values...);
  std::putchar('\n');
}

/// Threads that race for a lock, with work that takes none of the virtual time.
void race() {
  std::mutex mutex;
  std::vector<int> order;
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 20; ++k) {
        volatile double work = 0;
        for (int n = 0; n < 1000 * (i + 1); ++n) work = work + n;
        {
          const std::lock_guard lock(mutex);
          order.push_back(i);
        }
        if (k % 3 == i % 3) std::this_thread::yield();
        if (k % 5 == 0) std::this_thread::sleep_for(microseconds(100 * (8 - i)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::string text;
  for (const int i : order) text += static_cast<char>('0' + i);
  say("race %s", text.c_str());
}

void queue() {
  std::mutex mutex;
  std::condition_variable ready;
  std::deque<int> items;
  bool over = false;
  std::string text;
  std::vector<std::thread> readers;
  readers.reserve(3);
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&, i] {
      while (true) {
        std::unique_lock lock(mutex);
        if (!ready.wait_for(lock, milliseconds(3 + i), [&] { return over || !items.empty(); })) {
          text += static_cast<char>('a' + i);  // gave up for now
          continue;
        }
        if (items.empty()) return;
        text += std::to_string(items.front()) + static_cast<char>('A' + i);
        items.pop_front();
      }
    });
  }
  for (int k = 0; k < 12; ++k) {
    std::this_thread::sleep_for(milliseconds(k % 4));
    const std::lock_guard lock(mutex);
    items.push_back(k);
    k % 2 == 0 ? ready.notify_one() : ready.notify_all();
  }
  {
    const std::lock_guard lock(mutex);
    over = true;
  }
  ready.notify_all();
  for (std::thread& reader : readers) reader.join();
  say("queue %s", text.c_str());
}

void semaphores() {
  sem_t full;
  sem_init(&full, 0, 0);
  std::string text;
  std::thread taker([&] {
    for (int k = 0; k < 5; ++k) {
      while (sem_wait(&full) != 0) {
      }
      text += 't';
    }
    timespec until{};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 2'000'000;
    if (until.tv_nsec >= 1'000'000'000) {
      until.tv_nsec -= 1'000'000'000;
      ++until.tv_sec;
    }
    text += sem_timedwait(&full, &until) == 0 ? '!' : 'o';
  });
  for (int k = 0; k < 5; ++k) {
    text += 'p';
    sem_post(&full);
    if (k == 2) std::this_thread::sleep_for(milliseconds(1));
  }
  taker.join();
  sem_destroy(&full);

  std::shared_mutex shared;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 3; ++k) {
        if (i == 0) {
          const std::unique_lock lock(shared);
          text += 'W';
          std::this_thread::sleep_for(microseconds(300));
        } else {
          const std::shared_lock lock(shared);
          text += static_cast<char>('0' + i);
          std::this_thread::sleep_for(microseconds(200));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 3);
  std::vector<std::thread> gate;
  gate.reserve(3);
  std::atomic<int> last{0};
  for (int i = 0; i < 3; ++i) {
    gate.emplace_back([&, i] {
      std::this_thread::sleep_for(milliseconds(i));
      const int result = pthread_barrier_wait(&barrier);
      if (result == PTHREAD_BARRIER_SERIAL_THREAD) last = i;
    });
  }
  for (std::thread& thread : gate) thread.join();
  pthread_barrier_destroy(&barrier);
  say("semaphores %s last %d", text.c_str(), last.load());
}

int slow_value() {
  std::this_thread::sleep_for(milliseconds(5));
  return 42;
}

void once() {
  static std::once_flag flag;
  std::string text;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      static const int value = slow_value();  // one makes it, the others wait
      std::call_once(flag, [&] {
        std::this_thread::sleep_for(milliseconds(2));
        text += static_cast<char>('A' + i);
      });
      text += static_cast<char>('0' + value % 10);
    });
  }
  for (std::thread& thread : threads) thread.join();
  say("once %s", text.c_str());
}

struct Trail {
  std::string& text;
  char letter;
  ~Trail() { text += letter; }
};
thread_local std::map<int, std::string> own_things;

std::string ended;
struct OwnEnd {
  char letter = '?';
  ~OwnEnd() { ended += letter; }
};
thread_local OwnEnd own_end;

void* leave_by_exit(void*) {
  own_end.letter = 'e';
  const Trail trail{ended, 'E'};
  own_things[1] = "one";
  pthread_exit(reinterpret_cast<void*>(5));
}

void* wait_to_be_cancelled(void*) {
  own_end.letter = 'c';
  const Trail outer{ended, 'O'};
  const Trail inner{ended, 'I'};
  while (true) usleep(1000);
}

void* refuses_for_a_while(void*) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  for (int i = 0; i < 5; ++i) usleep(1000);
  ended += 'd';
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
  pthread_testcancel();
  ended += '!';
  return nullptr;
}

void ends() {
  pthread_t exits{}, cancelled{}, late{};
  pthread_create(&exits, nullptr, leave_by_exit, nullptr);
  pthread_create(&cancelled, nullptr, wait_to_be_cancelled, nullptr);
  pthread_create(&late, nullptr, refuses_for_a_while, nullptr);
  usleep(2500);
  pthread_cancel(cancelled);
  pthread_cancel(late);
  void* result = nullptr;
  pthread_join(exits, &result);
  say("ends with %ld", reinterpret_cast<long>(result));
  pthread_join(cancelled, &result);
  say("ends cancelled %d", result == PTHREAD_CANCELED ? 1 : 0);
  pthread_join(late, &result);
  say("ends late %d %s", result == PTHREAD_CANCELED ? 1 : 0, ended.c_str());
  std::thread detached([] { usleep(100); });
  detached.detach();
  usleep(1000);
  std::promise<int> promise;
  std::thread sets([&] {
    usleep(700);
    promise.set_value(7);
  });
  sets.join();
  say("ends promise %d", promise.get_future().get());
}

void* works(void* name) {
  for (int i = 0; i < 2; ++i) {
    ended += *static_cast<char*>(name);
    usleep(1000);
  }
  return nullptr;
}

/// Of those that are ready the highest goes first.
void priorities() {
  ended.clear();
  char names[] = "lmh";
  std::vector<pthread_t> threads(3);
  for (int i = 0; i < 3; ++i) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    sched_param parameters{};
    parameters.sched_priority = 10 * (i + 1);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &parameters);
    const auto index = static_cast<std::size_t>(i);
    if (pthread_create(&threads[index], &attributes, works, &names[i]) != 0) std::puts("refused");
    pthread_attr_destroy(&attributes);
  }
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  say("priorities %s", ended.c_str());
}

void clocks() {
  const auto start = steady_clock::now();
  while (steady_clock::now() - start < milliseconds(2)) {  // burns time
  }
  say("clocks spun %d", 1);
  std::atomic<bool> flag{false};
  std::thread setter([&] {
    usleep(3000);
    flag = true;
  });
  while (!flag) std::this_thread::yield();
  setter.join();
  timespec wall{}, rest{0, 1'500'000};
  nanosleep(&rest, nullptr);
  clock_gettime(CLOCK_REALTIME, &wall);
  timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += 1'000'000;
  if (until.tv_nsec >= 1'000'000'000) {
    until.tv_nsec -= 1'000'000'000;
    ++until.tv_sec;
  }
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  say("clocks %ld.%09ld cpu %ld", static_cast<long>(wall.tv_sec), wall.tv_nsec,
      static_cast<long>(clock()));
}

void chance() {
  std::random_device device;
  const unsigned first = device();
  unsigned char bytes[4] = {};
  const int file = open("/dev/urandom", O_RDONLY);
  if (read(file, bytes, sizeof bytes) != sizeof bytes) std::puts("no random bytes");
  close(file);
  say("chance %u %u %02x%02x%02x%02x processors %u", first, device(), bytes[0], bytes[1], bytes[2],
      bytes[3], std::thread::hardware_concurrency());
}

sockaddr_in port(int number) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<unsigned short>(number));
  return address;
}

/// What it sends to port 7 the caller sends back in the next step; so does it what comes by TCP.
void sockets() {
  const int udp = socket(AF_INET, SOCK_DGRAM, 0);
  const sockaddr_in own = port(1234);
  if (bind(udp, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0) std::puts("not bound");
  std::thread sender([&] {
    const sockaddr_in echo = port(7);
    for (int i = 0; i < 3; ++i) {
      const std::string text = "datagram " + std::to_string(i);
      sendto(udp, text.data(), text.size(), 0, reinterpret_cast<const sockaddr*>(&echo),
             sizeof echo);
      usleep(1000);
    }
  });
  for (int i = 0; i < 3;) {
    pollfd file{udp, POLLIN, 0};
    if (poll(&file, 1, 2) == 0) {
      say("sockets nothing %s", "yet");
      continue;
    }
    char text[64] = {};
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t length =
        recvfrom(udp, text, sizeof text, 0, reinterpret_cast<sockaddr*>(&from), &size);
    say("sockets %.*s from %d", static_cast<int>(length), text, ntohs(from.sin_port));
    ++i;
  }
  sender.join();
  close(udp);

  const int tcp = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in echo = port(7);
  say("sockets connect %d", connect(tcp, reinterpret_cast<const sockaddr*>(&echo), sizeof echo));
  if (write(tcp, "stream", 6) != 6) std::puts("not written");
  char text[64] = {};
  fd_set reading;
  FD_ZERO(&reading);
  FD_SET(tcp, &reading);
  timeval longest{1, 0};
  const int found = select(tcp + 1, &reading, nullptr, nullptr, &longest);
  const ssize_t length = read(tcp, text, sizeof text);
  say("sockets select %d %.*s", found, static_cast<int>(length), text);
  close(tcp);
  const int refused = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in nowhere = port(9);
  say("sockets refused %d",
      connect(refused, reinterpret_cast<const sockaddr*>(&nowhere), sizeof nowhere));
  close(refused);
}

/// Who connects here sends something and closes, long before it is accepted.
void visitors() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in own = port(77);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0) {
    std::puts("not bound");
  }
  listen(listener, 4);
  pollfd file{listener, POLLIN, 0};
  const int found = poll(&file, 1, 100);
  usleep(20000);
  sockaddr_in from{};
  socklen_t size = sizeof from;
  const int visitor = accept(listener, reinterpret_cast<sockaddr*>(&from), &size);
  std::string text;
  char letter = 0;
  while (read(visitor, &letter, 1) == 1) text += letter;
  say("visitors %d %s from %d", found, text.c_str(), ntohs(from.sin_port));
  close(visitor);
  close(listener);
}

void pipes() {
  int ends[2];
  if (pipe(ends) != 0) return;
  std::thread writer([&] {
    for (int i = 0; i < 3; ++i) {
      usleep(1500);
      const char letter = static_cast<char>('x' + i);
      if (write(ends[1], &letter, 1) != 1) std::puts("not written");
    }
    close(ends[1]);
  });
  std::string text;
  char letter = 0;
  while (read(ends[0], &letter, 1) == 1) text += letter;
  writer.join();
  close(ends[0]);
  say("pipes %s", text.c_str());
}

void children() {
  const pid_t child = fork();
  if (child == 0) _exit(3);
  int status = 0;
  waitpid(child, &status, 0);
  say("children %d system %d", WEXITSTATUS(status), WEXITSTATUS(system("exit 4")));
}

void futex() {
  int word = 0;
  syscall(SYS_futex, &word, 1 /* FUTEX_WAKE */, 1, nullptr, nullptr, 0);
  say("futex %s", "passed");
}

volatile sig_atomic_t got_signal = 0;
void on_signal(int number) { got_signal = number; }

/// Ended by the caller.
/// The second is set before the first has come, the third is taken back.
void alarms() {
  signal(SIGALRM, on_signal);
  alarm(2);
  const double begin_ms = now_ms();
  usleep(500'000);
  const unsigned left_s = alarm(1);
  pause();
  say("alarms %d after %.0f ms, %u s were left, none %u", static_cast<int>(got_signal),
      now_ms() - begin_ms, left_s, alarm(0));
  got_signal = 0;
}

/// Without a handler it ends the program.
void last_alarm() {
  alarm(1);
  pause();
}

void signals() {
  signal(SIGTERM, on_signal);
  while (got_signal == 0) usleep(100000);
  usleep(500000);  // time is free now
  say("signals %d", static_cast<int>(got_signal));
}

struct Part {
  const char* name;
  void (*run)();
  bool by_default;
};
constexpr Part kParts[] = {
    {"race", race, true},         {"queue", queue, true},   {"semaphores", semaphores, true},
    {"once", once, true},         {"ends", ends, true},     {"priorities", priorities, true},
    {"clocks", clocks, true},     {"chance", chance, true}, {"sockets", sockets, true},
    {"visitors", visitors, true}, {"pipes", pipes, true},   {"children", children, true},
    {"futex", futex, false},      {"alarms", alarms, true}, {"last-alarm", last_alarm, false},
    {"signals", signals, true},
};

}  // namespace

int main(int count, char** arguments) {
  for (const Part& part : kParts) {
    bool asked = count == 1 && part.by_default;
    for (int i = 1; i < count; ++i) asked |= std::strcmp(arguments[i], part.name) == 0;
    if (asked) part.run();
  }
  std::fflush(stdout);
  return 0;
}
