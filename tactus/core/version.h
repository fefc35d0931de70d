// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

namespace tactus {

/// The one place where the version is written; CMake reads it from here.
/// A flight digest is promised for a released version: the first change after a release that alters
/// bits raises it.
inline constexpr char kVersion[] = "0.1.0";

}  // namespace tactus
