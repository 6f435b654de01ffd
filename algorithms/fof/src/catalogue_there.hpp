// The catalogue on a device, as code without the device's headers asks for it: defined in device_catalogue.hpp, and for CudaDevice in the
// library.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "beside_points.hpp"
#include "moments.hpp"
#include "zwalk/core/device_points.hpp"
#include "zwalk/fof/catalogue.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// FofCatalogue in the memory of a device, member by member.
template <class P>
struct CatalogueOn {
    int dim = 0;
    DeviceBuffer<index_t> label, count;
    DeviceBuffer<double> mass, centre_of_mass, velocity, velocity_dispersion, inertia_radius;
    DeviceBuffer<index_t> most_distant;
    DeviceBuffer<double> radius;
    DeviceBuffer<index_t> first;
    DeviceBuffer<pos_t> order;
};

/// What a catalogue is made of: all in the device's memory, but for axes and numbers.
template <class T>
struct GroupsAsked {
    DevicePoints<T> points{}, velocities{};  ///< no velocities: of size 0
    T const* masses = nullptr;               ///< null: all 1
    pos_t const *root = nullptr, *z_order = nullptr;
    /// Of points in z-order, as ranks have them: their rows in the input, where z_order is null. Such labels may be too long for a
    /// key, so rows of the catalogue stay in group order.
    index_t const* input_index = nullptr;
    std::size_t min_members = 0;
    bool fits = false;  ///< there has been found to be memory for catalogue_bytes()
    Axes axes{};

    [[nodiscard]] bool in_z_order() const { return z_order == nullptr; }
};

/// What is allocated for so many bytes of arrays, with what sorts and counts need beside them, which is less than a twentieth.
inline double with_temporaries(double bytes) { return 1.05 * bytes; }
/// Bytes that a device needs for n points beside them and their groups: keys and rows, as they are sorted.
inline double catalogue_bytes(double n) {
    return with_temporaries(n * 2 * (sizeof(std::uint64_t) + sizeof(pos_t)));
}

template <class T, class P>
struct CatalogueThere {
    /// None: there isn't enough memory.
    static std::optional<CatalogueOn<P>> make(P& device, GroupsAsked<T> const& asked);
    /// @throws InputError  one of the masses isn't finite and above 0
    static void check_masses(P& device, std::span<T const> masses);
    static DeviceBuffer<T> bring(P& device, std::span<T const> values);
    static DeviceBuffer<pos_t> bring(P& device, std::span<pos_t const> values);
    static DeviceBuffer<index_t> bring(P& device, std::span<index_t const> values);
    /// Where there are counts of what the device has done, they become those of all that it has done so far.
    static void count_again(P& device, Stats& stats);
};

}}}  // namespace zwalk::v0::detail
