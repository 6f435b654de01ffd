// From points and groups to a catalogue that a device makes, and the host gets. For host compilers.
#pragma once
#include <fmt/format.h>

#include <optional>
#include <span>
#include <utility>

#include "catalogue_there.hpp"
#include "checked_catalogue.hpp"
#include "zwalk/run/call.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// A catalogue that a device has, on the host.
template <class P>
FofCatalogue to_host(P& device, CatalogueOn<P> there) {
    FofCatalogue here;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (download(device, field<I>(here), std::move(field<I>(there))), ...);
    }
    (FieldSequence<FofCatalogue>{});
    return here;
}
/// None: there isn't enough memory.
template <class T, class P>
std::optional<FofCatalogue> make_catalogue(P& device, GroupsAsked<T> const& asked) {
    auto there = CatalogueThere<T, P>::make(device, asked);
    if (!there) return std::nullopt;
    return to_host(device, std::move(*there));
}

/// Points on the host with what a catalogue wants of them, on a device.
template <class T, class P>
class BesideThere {
  public:
    /// Bytes that it takes.
    static std::uint64_t bytes(Points<T> points, CatalogueOptions<T> const& o) {
        return brought_bytes(points) + brought_bytes(o.velocities) + o.masses.size_bytes();
    }
    BesideThere(P& device, Points<T> points, CatalogueOptions<T> const& o)
        : dim_(points.dim),
          x_(bring(device, points)),
          v_(bring(device, o.velocities)),
          mass_(CatalogueThere<T, P>::bring(device, o.masses)),
          size_(points.size),
          moving_(o.velocities.size) {}
    [[nodiscard]] DevicePoints<T> points() const { return {x_.data(), size_, dim_}; }
    [[nodiscard]] GroupsAsked<T> asked(pos_t const* root, pos_t const* z_order, std::size_t min_members,
                                       Axes const& axes) const {
        return {points(), {v_.data(), moving_, dim_}, mass_.data(), root, z_order, min_members, axes};
    }

  private:
    static DeviceBuffer<T> bring(P& device, Points<T> rows) {
        return CatalogueThere<T, P>::bring(
            device, std::span<T const>(rows.data, rows.size * std::size_t(rows.dim)));
    }
    int dim_;
    DeviceBuffer<T> x_, v_, mass_;
    std::size_t size_, moving_;
};

/// fof_catalogue() of points and groups of the host.
template <class T, class P>
FofCatalogue catalogue_of(P& device, Points<T> points, FofResult<> const& groups,
                          CatalogueOptions<T> const& o) {
    check_groups(points.size, groups.root.size());
    Axes axes;
    Cpu().run([&] {
        check_catalogue_options(points, o);
        axes = axes_of(o.box, points);
    });
    std::uint64_t const each = 2 * sizeof(pos_t) + catalogue_point_bytes,
                        all = BesideThere<T, P>::bytes(points, o) + each * points.size;
    if (all <= Preparation<T, P>::available(device)) {
        BesideThere<T, P> const there(device, points, o);
        using There = CatalogueThere<T, P>;
        auto const root = There::bring(device, std::span<pos_t const>(groups.root)),
                   z_order = There::bring(device, std::span<pos_t const>(groups.z_order));
        auto made =
            make_catalogue<T>(device, there.asked(root.data(), z_order.data(), o.min_members, axes));
        if (made) return std::move(*made);
    }
    return fof_catalogue(points, groups, o);
}

/// fof_catalogue() of points and groups that are there.
template <class T, class P>
FofCatalogue catalogue_of(P& device, DevicePoints<T> points, FofResult<P> const& groups,
                          CatalogueOptions<T, P> const& o) {
    check_groups(points.size, groups.root.size());
    auto const brought = Preparation<T, P>::bring(device, points, "points", !o.box.empty());
    Beside const given(o);
    if (given.masses) {
        check_masses_shape(points.size, o.masses.size());
        CatalogueThere<T, P>::check_masses(device, o.masses);
    }
    if (given.velocities) {
        check_velocities_shape(points.size, points.dim, o.velocities.size, o.velocities.dim);
        (void)Preparation<T, P>::bring(device, o.velocities, "velocities", false);
    }
    auto made = make_catalogue<T>(
        device, {points, o.velocities, o.masses.empty() ? nullptr : o.masses.data(), groups.root.data(),
                 groups.z_order.data(), o.min_members, axes_of(o.box, brought.extent, points.size)});
    if (!made)
        throw Error(fmt::format("the device's memory doesn't suffice for the catalogue of {} points",
                                points.size));
    return std::move(*made);
}

}}}  // namespace zwalk::v0::detail
