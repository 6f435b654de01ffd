// The catalogue on a device, from points and groups that are there: the rows of threads, bit for bit. Include the device first.
//
//     group order        points sorted by the positions of their roots, stable
//     groups             where these change; those with enough members are kept
//     slices             which parts of periodic axes groups use, so how each is seen from its first member
//     bounds             how large numbers are, so units; labels
//     first moments      masses, and sums along each axis, so means
//     second moments     about these; the largest distance, and then who has it
//     rows               sorted by size and label, and written in that order; those of a rank in group order
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "catalogue_there.hpp"
#include "device_passes.hpp"
#include "zwalk/core/key.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

struct GroupKeys {
    pos_t const* root;
    std::uint64_t* key;
    ZWALK_HD void operator()(std::size_t i) const { key[i] = root[i]; }
};
/// Whether a group begins here, in group order.
struct BeginsGroup {
    std::uint64_t const* key;
    std::uint8_t* flag;
    ZWALK_HD void operator()(std::size_t i) const { flag[i] = i == 0 || key[i] != key[i - 1]; }
};
/// Whether groups, which begin there, have enough members.
struct HasEnough {
    pos_t const* begin;
    std::size_t groups, points, least;
    std::uint8_t* flag;
    ZWALK_HD void operator()(std::size_t g) const {
        flag[g] = (g + 1 < groups ? begin[g + 1] : points) - begin[g] >= least;
    }
};
struct TakeGroups {
    pos_t const *begin, *taken;
    std::size_t groups, points;
    pos_t *first, *count;
    ZWALK_HD void operator()(std::size_t i) const {
        std::size_t const g = taken[i];
        first[i] = begin[g];
        count[i] = (g + 1 < groups ? begin[g + 1] : pos_t(points)) - begin[g];
    }
};
/// Masses that aren't finite and above 0.
template <class T>
struct FlagBadMasses {
    T const* mass;
    std::uint8_t* flag;
    ZWALK_HD void operator()(std::size_t i) const { flag[i] = !(mass[i] > 0 && mass[i] < infinity<T>); }
};

/// The positions of the flags that are set. Waits.
template <class P>
DeviceBuffer<pos_t> positions_of(P& device, DeviceBuffer<std::uint8_t> const& flag) {
    std::size_t const n = flag.size();
    auto at = device.template buffer<pos_t>(n ? device.count(flag.data(), n) : 0);
    if (n > 0) device.positions(flag.data(), n, at.data());
    return at;
}

/// One catalogue on its way.
template <class T, class P>
class DeviceCatalogue {
  public:
    DeviceCatalogue(P& device, GroupsAsked<T> const& asked)
        : device_(device),
          asked_(asked),
          scales_(asked.points.dim),
          axes_(std::size_t(asked.points.dim)) {}

    /// None: the memory doesn't suffice.
    std::optional<CatalogueOn<P>> make() {
        CatalogueOn<P> c;
        c.dim = asked_.points.dim;
        if (!asked_.fits && !fits(catalogue_bytes(double(asked_.points.size)))) return std::nullopt;
        sort_members();
        take_groups();
        if (!fits(with_temporaries(double(groups_.size) * double(group_bytes())))) return std::nullopt;
        if (groups_.size > 0) {
            find_moments();
            write_rows(c);
        }
        c.order = std::move(order_);
        return c;
    }

  private:
    [[nodiscard]] std::size_t dim() const { return axes_.dim; }
    [[nodiscard]] bool fits(double bytes) const { return bytes <= double(device_.available()); }
    /// Of a group: what it has, its row, and what sorts it (twice, as sorts need) or, of a rank, its number.
    [[nodiscard]] std::uint64_t group_bytes() const {
        constexpr std::uint64_t along = sizeof(AxisSums) + sizeof(SeenAlong) + 4 * sizeof(double),
                                whole = sizeof(GroupSums) + sizeof(Units) + 2 * sizeof(pos_t) +
                                        sizeof(double),
                                row = 8 * sizeof(double),
                                sort = 2 * (sizeof(std::uint64_t) + sizeof(pos_t));
        return along * dim() + whole + row + (asked_.in_z_order() ? sizeof(pos_t) : sort);
    }
    /// for_each() of n elements with what all passes have.
    template <template <class> class F>
    void pass(std::size_t n) {
        device_.for_each(n, F<T>{{members_, groups_, axes_}});
    }

    void sort_members() {
        std::size_t const n = asked_.points.size;
        if (asked_.in_z_order()) {
            order_ = device_.template buffer<pos_t>(n);
            device_.for_each(n, Iota{order_.data()});
        } else {
            order_ = copy_on(device_, asked_.z_order, n);
        }
        key_ = device_.template buffer<std::uint64_t>(n);
        device_.for_each(n, GroupKeys{asked_.root, key_.data()});
        if (n > 0) device_.sort_pairs(key_.data(), order_.data(), n, int(std::bit_width(n)));
    }
    void take_groups() {
        std::size_t const n = asked_.points.size;
        auto flag = device_.template buffer<std::uint8_t>(n);
        device_.for_each(n, BeginsGroup{key_.data(), flag.data()});
        key_ = {};
        auto const begin = positions_of(device_, flag);
        flag = device_.template buffer<std::uint8_t>(begin.size());
        std::size_t const least = std::max<std::size_t>(1, asked_.min_members);
        device_.for_each(begin.size(), HasEnough{begin.data(), begin.size(), n, least, flag.data()});
        auto const taken = positions_of(device_, flag);
        groups_.size = taken.size();
        first_ = device_.template buffer<pos_t>(taken.size());
        count_ = device_.template buffer<pos_t>(taken.size());
        device_.for_each(taken.size(), TakeGroups{begin.data(), taken.data(), begin.size(), n,
                                                  first_.data(), count_.data()});
    }
    void find_moments() {
        std::size_t const n = asked_.points.size, groups = groups_.size, along = groups * dim(),
                          pieces = catalogue_pieces(n);
        axis_ = copy_to(device_, std::span<Axis const>(asked_.axes.of.data(), dim()));
        members_ = {NumbersThere<T>(asked_.points),
                    NumbersThere<T>(asked_.velocities),
                    asked_.masses,
                    order_.data(),
                    asked_.input_index,
                    axis_.data(),
                    dim(),
                    n,
                    scales_};
        sums_ = device_.template buffer<GroupSums>(groups);
        axis_sums_ = device_.template buffer<AxisSums>(along);
        seen_ = device_.template buffer<SeenAlong>(along);
        unit_ = device_.template buffer<Units>(groups);
        mass_ = device_.template buffer<double>(groups);
        centre_ = device_.template buffer<double>(along);
        velocity_ = device_.template buffer<double>(along);
        groups_ = {groups,       first_.data(), count_.data(), sums_.data(),   axis_sums_.data(),
                   seen_.data(), unit_.data(),  mass_.data(),  centre_.data(), velocity_.data()};
        device_.zero(sums_.data(), groups);
        device_.zero(axis_sums_.data(), along);
        if (asked_.axes.periodic) pass<FindSlices>(axes_.of(pieces));
        pass<SeeFromFirst>(axes_.of(groups));
        pass<FindBounds>(axes_.of(pieces));
        device_.for_each(groups, SetUnits{groups_});
        pass<AddFirstMoments>(axes_.of(pieces));
        device_.for_each(axes_.of(groups), SetMeans{groups_, axes_, scales_});
        pass<AddSecondMoments>(pieces);
        pass<FindFarthest>(pieces);
    }
    /// The groups in the order of rows: by size and label or, of a rank, as they are.
    [[nodiscard]] DeviceBuffer<pos_t> groups_of_rows() {
        std::size_t const n = groups_.size;
        auto group = device_.template buffer<pos_t>(n);
        if (asked_.in_z_order()) {
            device_.for_each(n, Iota{group.data()});
            return group;
        }
        auto key = device_.template buffer<std::uint64_t>(n);
        device_.for_each(n, RowKeys{groups_, key.data(), group.data()});
        device_.sort_pairs(key.data(), group.data(), n);
        return group;
    }
    void write_rows(CatalogueOn<P>& c) {
        std::size_t const n = groups_.size, along = n * dim(), moving = asked_.velocities.size ? 1 : 0;
        auto const group = groups_of_rows();
        for (auto* column : {&c.label, &c.count, &c.most_distant, &c.first})
            *column = device_.template buffer<index_t>(n);
        for (auto* column : {&c.mass, &c.inertia_radius, &c.radius})
            *column = device_.template buffer<double>(n);
        c.centre_of_mass = device_.template buffer<double>(along);
        c.velocity = device_.template buffer<double>(moving * along);
        c.velocity_dispersion = device_.template buffer<double>(moving * n);
        RowsThere const rows{c.label.data(),          c.count.data(),
                             c.most_distant.data(),   c.first.data(),
                             c.mass.data(),           c.centre_of_mass.data(),
                             c.velocity.data(),       c.velocity_dispersion.data(),
                             c.inertia_radius.data(), c.radius.data()};
        device_.for_each(axes_.of(n),
                         WriteCatalogue{groups_, rows, group.data(), axis_.data(), axes_, scales_});
    }

    P& device_;
    GroupsAsked<T> const& asked_;
    Scales scales_;
    AxisElements axes_;
    DeviceBuffer<std::uint64_t> key_;
    DeviceBuffer<pos_t> order_, first_, count_;
    DeviceBuffer<Axis> axis_;
    DeviceBuffer<GroupSums> sums_;
    DeviceBuffer<AxisSums> axis_sums_;
    DeviceBuffer<SeenAlong> seen_;
    DeviceBuffer<Units> unit_;
    DeviceBuffer<double> mass_, centre_, velocity_;
    MembersThere<T> members_{{}, {}, nullptr, nullptr, nullptr, nullptr, 0, 0, scales_};
    GroupsThere groups_{};
};

template <class T, class P>
std::optional<CatalogueOn<P>> CatalogueThere<T, P>::make(P& device, GroupsAsked<T> const& asked) {
    return DeviceCatalogue<T, P>(device, asked).make();
}
template <class T, class P>
void CatalogueThere<T, P>::check_masses(P& device, std::span<T const> masses) {
    auto bad = device.template buffer<std::uint8_t>(masses.size());
    device.for_each(masses.size(), FlagBadMasses<T>{masses.data(), bad.data()});
    auto const rows = positions_of(device, bad);
    if (rows.empty()) return;
    pos_t row = 0;
    T mass = 0;
    device.download(&row, rows.data(), 1);
    device.download(&mass, masses.data() + row, 1);
    refuse_mass(row, double(mass));
}
template <class T, class P>
DeviceBuffer<T> CatalogueThere<T, P>::bring(P& device, std::span<T const> values) {
    return copy_to(device, values);
}
template <class T, class P>
DeviceBuffer<pos_t> CatalogueThere<T, P>::bring(P& device, std::span<pos_t const> values) {
    return copy_to(device, values);
}
template <class T, class P>
DeviceBuffer<index_t> CatalogueThere<T, P>::bring(P& device, std::span<index_t const> values) {
    return copy_to(device, values);
}
template <class T, class P>
void CatalogueThere<T, P>::count_again(P& device, Stats& stats) {
    DeviceStats const done = device.stats();
    for (auto& [name, count] : stats.counts) {
        if (name == "device_launches") count = done.launches;
        if (name == "device_waits") count = done.waits;
        if (name == "device_peak_bytes") count = done.peak_bytes;
    }
}

}}}  // namespace zwalk::v0::detail
