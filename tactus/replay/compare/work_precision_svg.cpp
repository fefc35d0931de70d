// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/compare/work_precision_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/printable.h"

namespace tactus {
namespace {

constexpr double kWidth = 760.0;
constexpr double kHeight = 520.0;
constexpr double kLeft = 78.0;
constexpr double kRight = 128.0;  ///< room for the legend
constexpr double kTop = 54.0;
constexpr double kBottom = 62.0;

/// Okabe and Ito's colours, which most people can tell apart, and a mark of its own per method.
struct Look {
  const char* colour;
  const char* mark;  ///< path around (0, 0)
};
constexpr Look kLooks[kMethods] = {
    {"#D55E00", "M-4,-4L4,4M-4,4L4,-4"},
    {"#0072B2", "M-4,-4H4V4H-4Z"},
    {"#009E73", "M0,-5L5,4H-5Z"},
    {"#000000", "M-4.5,0A4.5,4.5 0 1,0 4.5,0A4.5,4.5 0 1,0 -4.5,0Z"},
    {"#CC79A7", "M0,-5.5L5.5,0L0,5.5L-5.5,0Z"},
};

struct Point {
  double work = 0.0;
  double error = 0.0;
  std::string name;
};

struct Curve {
  Method method{};
  std::vector<Point> points;
};

std::vector<Curve> curves_of(const IntegrationComparison& comparison) {
  std::vector<Curve> curves;
  for (const ComparedFlight& line : comparison.flights) {
    const double error = line.errors.position_m.max;
    if (!line.flight.stopped.empty() || line.errors.rows == 0 || error <= 0.0) continue;
    const Method method = line.flight.solver.method;
    auto curve = std::find_if(curves.begin(), curves.end(),
                              [method](const Curve& c) { return c.method == method; });
    if (curve == curves.end()) curve = curves.insert(curves.end(), {method, {}});
    curve->points.push_back(
        {static_cast<double>(line.flight.totals.evaluations), error, line.flight.name});
  }
  for (Curve& curve : curves) {
    std::sort(curve.points.begin(), curve.points.end(),
              [](const Point& a, const Point& b) { return a.work < b.work; });
  }
  return curves;
}

/// A logarithmic axis over whole decades.
class Axis10 {
 public:
  Axis10(double low, double high, double from, double to)
      : first_(static_cast<int>(std::floor(std::log10(low)))),
        last_(std::max(first_ + 1, static_cast<int>(std::ceil(std::log10(high))))),
        from_(from),
        to_(to) {}
  [[nodiscard]] double at(double value) const {
    return from_ + (to_ - from_) * (std::log10(value) - first_) / (last_ - first_);
  }
  [[nodiscard]] int first() const { return first_; }
  [[nodiscard]] int last() const { return last_; }
  /// Decades between two labels, so that at most ten are written.
  [[nodiscard]] int stride() const { return (last_ - first_ + 9) / 10; }

 private:
  int first_;
  int last_;
  double from_;
  double to_;
};

struct Frame {
  Axis10 x;
  Axis10 y;
};

Frame frame_of(const std::vector<Curve>& curves) {
  double low_x = INFINITY, high_x = 0.0, low_y = INFINITY, high_y = 0.0;
  for (const Curve& curve : curves) {
    for (const Point& p : curve.points) {
      low_x = std::min(low_x, p.work);
      high_x = std::max(high_x, p.work);
      low_y = std::min(low_y, p.error);
      high_y = std::max(high_y, p.error);
    }
  }
  return {Axis10(low_x, high_x, kLeft, kWidth - kRight),
          Axis10(low_y, high_y, kHeight - kBottom, kTop)};
}

std::string grid_line(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2,
      y2, colour);
}

std::string power_of_ten(double x, double y, const char* anchor, int exponent) {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">10<tspan dy=\"-5\" "
      "font-size=\"9\">{}</tspan></text>\n",
      x, y, anchor, exponent < 0 ? fmt::format("−{}", -exponent) : fmt::format("{}", exponent));
}

std::string axes(const Frame& frame) {
  constexpr char kFine[] = "#EEEEEE";
  constexpr char kDecade[] = "#C4C4C4";
  const double bottom = kHeight - kBottom;
  const double right = kWidth - kRight;
  std::string svg;
  for (int e = frame.x.first(); e <= frame.x.last(); ++e) {
    for (int m = 2; m < 10 && e < frame.x.last(); ++m) {
      const double x = frame.x.at(m * std::pow(10.0, e));
      svg += grid_line(x, kTop, x, bottom, kFine);
    }
    const double x = frame.x.at(std::pow(10.0, e));
    svg += grid_line(x, kTop, x, bottom, kDecade);
    svg += power_of_ten(x, bottom + 20.0, "middle", e);
  }
  for (int e = frame.y.first(); e <= frame.y.last(); ++e) {
    const double y = frame.y.at(std::pow(10.0, e));
    svg += grid_line(kLeft, y, right, y, kDecade);
    if ((e - frame.y.first()) % frame.y.stride() == 0) {
      svg += power_of_ten(kLeft - 8.0, y + 4.0, "end", e);
    }
  }
  svg += fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#444444\"/>\n",
      kLeft, kTop, right - kLeft, bottom - kTop);
  svg += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">evaluations of the right-hand "
      "side</text>\n",
      0.5 * (kLeft + right), kHeight - 18.0);
  svg += fmt::format(
      "<text transform=\"translate(22,{:.1f}) rotate(-90)\" text-anchor=\"middle\">largest "
      "position "
      "error (m)</text>\n",
      0.5 * (kTop + bottom));
  return svg;
}

std::string mark(double x, double y, const Look& look, const std::string& tip) {
  return fmt::format(
      "<path transform=\"translate({:.1f},{:.1f})\" d=\"{}\" fill=\"{}\" stroke=\"{}\" "
      "stroke-width=\"1.5\"><title>{}</title></path>\n",
      x, y, look.mark, look.colour, look.colour, xml_text(tip));
}

std::string draw(const Curve& curve, const Frame& frame) {
  const Look& look = kLooks[static_cast<int>(curve.method)];
  std::string line;
  std::string marks;
  for (const Point& p : curve.points) {
    const double x = frame.x.at(p.work);
    const double y = frame.y.at(p.error);
    line += fmt::format("{}{:.1f},{:.1f}", line.empty() ? "" : " ", x, y);
    marks += mark(x, y, look, fmt::format("{}: {:.0f}, {:.2e} m", p.name, p.work, p.error));
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>\n",
                     line, look.colour) +
         marks;
}

std::string legend(const std::vector<Curve>& curves) {
  const double x = kWidth - kRight + 20.0;
  double y = kTop + 14.0;
  std::string svg;
  for (const Curve& curve : curves) {
    const Look& look = kLooks[static_cast<int>(curve.method)];
    svg += grid_line(x, y, x + 28.0, y, look.colour);
    svg += mark(x + 14.0, y, look, to_text(curve.method));
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 36.0, y + 4.0,
                       to_text(curve.method));
    y += 24.0;
  }
  return svg;
}

}  // namespace

std::string work_precision_svg(const std::string& title, const IntegrationComparison& comparison) {
  const std::vector<Curve> curves = curves_of(comparison);
  if (curves.empty()) {
    throw Error(ExitCode::kRunStopped, "no flight got to its end with an error to draw");
  }
  const Frame frame = frame_of(curves);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#222222\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#FFFFFF\"/>\n",
      kWidth, kHeight);
  svg +=
      fmt::format("<text x=\"{}\" y=\"24\" font-size=\"15\">{}</text>\n", kLeft, xml_text(title));
  svg += fmt::format(
      "<text x=\"{}\" y=\"42\" font-size=\"11\" fill=\"#555555\">against {}{}</text>\n", kLeft,
      xml_text(comparison.reference.name),
      comparison.cuts.empty() ? ""
                              : fmt::format(", in segments of {}", to_text(comparison.segment)));
  svg += axes(frame);
  for (const Curve& curve : curves) svg += draw(curve, frame);
  return svg + legend(curves) + "</svg>\n";
}

}  // namespace tactus
