#include "sphere.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "../io/file.hpp"
#include "parse.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::apps {
namespace {

/// Whether a column is called lat, Latitude, dec, DEC_deg, DEJ2000 and the like, not late or decimal.
bool is_latitude(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    std::string const word = name.substr(
        0,
        std::size_t(std::find_if(name.begin(), name.end(), [](char c) { return c < 'a' || c > 'z'; }) -
                    name.begin()));
    return word == "lat" || word == "lats" || word == "latitude" || word == "dec" || word == "decl" ||
           word == "declination" || word == "dej" || word == "de";
}

void check_two(io::PointSet const& points, char const* name) {
    if (points.dim != 2)
        throw InputError(
            fmt::format("--sphere: {} have two columns, longitude and latitude, but there {} {} "
                        "(--columns says which)",
                        name, points.dim == 1 ? "is" : "are", points.dim));
    if (points.columns.empty() || !is_latitude(points.columns[0])) return;
    std::string const first = io::escaped(points.columns[0]), second = io::escaped(points.columns[1]);
    throw InputError(
        fmt::format("--sphere: longitude comes first, but the first column of the {} is called '{}' "
                    "(--columns {},{} changes their order)",
                    name, first, second, first));
}

}  // namespace

Sphere::Sphere(std::string const& unit, std::optional<io::Precision> precision, int threads)
    : unit_(unit), threads_(threads) {
    if (unit.empty()) return;
    parse_word("--sphere", unit, {"degrees", "radians"});
    precision_ = precision.value_or(io::Precision::f8);
    if (unit == "degrees") radian_ = 180 / std::numbers::pi;
}

io::ReadOptions Sphere::reading(io::ReadOptions options) const {
    if (*this) options.precision = io::Precision::f8;
    return options;
}

void Sphere::to_unit_vectors(io::PointSet& points, io::Precision precision, char const* name) const {
    if (!*this) return;
    check_two(points, name);
    if (precision == io::Precision::f4) fill<float>(points, name);
    else fill<double>(points, name);
    points.dim = 3;
}

template <class T>
void Sphere::fill(io::PointSet& points, char const* name) const {
    auto const* const angles = points.points<double>().data;
    // A pole in float32 is a little further than it is.
    double const pole = unit_ == "degrees" ? 90 : double(float(std::numbers::pi / 2));
    for (std::size_t i = 0; i < points.size; ++i) {
        double const lon = angles[2 * i], lat = angles[2 * i + 1];
        if (!std::isfinite(lon) || !(std::abs(lat) <= pole))
            throw InputError(
                fmt::format("{}: row {} has longitude {} and latitude {}: longitudes are finite, "
                            "latitudes from {:.6g} to {:.6g} {}",
                            name, i, lon, lat, -pole, pole, unit_));
    }
    Buffer<T> unit(3 * points.size);
    Cpu(threads_).for_each(points.size, [&](std::size_t i) {
        double const lon = angles[2 * i] / radian_, lat = angles[2 * i + 1] / radian_;
        unit[3 * i] = T(std::cos(lat) * std::cos(lon));
        unit[3 * i + 1] = T(std::cos(lat) * std::sin(lon));
        unit[3 * i + 2] = T(std::sin(lat));
    });
    points.rows = std::move(unit);
}

template <class T>
T Sphere::angle(T chord) const {
    if (std::isinf(chord)) return chord;
    return T(2 * std::asin(std::min(double(chord), 2.) / 2) * radian_);
}

template <class T>
T Sphere::largest_chord(double angle) const {
    T chord = T(2 * std::sin(angle / radian_ / 2));
    while (double(this->angle(chord)) > angle) chord = std::nextafter(chord, T(0));
    for (T next = chord; double(this->angle(next = std::nextafter(chord, T(3)))) <= angle;) chord = next;
    return chord;
}

double Sphere::chord(std::string const& option, double length) const {
    if (!*this) return length;
    double const half_turn = std::numbers::pi * radian_;
    if (!(length >= 0 && length <= double(float(half_turn))))
        throw InputError(fmt::format("{} must be an angle from 0 to {:.6g} {}, but is {}", option,
                                     half_turn, unit_, length));
    if (length >= half_turn) return 3;  // everything, however unit vectors are rounded
    return precision_ == io::Precision::f4 ? double(largest_chord<float>(length))
                                           : largest_chord<double>(length);
}

template <class T>
void Sphere::to_angles(Buffer<T>& chords) const {
    if (*this)
        Cpu(threads_).for_each(chords.size(), [&](std::size_t i) { chords[i] = angle(chords[i]); });
}
template <class T>
void Sphere::to_ascending_angles(Buffer<T>& chords) const {
    to_angles(chords);
    if (!*this) return;
    for (std::size_t i = 1; i < chords.size(); ++i) chords[i] = std::max(chords[i], chords[i - 1]);
}
template void Sphere::to_angles(Buffer<float>&) const;
template void Sphere::to_angles(Buffer<double>&) const;
template void Sphere::to_ascending_angles(Buffer<float>&) const;
template void Sphere::to_ascending_angles(Buffer<double>&) const;
template double Sphere::angle(double) const;

double Sphere::angle_from(double norm, double distance) const {
    // d^2 = (1 - |c|)^2 + 4 |c| sin^2(a / 2)
    if (norm == 0) return std::numbers::pi * radian_;  // no direction
    double const inside = 1 - norm;
    double const square = (distance * distance - inside * inside) / (4 * norm);
    return 2 * std::asin(std::sqrt(std::clamp(square, 0., 1.))) * radian_;
}

Sphere::Place Sphere::place_of(double const* v) const {
    return {std::atan2(v[1], v[0]) * radian_, std::atan2(v[2], std::hypot(v[0], v[1])) * radian_};
}

std::string Sphere::shown(double length) const {
    return *this ? fmt::format("{:.10g} {}", angle(length), unit_) : fmt::format("{}", length);
}
std::string Sphere::where(int dim) const {
    return *this ? "on a sphere" : fmt::format("in {} dimensions", dim);
}

void Sphere::refuse(bool asked, char const* what) const {
    if (*this && asked) throw InputError(fmt::format("--sphere: {}", what));
}

void add_sphere_option(Command& command, std::string& sphere) {
    command.add_option("--sphere", sphere,
                       "Points are longitudes and latitudes on a sphere, in degrees or radians; lengths "
                       "in options and results are angles");
}

}  // namespace zwalk::apps
