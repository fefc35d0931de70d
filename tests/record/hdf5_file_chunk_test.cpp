// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Chunks that the HDF5 library wrote, read by our own code: the bytes below are of files made by
// h5py. And what is not a chunk of the right size is refused.

#include "tactus/record/hdf5/hdf5_file_chunk.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>

namespace tactus {
namespace {

std::vector<std::byte> bytes_of(std::string_view hexadecimal) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes.push_back(std::byte(std::stoi(std::string(hexadecimal.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

/// arange(8) * 1000 as u4: shuffled, deflated.
const std::vector<std::byte> kNumbers =
    bytes_of("780163787161c7828e82080666766e7e61716906340000850404cadd4c3a8c");

TEST(Hdf5FileChunk, NumbersOfH5py) {
  std::array<std::uint32_t, 8> numbers{};
  ASSERT_TRUE(restore_chunk(kNumbers, {4, true, true}, std::as_writable_bytes(std::span(numbers))));
  for (std::uint32_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], i * 1000);
}

TEST(Hdf5FileChunk, AChunkThatWasNotDeflatedAndOfOddLength) {
  std::vector<std::byte> out(7);
  ASSERT_TRUE(restore_chunk(bytes_of("038d3b1a353a61e1d4f78a"), {1, true, false}, out));
  EXPECT_EQ(out, bytes_of("038d3b1a353a61"));
}

TEST(Hdf5FileChunk, AChecksumOverManyBytes) {
  std::vector<std::byte> stored(3001);
  for (std::size_t i = 0; i < stored.size(); ++i) stored[i] = std::byte(i * 7 % 251);
  const std::vector<std::byte> written = stored;
  for (const std::byte b : bytes_of("522282dd")) stored.push_back(b);
  std::vector<std::byte> out(3001);
  ASSERT_TRUE(restore_chunk(stored, {1, false, false}, out));
  EXPECT_EQ(out, written);
}

TEST(Hdf5FileChunk, EveryFlippedBitIsNoticed) {
  std::vector<std::byte> out(32);
  for (std::size_t bit = 0; bit < kNumbers.size() * 8; ++bit) {
    std::vector<std::byte> damaged = kNumbers;
    damaged[bit / 8] ^= std::byte{1} << bit % 8;
    EXPECT_FALSE(restore_chunk(damaged, {4, true, true}, out)) << "bit " << bit;
  }
}

TEST(Hdf5FileChunk, AChunkOfAnotherSizeIsRefused) {
  for (const std::size_t size : {0U, 28U, 31U, 33U, 36U, 64U}) {
    std::vector<std::byte> out(size);
    EXPECT_FALSE(restore_chunk(kNumbers, {4, true, true}, out)) << size;
    EXPECT_FALSE(restore_chunk(kNumbers, {4, true, false}, out)) << size;
  }
  std::vector<std::byte> out(32);
  for (std::size_t length = 0; length < kNumbers.size(); ++length) {
    EXPECT_FALSE(restore_chunk(std::span(kNumbers).first(length), {4, true, true}, out)) << length;
  }
}

}  // namespace
}  // namespace tactus
