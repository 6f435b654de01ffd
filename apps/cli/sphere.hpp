// Points on a sphere: longitudes and latitudes in files, unit vectors in the library, angles in options and results.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../io/points.hpp"
#include "command_line.hpp"

namespace zwalk::apps {

/// The sphere that --sphere names. The distance of unit vectors is the chord between them, which ascends with the angle.
class Sphere {
  public:
    Sphere() = default;  ///< points are in space
    /// @param unit       degrees or radians; "": points are in space
    /// @param precision  of unit vectors; none: float64
    /// @param threads    for conversions; 0: all
    /// @throws InputError  another word
    Sphere(std::string const& unit, std::optional<io::Precision> precision, int threads);

    explicit operator bool() const { return !unit_.empty(); }
    /// How files are read: in double, whatever the unit vectors become. In space as `options` have it.
    [[nodiscard]] io::ReadOptions reading(io::ReadOptions options) const;
    /// Longitudes and latitudes become unit vectors of this precision, `name` in messages. Points in space stay as they are.
    /// @throws InputError  other columns than two, an angle that isn't finite, a latitude beyond a pole
    void to_unit_vectors(io::PointSet& points, io::Precision precision, char const* name) const;
    void to_unit_vectors(io::PointSet& points) const { to_unit_vectors(points, precision_, "points"); }

    /// The chord that stands for a length given as an option: the largest whose angle, as results have it, is no more. In space
    /// the length itself.
    /// @throws InputError  no angle from 0 to half a turn
    [[nodiscard]] double chord(std::string const& option, double length) const;
    /// Chords become angles, in the unit; none (infinity) stays so. Lengths in space stay as they are.
    template <class T>
    void to_angles(Buffer<T>& chords) const;
    /// Chords that ascend become angles that do so, too, whatever their last bits.
    template <class T>
    void to_ascending_angles(Buffer<T>& chords) const;
    /// An angle from a chord.
    template <class T>
    [[nodiscard]] T angle(T chord) const;
    /// The angle between the direction of a point inside the unit sphere, `norm` from its centre, and a unit vector at this
    /// distance of it.
    [[nodiscard]] double angle_from(double norm, double distance) const;
    /// Longitude (-180 to 180 degrees) and latitude of a vector of any length.
    struct Place {
        double lon, lat;
    };
    [[nodiscard]] Place place_of(double const* vector) const;

    /// A length as a summary has it.
    [[nodiscard]] std::string shown(double length) const;
    /// "in 3 dimensions", or "on a sphere"
    [[nodiscard]] std::string where(int dim) const;

    /// @throws InputError  on a sphere: `what`, which is for points in space
    void refuse(bool asked, char const* what) const;

  private:
    template <class T>
    [[nodiscard]] T largest_chord(double angle) const;
    template <class T>
    void fill(io::PointSet& points, char const* name) const;

    std::string unit_;
    io::Precision precision_ = io::Precision::f8;
    int threads_ = 0;
    double radian_ = 1;  ///< in the unit
};

/// Adds --sphere to a command that has such points.
void add_sphere_option(Command& command, std::string& sphere);

}  // namespace zwalk::apps
