// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/socket.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/socket.h>

#include <chrono>
#include <ctime>
#include <string>
#include <thread>

#include "tactus/core/error.h"

namespace tactus {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::byte> bytes_of(std::string_view text) {
  std::vector<std::byte> bytes;
  bytes.reserve(text.size());
  for (const char letter : text) bytes.push_back(static_cast<std::byte>(letter));
  return bytes;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Deadline in_ms(std::uint64_t ms) { return Deadline::after(DurationUs(ms * 1000)); }

struct Pair {
  TcpListener listener{0, "a test"};
  TcpStream near = *TcpStream::connect(listener.port(), in_ms(2000));
  TcpStream far = *listener.accept(in_ms(2000));
};

TEST(Socket, TcpCarriesBytesBothWays) {
  Pair pair;
  std::vector<std::byte> got;
  EXPECT_EQ(pair.near.send(bytes_of("abc"), in_ms(1000)), ReceiveResult::kData);
  EXPECT_EQ(pair.far.receive(got, in_ms(1000)), ReceiveResult::kData);
  EXPECT_EQ(pair.far.send(bytes_of("de"), in_ms(1000)), ReceiveResult::kData);
  EXPECT_EQ(pair.near.receive(got, in_ms(1000)), ReceiveResult::kData);
  EXPECT_EQ(got, bytes_of("abcde"));  // appended
}

TEST(Socket, SilenceEndsAtTheDeadline) {
  Pair pair;
  std::vector<std::byte> got;
  const auto start = Clock::now();
  EXPECT_EQ(pair.near.receive(got, in_ms(150)), ReceiveResult::kTimeout);
  EXPECT_GE(seconds_since(start), 0.149);
  EXPECT_LT(seconds_since(start), 2.0);
  EXPECT_EQ(pair.near.receive(got, Deadline::now()), ReceiveResult::kTimeout);
}

/// CPU time of this thread while it waits in vain for `wait_ms`.
double cpu_of_a_vain_wait_s(std::uint64_t wait_ms) {
  const auto cpu_s = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  Pair pair;
  std::vector<std::byte> got;
  const double start_s = cpu_s();
  EXPECT_EQ(pair.near.receive(got, in_ms(wait_ms)), ReceiveResult::kTimeout);
  return cpu_s() - start_s;
}

TEST(Socket, AWaitPollsForAMomentAndThenBlocks) { EXPECT_LT(cpu_of_a_vain_wait_s(300), 0.03); }

TEST(Socket, WithOneCoreAWaitBlocksAtOnceAndIsWoken) {
  std::thread([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);  // the peer's thread inherits it
    Pair pair;
    std::jthread peer([&pair] {
      for (int i = 0; i < 100; ++i) {
        std::vector<std::byte> question;
        ASSERT_EQ(pair.far.receive(question, in_ms(5000)), ReceiveResult::kData);
        ASSERT_EQ(pair.far.send(question, in_ms(5000)), ReceiveResult::kData);
      }
    });
    for (int i = 0; i < 100; ++i) {
      std::vector<std::byte> answer;
      ASSERT_EQ(pair.near.send(bytes_of("?"), in_ms(5000)), ReceiveResult::kData);
      ASSERT_EQ(pair.near.receive(answer, in_ms(5000)), ReceiveResult::kData);
    }
  }).join();
}

TEST(Socket, AConnectionThatCannotBeHadIsAnErrorNotALoop) {
  TcpListener listener(0, "a test");
  ASSERT_EQ(::shutdown(listener.descriptor(), SHUT_RDWR), 0);  // from now on accept4() fails
  std::string text;
  try {
    listener.accept(in_ms(2000));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    text = error.what();
  }
  EXPECT_NE(text.find("cannot accept"), std::string::npos) << text;
  EXPECT_NE(text.find(std::to_string(listener.port())), std::string::npos) << text;
}

TEST(Socket, TheUserEndsAWaitWithoutDeadline) {
  Pair pair;
  std::vector<std::byte> got;
  int asked = 0;
  const Interrupted third = [&asked] { return ++asked >= 3; };
  const auto start = Clock::now();
  EXPECT_EQ(pair.near.receive(got, Deadline::after(DurationUs(0)), third),
            ReceiveResult::kInterrupted);
  EXPECT_LT(seconds_since(start), 2.0);
  asked = 0;
  EXPECT_EQ(wait_until(in_ms(10'000), third), WaitResult::kInterrupted);
}

TEST(Socket, AClosedConnectionIsDistinguishedFromSilence) {
  Pair pair;
  std::vector<std::byte> got;
  { const TcpStream gone = std::move(pair.far); }
  EXPECT_EQ(pair.near.receive(got, in_ms(1000)), ReceiveResult::kClosed);
  // The first bytes may still be taken by the kernel; after its refusal nothing is.
  ReceiveResult sent = ReceiveResult::kData;
  for (int i = 0; i < 50 && sent == ReceiveResult::kData; ++i) {
    sent = pair.near.send(bytes_of("x"), in_ms(1000));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(sent, ReceiveResult::kClosed);
}

// The peer does not read: the buffers of the kernel fill, and sending ends at its deadline.
TEST(Socket, SendingIntoAFullPipeEndsAtTheDeadline) {
  Pair pair;
  const std::vector<std::byte> much(1 << 20);
  ReceiveResult sent = ReceiveResult::kData;
  for (int i = 0; i < 200 && sent == ReceiveResult::kData; ++i) {
    sent = pair.near.send(much, in_ms(100));
  }
  EXPECT_EQ(sent, ReceiveResult::kTimeout);
}

TEST(Socket, NoConnectionComesAndNoProgramListens) {
  TcpListener listener(0, "a test");
  EXPECT_FALSE(listener.accept(in_ms(50)).has_value());
  std::uint16_t free_port = 0;
  {
    const TcpListener short_lived(0, "a test");
    free_port = short_lived.port();
  }
  EXPECT_FALSE(TcpStream::connect(free_port, in_ms(50)).has_value());
}

TEST(Socket, ATakenPortIsNamedWithAdvice) {
  const TcpListener tcp(0, "a test");
  const UdpSocket udp(0, "a test");
  try {
    const TcpListener second(tcp.port(), "PX4 (MAVLink HIL)");
    FAIL() << "opened twice";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    const std::string text = error.what();
    EXPECT_NE(text.find("TCP port " + std::to_string(tcp.port())), std::string::npos) << text;
    EXPECT_NE(text.find("PX4 (MAVLink HIL)"), std::string::npos) << text;
    EXPECT_NE(text.find("another port (of a simulator: port)"), std::string::npos) << text;
    EXPECT_NE(text.find("another instance"), std::string::npos) << text;
  }
  EXPECT_THROW(UdpSocket(udp.port(), "again"), Error);
}

TEST(Socket, PeersAreReadAndWritten) {
  EXPECT_EQ(parse_ipv4("127.0.0.1"), UdpPeer::kThisMachine);
  EXPECT_EQ(parse_ipv4("localhost"), UdpPeer::kThisMachine);
  EXPECT_EQ(parse_ipv4("192.168.1.7"), 0xC0A80107U);
  for (const char* wrong : {"", "127.0.0", "256.0.0.1", "here", "::1", "1.2.3.4 "}) {
    EXPECT_FALSE(parse_ipv4(wrong).has_value()) << wrong;
  }
  EXPECT_EQ(to_text(UdpPeer(14550, 0xC0A80107U)), "192.168.1.7:14550");
  EXPECT_TRUE(UdpPeer(1).is_local());
  EXPECT_FALSE(UdpPeer(1, 0xC0A80107U).is_local());
}

TEST(Socket, UdpKeepsDatagramsApartAndReportsTheSender) {
  UdpSocket a(0, "a test"), b(0, "a test");
  a.send_to(b.port(), bytes_of("one"));
  a.send_to(b.port(), bytes_of("three"));
  std::vector<std::byte> got;
  UdpPeer from;
  ASSERT_EQ(b.receive(got, in_ms(1000), {}, &from), ReceiveResult::kData);
  EXPECT_EQ(got, bytes_of("one"));
  EXPECT_EQ(from, UdpPeer(a.port()));
  ASSERT_EQ(b.receive(got, in_ms(1000)), ReceiveResult::kData);
  EXPECT_EQ(got, bytes_of("three"));
  EXPECT_EQ(b.receive(got, Deadline::now()), ReceiveResult::kTimeout);
}

TEST(Socket, ADatagramToNoListenerIsLostQuietly) {
  UdpSocket a(0, "a test");
  std::uint16_t free_port = 0;
  {
    const UdpSocket short_lived(0, "a test");
    free_port = short_lived.port();
  }
  a.send_to(free_port, bytes_of("x"));
  a.send_to(free_port, bytes_of("y"));
  std::vector<std::byte> got;
  EXPECT_EQ(a.receive(got, in_ms(30)), ReceiveResult::kTimeout);
}

}  // namespace
}  // namespace tactus
