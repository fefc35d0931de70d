// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Whom a conducted program may talk to besides Tactus: programs of this machine, and what they once
// sent. The conducted program is played by the test.

#include "tactus/link/net/outside_network.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/error.h"

namespace tactus {
namespace {

using conductor::RecordHeader;
using conductor::RecordKind;
using Bytes = std::vector<std::byte>;
using Message = OutsideNetwork::Message;

constexpr TimeUs kTick{4'000};

Bytes bytes_of(std::string_view text) {
  Bytes bytes;
  for (const char letter : text) bytes.push_back(static_cast<std::byte>(letter));
  return bytes;
}

Deadline soon() { return Deadline::after(DurationUs(10'000'000)); }

/// A port that nothing has: the next one that is asked for is another.
std::uint16_t free_udp_port() {
  std::uint16_t port = 0;
  do {
    port = UdpSocket(0, "a test").port();
  } while (port >= 49'152);  // those are not asked for by number
  return port;
}
std::uint16_t free_tcp_port() { return TcpListener(0, "a test").port(); }

Message record(RecordKind kind, std::uint32_t id, std::uint16_t own, std::uint16_t peer,
               Bytes bytes = {}) {
  Message message{};
  message.header.kind = kind;
  message.header.id = id;
  message.header.own_port = own;
  message.header.peer_port = peer;
  message.header.peer_address = UdpPeer::kThisMachine;
  message.bytes = std::move(bytes);
  return message;
}

/// The network, and the end of it that is the conducted program's.
class Bench {
 public:
  void bound(std::uint16_t port) { network.take(record(RecordKind::kBound, 0, port, 0)); }
  void listens(std::uint16_t port) { network.take(record(RecordKind::kListen, 0, port, 0)); }
  void connects(std::uint32_t id, std::uint16_t to) {
    network.take(record(RecordKind::kConnect, id, 50'000, to));
  }
  void sends(std::uint32_t id, Bytes bytes) {
    network.take(record(RecordKind::kStream, id, 0, 0, std::move(bytes)));
  }
  void closes(std::uint32_t id) { network.take(record(RecordKind::kClosed, id, 0, 0)); }

  /// What comes within a tick.
  std::vector<Message> tick() {
    std::vector<Message> messages;
    network.receive(kTick, messages);
    return messages;
  }
  /// The next message; the network of the machine takes its time.
  Message next() {
    for (int i = 0; i < 10'000 && arrived_.empty(); ++i) {
      for (Message& message : tick()) arrived_.push_back(std::move(message));
      if (arrived_.empty()) wait_until(Deadline::after(DurationUs(1'000)), {});
    }
    if (arrived_.empty()) throw Error(ExitCode::kPeer, "nothing came");
    Message message = std::move(arrived_.front());
    arrived_.erase(arrived_.begin());
    return message;
  }
  /// So many bytes of a stream.
  Bytes stream(std::uint32_t id, std::size_t size) {
    Bytes bytes;
    while (bytes.size() < size) {
      const Message message = next();
      EXPECT_EQ(message.header.kind, RecordKind::kStream);
      EXPECT_EQ(message.header.id, id);
      bytes.insert(bytes.end(), message.bytes.begin(), message.bytes.end());
    }
    return bytes;
  }

  MachineNetwork network{"the program"};

 private:
  std::vector<Message> arrived_;
};

std::string refused(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    return error.what();
  }
  return "not at all";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(MachineNetwork, DatagramsGoBothWaysAtThePortOfTheProgram) {
  Bench bench;
  const std::uint16_t port = free_udp_port();
  bench.bound(port);
  EXPECT_TRUE(bench.tick().empty());
  UdpSocket visitor(0, "a test");
  visitor.send_to(port, bytes_of("question"));
  const Message question = bench.next();
  EXPECT_EQ(question.header.kind, RecordKind::kDatagram);
  EXPECT_EQ(question.header.own_port, port);
  EXPECT_EQ(question.header.peer_port, visitor.port());
  EXPECT_EQ(question.header.peer_address, UdpPeer::kThisMachine);
  EXPECT_EQ(question.bytes, bytes_of("question"));

  bench.network.take(record(RecordKind::kDatagram, 0, port, visitor.port(), bytes_of("answer")));
  Bytes answer;
  UdpPeer from;
  EXPECT_EQ(visitor.receive(answer, soon(), {}, &from), ReceiveResult::kData);
  EXPECT_EQ(answer, bytes_of("answer"));
  EXPECT_EQ(from, UdpPeer(port));
}

TEST(MachineNetwork, APortThatTheProgramDidNotChooseIsAnyFreeOne) {
  Bench bench;
  UdpSocket visitor(0, "a test");
  constexpr std::uint16_t kChosenForIt = 49'153;
  bench.network.take(
      record(RecordKind::kDatagram, 0, kChosenForIt, visitor.port(), bytes_of("first")));
  Bytes first;
  UdpPeer from;
  ASSERT_EQ(visitor.receive(first, soon(), {}, &from), ReceiveResult::kData);
  visitor.send_to(from, bytes_of("back"));
  const Message back = bench.next();
  EXPECT_EQ(back.header.own_port, kChosenForIt);
  EXPECT_EQ(back.bytes, bytes_of("back"));
}

TEST(MachineNetwork, ThePeerThatSendsWithoutPauseGetsItsShareOfATick) {
  Bench bench;
  const std::uint16_t port = free_udp_port();
  bench.bound(port);
  UdpSocket visitor(0, "a test");
  for (int i = 0; i < 2000; ++i) visitor.send_to(port, Bytes(100));
  std::size_t messages = bench.tick().size();
  EXPECT_GT(messages, 0U);
  EXPECT_LE(messages, 16U);
}

TEST(MachineNetwork, ConnectionsAreAcceptedAndClosedByEitherSide) {
  Bench bench;
  const std::uint16_t port = free_tcp_port();
  bench.listens(port);
  auto visitor = TcpStream::connect(port, soon());
  ASSERT_TRUE(visitor.has_value());
  const Message incoming = bench.next();
  EXPECT_EQ(incoming.header.kind, RecordKind::kIncoming);
  EXPECT_EQ(incoming.header.own_port, port);
  const std::uint32_t id = incoming.header.id;
  visitor->send(bytes_of("question"), soon());
  EXPECT_EQ(bench.stream(id, 8), bytes_of("question"));
  bench.sends(id, bytes_of("answer"));
  Bytes answer;
  EXPECT_EQ(visitor->receive(answer, soon()), ReceiveResult::kData);
  EXPECT_EQ(answer, bytes_of("answer"));
  bench.closes(id);
  EXPECT_EQ(visitor->receive(answer, soon()), ReceiveResult::kClosed);

  auto second = TcpStream::connect(port, soon());
  const std::uint32_t other = bench.next().header.id;
  EXPECT_NE(other, id);
  second->send(bytes_of("bye"), soon());
  second.reset();
  EXPECT_EQ(bench.stream(other, 3), bytes_of("bye"));
  const Message closed = bench.next();
  EXPECT_EQ(closed.header.kind, RecordKind::kClosed);
  EXPECT_EQ(closed.header.id, other);
  bench.sends(other, bytes_of("too late"));  // goes nowhere
  EXPECT_TRUE(bench.tick().empty());
}

TEST(MachineNetwork, WhatTheProgramConnectsToMayComeLater) {
  Bench bench;
  const std::uint16_t port = free_tcp_port();
  bench.connects(5, port);
  EXPECT_TRUE(bench.tick().empty());
  TcpListener visitor(port, "a test");
  const Message accepted = bench.next();
  EXPECT_EQ(accepted.header.kind, RecordKind::kAccepted);
  EXPECT_EQ(accepted.header.id, 5U);
  auto stream = visitor.accept(soon());
  ASSERT_TRUE(stream.has_value());
  bench.sends(5, bytes_of("hello"));
  Bytes hello;
  EXPECT_EQ(stream->receive(hello, soon()), ReceiveResult::kData);
  EXPECT_EQ(hello, bytes_of("hello"));
}

TEST(MachineNetwork, AConnectionThatTheProgramGaveUpIsNotMade) {
  Bench bench;
  const std::uint16_t port = free_tcp_port();
  bench.connects(5, port);
  bench.closes(5);
  TcpListener visitor(port, "a test");
  EXPECT_TRUE(bench.tick().empty());
  EXPECT_FALSE(visitor.accept(Deadline::now()).has_value());
}

TEST(MachineNetwork, OneThatReadsLateGetsAllOfIt) {
  Bench bench;
  const std::uint16_t port = free_tcp_port();
  bench.listens(port);
  auto visitor = TcpStream::connect(port, soon());
  const std::uint32_t id = bench.next().header.id;
  constexpr std::size_t kPieces = 48;
  Bytes sent;
  for (std::size_t i = 0; i < kPieces; ++i) {
    const Bytes piece(1U << 16U, static_cast<std::byte>(i));
    sent.insert(sent.end(), piece.begin(), piece.end());
    bench.sends(id, piece);
  }
  Bytes got;
  while (got.size() < sent.size()) {
    ASSERT_TRUE(bench.tick().empty());
    ASSERT_NE(visitor->receive(got, Deadline::after(DurationUs(1'000))), ReceiveResult::kClosed);
  }
  EXPECT_TRUE(got == sent);
}

TEST(MachineNetwork, OneThatDoesNotReadIsLeft) {
  Bench bench;
  const std::uint16_t port = free_tcp_port();
  bench.listens(port);
  const auto visitor = TcpStream::connect(port, soon());
  const std::uint32_t id = bench.next().header.id;
  std::vector<Message> closed;
  for (int i = 0; i < 400 && closed.empty(); ++i) {
    bench.sends(id, Bytes(1U << 16U));
    closed = bench.tick();
  }
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].header.kind, RecordKind::kClosed);
  EXPECT_EQ(closed[0].header.id, id);
}

TEST(MachineNetwork, APortThatIsTakenIsNamedWithTheProgram) {
  Bench bench;
  const UdpSocket udp(0, "a test");
  if (udp.port() < 49'152) {
    const std::string text = refused([&] { bench.bound(udp.port()); });
    EXPECT_TRUE(has(text, std::to_string(udp.port())) && has(text, "the program")) << text;
  }
  const TcpListener tcp(0, "a test");
  const std::string text = refused([&] { bench.listens(tcp.port()); });
  EXPECT_TRUE(has(text, std::to_string(tcp.port())) && has(text, "the program")) << text;
}

TEST(MachineNetwork, SixtyFourPortsAndConnectionsAreEnough) {
  Bench bench;
  constexpr std::uint16_t kFirst = 49'200;
  for (std::uint16_t i = 0; i < 64; ++i) bench.bound(kFirst + i);
  bench.bound(kFirst);  // no further one
  EXPECT_TRUE(has(refused([&] { bench.bound(kFirst + 64); }), "opens more than 64 ports"));

  const std::uint16_t port = free_tcp_port();
  bench.listens(port);
  std::vector<TcpStream> visitors;
  for (int i = 0; i < 65; ++i) {
    auto visitor = TcpStream::connect(port, soon());
    ASSERT_TRUE(visitor.has_value());
    visitors.push_back(std::move(*visitor));
    if (i < 64) {
      EXPECT_EQ(bench.next().header.kind, RecordKind::kIncoming);
    }
  }
  EXPECT_TRUE(bench.tick().empty());
  visitors.erase(visitors.begin());
  EXPECT_EQ(bench.next().header.kind, RecordKind::kClosed);
  EXPECT_EQ(bench.next().header.kind, RecordKind::kIncoming) << "there is room again";
}

TEST(MachineNetwork, AProgramThatBeginsAgainFindsItsPortsFree) {
  Bench bench;
  const std::uint16_t udp = free_udp_port();
  const std::uint16_t tcp = free_tcp_port();
  bench.bound(udp);
  bench.listens(tcp);
  auto visitor = TcpStream::connect(tcp, soon());
  bench.next();
  bench.network.reset();
  Bytes none;
  EXPECT_EQ(visitor->receive(none, soon()), ReceiveResult::kClosed);
  bench.bound(udp);
  bench.listens(tcp);
  std::vector<int> descriptors;
  bench.network.add_descriptors(descriptors);
  EXPECT_EQ(descriptors.size(), 2U);
}

// ---- recordings

using Received = std::vector<ReceivedBytes>;

/// Brings the same messages at each of its ticks.
class ScriptedNetwork final : public OutsideNetwork {
 public:
  explicit ScriptedNetwork(std::vector<Message> script) : script_(std::move(script)) {}
  void take(const Message& /*message*/) override {}
  void receive(TimeUs /*now*/, std::vector<Message>& messages) override { messages = script_; }
  void reset() override {}

 private:
  std::vector<Message> script_;
};

std::vector<Message> played(const Received& received, TimeUs now) {
  RecordedNetwork network(std::make_shared<const Received>(received));
  std::vector<Message> messages;
  network.receive(now, messages);
  return messages;
}

/// A tick of all kinds of messages, as it is kept.
Received kept(const std::vector<Message>& messages) {
  ConductedProgram program("a test", 1);
  Attachment attachment(std::make_unique<ScriptedNetwork>(messages));
  attachment.begin(program);
  attachment.bring(program, kTick);
  Received received{{kTick, attachment.take_bytes()}};
  EXPECT_TRUE(attachment.take_bytes().empty()) << "each byte once";
  return received;
}

std::vector<Message> some_messages() {
  return {record(RecordKind::kDatagram, 0, 14'580, 14'550, bytes_of("odd")),
          record(RecordKind::kIncoming, 0x80000001, 5760, 49'152),
          record(RecordKind::kStream, 0x80000001, 0, 0, Bytes(4096, std::byte{7})),
          record(RecordKind::kDatagram, 0, 14'580, 14'550), record(RecordKind::kClosed, 1, 0, 0)};
}

TEST(RecordedNetwork, BringsWhatWasKeptAtItsTickAndAtNoOther) {
  const std::vector<Message> messages = some_messages();
  const Received received = kept(messages);
  EXPECT_TRUE(played(received, TimeUs{3'999}).empty());
  EXPECT_TRUE(played(received, TimeUs{4'001}).empty());
  const std::vector<Message> again = played(received, kTick);
  ASSERT_EQ(again.size(), messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    EXPECT_EQ(again[i].bytes, messages[i].bytes);
    EXPECT_EQ(again[i].header.kind, messages[i].header.kind);
    EXPECT_EQ(again[i].header.id, messages[i].header.id);
    EXPECT_EQ(again[i].header.own_port, messages[i].header.own_port);
    EXPECT_EQ(again[i].header.peer_port, messages[i].header.peer_port);
    EXPECT_EQ(again[i].header.peer_address, messages[i].header.peer_address);
  }
  EXPECT_EQ(kept(again)[0].bytes, received[0].bytes) << "a replay keeps the same again";
}

TEST(RecordedNetwork, PiecesOfOneTickComeInTheirOrder) {
  Received two = kept({record(RecordKind::kStream, 1, 0, 0, bytes_of("a"))});
  two.push_back(kept({record(RecordKind::kStream, 1, 0, 0, bytes_of("b"))})[0]);
  const std::vector<Message> messages = played(two, kTick);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].bytes, bytes_of("a"));
  EXPECT_EQ(messages[1].bytes, bytes_of("b"));
}

TEST(RecordedNetwork, ADamagedPieceIsAnErrorThatNamesItsTime) {
  const Bytes whole = kept(some_messages())[0].bytes;
  for (const std::size_t size :
       {std::size_t{1}, sizeof(RecordHeader) - 1, sizeof(RecordHeader) + 2, whole.size() - 1}) {
    Received received{{kTick, Bytes(whole.begin(), whole.begin() + static_cast<long>(size))}};
    try {
      played(received, kTick);
      ADD_FAILURE() << size;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
      EXPECT_TRUE(has(error.what(), "damaged") && has(error.what(), "t = 4ms")) << error.what();
    }
  }
  Message large = record(RecordKind::kStream, 1, 0, 0, Bytes(conductor::kBufferBytes));
  EXPECT_THROW(played(kept({large}), kTick), Error) << "more than the program can be given";
}

}  // namespace
}  // namespace tactus
