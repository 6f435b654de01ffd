#include "zwalk/fof/catalogue.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/timed.hpp"
#include "zwalk/core/validate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

#include "beside_points.hpp"
#include "checked_catalogue.hpp"
#include "group_rows.hpp"
#include "sort_by_group.hpp"
#include "zwalk/core/parallel_sort.hpp"

namespace zwalk { inline namespace v0 {
namespace {

using namespace detail;

constexpr std::size_t row_grain = 1 << 12;

/// Values of the chosen rows of a field with `width` numbers per row; of none if it is empty.
template <class V>
void select_rows(PageVector<V>& field, std::span<std::size_t const> rows, std::size_t width = 1) {
    if (field.empty()) return;
    PageVector<V> kept(rows.size() * width);
    parallel_for(rows.size(), row_grain, [&](std::size_t i, std::size_t end) {
        for (; i < end; ++i) std::copy_n(field.data() + rows[i] * width, width, kept.data() + i * width);
    });
    field = std::move(kept);
}

/// A group of enough members: where these are in the order, how many, and the least input index of them.
struct FoundGroup {
    pos_t first, count, label;
};

/// Begins a row for each group of enough members: the largest first, of equal ones the least label.
void begin_rows(FofCatalogue& c, SortedByGroup const& sorted, std::size_t min_members) {
    auto rows = sorted.collect([&](pos_t, pos_t begin, pos_t end) -> std::optional<FoundGroup> {
        if (end - begin < min_members) return {};
        return FoundGroup{begin, end - begin,
                          *std::min_element(c.order.begin() + begin, c.order.begin() + end)};
    });
    parallel_sort(rows.begin(), rows.end(), [](FoundGroup const& a, FoundGroup const& b) {
        return a.count != b.count ? a.count > b.count : a.label < b.label;
    });
    c.first.resize(rows.size());
    c.count.resize(rows.size());
    parallel_for(rows.size(), row_grain, [&](std::size_t i, std::size_t end) {
        for (; i < end; ++i) c.first[i] = rows[i].first, c.count[i] = rows[i].count;
    });
}

template <class V>
void sort_rows(FofCatalogue& c, PageVector<V> const& values, bool descending, Cpu const& cpu) {
    if (values.size() != c.size()) throw InputError("sort_by needs a field with one number per row");
    PageVector<std::size_t> rows(c.size());
    cpu.run([&] {
        parallel_for(rows.size(), row_grain, [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i) rows[i] = i;
        });
        auto const is_none = [](V x) { return x != x; };  // not a number: such rows come last
        parallel_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
            V const x = values[a], y = values[b];
            if (is_none(x) != is_none(y)) return is_none(y);
            if (x < y || y < x) return descending != (x < y);
            return a < b;
        });
    });
    c.select(rows, cpu);
}

}  // namespace

void FofCatalogue::select(std::span<std::size_t const> rows, Cpu const& cpu) {
    for (std::size_t const row : rows)
        if (row >= size())
            throw InputError(detail::text("there is no row {} in a catalogue of {}", row, size()));
    cpu.run([&] {
        for (auto* field : {&centre_of_mass, &velocity}) select_rows(*field, rows, std::size_t(dim));
        for (auto* field : {&mass, &velocity_dispersion, &inertia_radius, &radius})
            select_rows(*field, rows);
        for (auto* field : {&label, &count, &most_distant, &first}) select_rows(*field, rows);
    });
}

void FofCatalogue::sort_by(PageVector<double> FofCatalogue::*field, bool descending, Cpu const& cpu) {
    sort_rows(*this, this->*field, descending, cpu);
}
void FofCatalogue::sort_by(PageVector<index_t> FofCatalogue::*field, bool descending, Cpu const& cpu) {
    sort_rows(*this, this->*field, descending, cpu);
}

void detail::check_velocities_shape(std::size_t points, int dim, std::size_t velocities, int columns) {
    if (velocities != points || columns != dim)
        throw InputError(
            detail::text("the velocities have {} rows and {} columns, but the points have {} and {}",
                         velocities, columns, points, dim));
}

template <class T>
void detail::check_beside(Points<T> points, CatalogueOptions<T> const& o, Beside given,
                          std::uint64_t first_row) {
    if (given.masses) check_masses_shape(points.size, o.masses.size());
    check_masses(std::span<T const>(o.masses), first_row);
    if (!given.velocities || (o.velocities.size == 0 && points.size == 0)) return;
    check_velocities_shape(points.size, points.dim, o.velocities.size, o.velocities.dim);
    check_points(o.velocities, "velocities", first_row);
}

template <class T>
void check_catalogue_options(Points<T> points, CatalogueOptions<T> const& o) {
    check_beside(points, o, Beside(o), 0);
}

template <class T>
FofCatalogue detail::catalogue_by_threads(Points<T> points, FofResult<> const& groups,
                                          CatalogueOptions<T> const& o, Cpu const& cpu) {
    return cpu.run([&] {
        Particles<T> const all{.points = points,
                               .velocities = o.velocities,
                               .masses = o.masses,
                               .axes = axes_of(o.box, points)};
        FofCatalogue c;
        c.dim = points.dim;
        {
            SortedByGroup sorted(cpu, groups.root, [&](pos_t i) { return groups.z_order[i]; });
            c.order = sorted.take_order();
            begin_rows(c, sorted, std::max<std::size_t>(1, o.min_members));
        }
        set_sizes(c, o.velocities.size > 0);
        auto const row = [](std::size_t i) { return i; };
        auto const members = [&](std::size_t i) { return c.members(i); };
        if (points.dim == 3) fill_rows<3>(c, c.first.size(), row, members, all);
        else fill_rows<0>(c, c.first.size(), row, members, all);
        return c;
    });
}

template <class T>
FofCatalogue fof_catalogue(Points<T> points, FofResult<> const& groups, CatalogueOptions<T> const& o,
                           Cpu const& cpu) {
    check_groups(points.size, groups.root.size());
    cpu.run([&] { check_catalogue_options(points, o); });
    return catalogue_by_threads(points, groups, o, cpu);
}

template <class T>
FofAndCatalogue<> fof_with_catalogue(Points<T> points, FofOptions const& o, CatalogueOptions<T> const& c,
                                     Cpu const& cpu) {
    Stats before;
    auto const in_box = timed(before, "check", [&] { return checked_in_box(points, o, c, cpu); });
    FofAndCatalogue<> r{fof(points, o, cpu), {}};
    begin_with(r.stats, before);
    r.catalogue =
        timed(r.stats, "catalogue", [&] { return catalogue_by_threads(points, r, in_box, cpu); });
    return r;
}

template void detail::check_beside(Points<float>, CatalogueOptions<float> const&, Beside, std::uint64_t);
template void detail::check_beside(Points<double>, CatalogueOptions<double> const&, Beside,
                                   std::uint64_t);
template void check_catalogue_options(Points<float>, CatalogueOptions<float> const&);
template void check_catalogue_options(Points<double>, CatalogueOptions<double> const&);
#define ZWALK_CATALOGUE_BY_THREADS(T)                                                              \
    template FofCatalogue detail::catalogue_by_threads(Points<T>, FofResult<> const&,              \
                                                       CatalogueOptions<T> const&, Cpu const&);    \
    template FofCatalogue fof_catalogue(Points<T>, FofResult<> const&, CatalogueOptions<T> const&, \
                                        Cpu const&);                                               \
    template FofAndCatalogue<> fof_with_catalogue(Points<T>, FofOptions const&,                    \
                                                  CatalogueOptions<T> const&, Cpu const&);
ZWALK_CATALOGUE_BY_THREADS(float)
ZWALK_CATALOGUE_BY_THREADS(double)

}}  // namespace zwalk::v0
