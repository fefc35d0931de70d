// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The double of the PX4 library, built as one that keeps its parameter functions to itself.
#define PX4_DOUBLE_WITHOUT_AUTOSAVE
#include "tests/doubles/px4_library/double.cpp"  // NOLINT: the same program, built differently
#include "tests/doubles/px4_library/flight.cpp"  // NOLINT
