// From points and groups to a catalogue that a device makes, and the host gets. For host compilers.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "catalogue_there.hpp"
#include "checked_catalogue.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/timed.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/exec/device_memory_error.hpp"
#include "zwalk/fof/device_fof_memory.hpp"
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
template <class P>
std::optional<FofCatalogue> to_host(P& device, std::optional<CatalogueOn<P>> there) {
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
    /// What a catalogue of these is made of, but for the order of the points.
    [[nodiscard]] GroupsAsked<T> asked(pos_t const* root, std::size_t min_members,
                                       Axes const& axes) const {
        return {.points = points(),
                .velocities = {v_.data(), moving_, dim_},
                .masses = mass_.data(),
                .root = root,
                .min_members = min_members,
                .axes = axes};
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

/// Whether a device has memory for a catalogue of points on the host. What rows take, whose number isn't known, is looked at later.
/// @tparam Index  what comes with each point beside the position of its root
template <class Index, class T, class P>
bool has_memory(P& device, Points<T> points, CatalogueOptions<T> const& o) {
    double const n = double(points.size), given = double(BesideThere<T, P>::bytes(points, o)),
                 needed = given + n * (sizeof(pos_t) + sizeof(Index)) + catalogue_bytes(n);
    return needed <= double(Preparation<T, P>::available(device));
}
/// The catalogue of points on the host, where has_memory(). None: there isn't enough for the rows, or an allocation there fails.
/// @param index  z_order or input_index of GroupsAsked
template <class T, class P, class Index>
std::optional<FofCatalogue> catalogue_there(P& device, Points<T> points, CatalogueOptions<T> const& o,
                                            std::span<pos_t const> root, std::span<Index const> index,
                                            Axes const& axes) {
    using There = CatalogueThere<T, P>;
    auto there = unless_out_of_memory([&] {
        BesideThere<T, P> const beside(device, points, o);
        auto const root_there = There::bring(device, root);
        auto const index_there = There::bring(device, index);
        GroupsAsked<T> asked = beside.asked(root_there.data(), o.min_members, axes);
        asked.fits = true;
        if constexpr (std::is_same_v<Index, index_t>) asked.input_index = index_there.data();
        else asked.z_order = index_there.data();
        return There::make(device, asked);
    });
    return to_host(device, std::move(there));  // not above: memory of the host may fail here
}

template <class T>
CatalogueOptions<T> beside_of(Particles<T> const& own, std::size_t min_members) {
    return {.min_members = min_members, .masses = own.masses, .velocities = own.velocities};
}
/// Whether a device has memory for rows_of_rank().
template <class T, class P>
bool has_memory_for_rows(P& device, Particles<T> const& own) {
    return has_memory<index_t>(device, own.points, beside_of(own, 0));
}
/// Rows of the groups of at least so many points that a rank has, in group order, and that order; points are in z-order. For where
/// has_memory_for_rows(). None: there isn't enough after all.
/// @param root  of each point: the position of the first one of its group
template <class T, class P>
std::optional<FofCatalogue> rows_of_rank(P& device, Particles<T> const& own, std::span<pos_t const> root,
                                         std::size_t min_members) {
    return catalogue_there(device, own.points, beside_of(own, min_members), root,
                           std::span<index_t const>(own.input_index), own.axes);
}

/// The catalogue of groups that have been checked, with options that have been: by threads where the device's memory doesn't suffice.
template <class T, class P>
FofCatalogue checked_catalogue_of(P& device, Points<T> points, FofResult<> const& groups,
                                  CatalogueOptions<T> const& o, Cpu const& cpu) {
    std::optional<FofCatalogue> made;
    if (has_memory<pos_t>(device, points, o)) {
        auto const axes = cpu.run([&] { return axes_of(o.box, points); });
        made = catalogue_there(device, points, o, std::span<pos_t const>(groups.root),
                               std::span<pos_t const>(groups.z_order), axes);
    }
    return made ? std::move(*made) : catalogue_by_threads(points, groups, o, cpu);
}

/// fof_catalogue() of points and groups of the host.
template <class T, class P>
FofCatalogue catalogue_of(P& device, Points<T> points, FofResult<> const& groups,
                          CatalogueOptions<T> const& o, Cpu const& cpu) {
    check_groups(points.size, groups.root.size());
    cpu.run([&] { check_catalogue_options(points, o); });
    return checked_catalogue_of(device, points, groups, o, cpu);
}

/// Throws what fof_catalogue() would for masses and velocities that are there.
template <class T, class P>
void check_beside(P& device, DevicePoints<T> points, CatalogueOptions<T, P> const& o) {
    Beside const given(o);
    if (given.masses) {
        check_masses_shape(points.size, o.masses.size());
        CatalogueThere<T, P>::check_masses(device, o.masses);
    }
    if (given.velocities) {
        check_velocities_shape(points.size, points.dim, o.velocities.size, o.velocities.dim);
        (void)Preparation<T, P>::bring(device, o.velocities, "velocities", false);
    }
}
/// As checked_in_box() on the host.
template <class T, class P>
CatalogueOptions<T, P> checked_in_box(P& device, DevicePoints<T> points, FofOptions const& groups,
                                      CatalogueOptions<T, P> options) {
    check_same_box(groups, options.box);
    check_shape(points.size, points.dim, "points");
    check_beside(device, points, options);
    options.box = groups.box;
    return options;
}
/// The catalogue of points and groups that are there, with options that have been checked.
template <class T, class P>
FofCatalogue checked_catalogue_of(P& device, DevicePoints<T> points, FofResult<P> const& groups,
                                  CatalogueOptions<T, P> const& o) {
    auto const brought = Preparation<T, P>::bring(device, points, "points", !o.box.empty());
    auto made =
        CatalogueThere<T, P>::make(device, {.points = points,
                                            .velocities = o.velocities,
                                            .masses = o.masses.empty() ? nullptr : o.masses.data(),
                                            .root = groups.root.data(),
                                            .z_order = groups.z_order.data(),
                                            .min_members = o.min_members,
                                            .axes = axes_of(o.box, brought.extent, points.size)});
    if (!made)
        throw Error(detail::text("the device's memory doesn't suffice for the catalogue of {} points",
                                 points.size));
    return to_host(device, std::move(*made));
}

/// fof_catalogue() of points and groups that are there.
template <class T, class P>
FofCatalogue catalogue_of(P& device, DevicePoints<T> points, FofResult<P> const& groups,
                          CatalogueOptions<T, P> const& o) {
    check_groups(points.size, groups.root.size());
    check_beside(device, points, o);
    return checked_catalogue_of(device, points, groups, o);
}

/// Whether a device has memory for points that stay while groups are found, and then for their catalogue.
template <class T, class P>
bool has_memory(P& device, Points<T> points, FofOptions const& o, CatalogueOptions<T> const& c) {
    double const n = double(points.size), groups = n * (sizeof(index_t) + 2 * sizeof(pos_t)),
                 most = std::max(double(device_fof_memory(n, points.dim, sizeof(T), o.tree)),
                                 groups + catalogue_bytes(n));
    return double(BesideThere<T, P>::bytes(points, c)) + most <=
           double(Preparation<T, P>::available(device));
}

/// fof() and fof_catalogue() of points of the host.
/// @param find  find(points) has groups on the device, of points that are there or on the host
template <class T, class P, class Find>
FofAndCatalogue<> groups_with_catalogue(P& device, Points<T> points, FofOptions const& o,
                                        CatalogueOptions<T> const& c, Cpu const& cpu, Find const& find) {
    Stats before;
    auto const in_box = timed(before, "check", [&] { return checked_in_box(points, o, c, cpu); });
    FofAndCatalogue<> r;
    std::optional<FofCatalogue> made;
    auto const bring_groups = [&](FofResult<P> there) {
        static_cast<FofResult<>&>(r) = to_host<FofResult<>>(device, std::move(there));
    };
    if (has_memory(device, points, o, in_box)) {
        auto const there =
            timed(before, "upload", [&] { return BesideThere<T, P>(device, points, in_box); });
        auto groups = find(there.points());
        made = timed(groups.stats, "catalogue", [&] {
            auto const axes = cpu.run([&] { return axes_of(o.box, points); });
            auto asked = there.asked(groups.root.data(), c.min_members, axes);
            asked.z_order = groups.z_order.data();
            return to_host(
                device, unless_out_of_memory([&] { return CatalogueThere<T, P>::make(device, asked); }));
        });
        bring_groups(std::move(groups));
    } else {
        bring_groups(find(points));
    }
    begin_with(r.stats, before);
    if (!made)
        made = timed(r.stats, "catalogue",
                     [&] { return checked_catalogue_of(device, points, r, in_box, cpu); });
    r.catalogue = std::move(*made);
    CatalogueThere<T, P>::count_again(device, r.stats);
    return r;
}
/// The same of points that are there.
template <class T, class P, class Find>
FofAndCatalogue<P> groups_with_catalogue(P& device, DevicePoints<T> points, FofOptions const& o,
                                         CatalogueOptions<T, P> const& c, Find const& find) {
    Stats before;
    auto const in_box = timed(before, "check", [&] { return checked_in_box(device, points, o, c); });
    FofAndCatalogue<P> r{find(points), {}};
    r.catalogue =
        timed(r.stats, "catalogue", [&] { return checked_catalogue_of(device, points, r, in_box); });
    begin_with(r.stats, before);
    CatalogueThere<T, P>::count_again(device, r.stats);
    return r;
}

}}}  // namespace zwalk::v0::detail
