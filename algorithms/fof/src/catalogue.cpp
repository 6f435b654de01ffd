#include "zwalk/fof/catalogue.hpp"
#include "zwalk/core/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "moments.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk::inline v0 {
namespace {

using namespace detail;

constexpr std::size_t groups_per_task = 16;

/// Sorts the points by group: their input indices go to `order`. Returns where each group ends, at the
/// position of its root. O(N).
Buffer<pos_t> sort_by_group(Buffer<pos_t> const& root, std::span<pos_t const> z_order,
                            Buffer<pos_t>& order) {
    std::size_t const n = root.size();
    Buffer<pos_t> next(n);  // sizes, then beginnings, then ends
    std::fill(next.begin(), next.end(), 0);
    for (pos_t const r : root) ++next[r];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), pos_t(0));
    order = Buffer<pos_t>(n);
    for (std::size_t i = 0; i < n; ++i) order[next[root[i]]++] = z_order[i];
    return next;
}

/// Periods, and the least coordinates: where centres go.
template <class T>
class Frame {
  public:
    Frame(Points<T> points, std::vector<double> const& box, Particles<T>& all) {
        if (box.empty() || points.size == 0) return;
        auto const extent = find_extent(points);
        auto const period = checked_period(box, extent);
        for (std::size_t j = 0; j < period.size(); ++j) {
            if (std::isinf(period[j])) continue;
            double const lo = extent.lo[j], hi = extent.hi[j], length = period[j];
            all.periodic = true;
            all.period[j] = length;
            all.lo[j] = lo;
            length_[j] = length;
            begin_[j] = lo >= 0 && hi <= length                 ? 0
                        : lo >= -length / 2 && hi <= length / 2 ? -length / 2
                                                                : lo;
        }
    }
    /// Moves a coordinate into [begin, begin + length).
    [[nodiscard]] double inside(double x, std::size_t j) const {
        if (length_[j] == 0) return x;
        double const begin = begin_[j], length = length_[j];
        x -= length * std::floor((x - begin) / length);
        return x < begin + length ? std::max(x, begin) : begin;  // against rounding
    }

  private:
    std::array<double, 64> begin_{}, length_{};
};

/// Fills row i of a catalogue whose columns have their sizes.
template <int Dim, class T>
void fill_row(FofCatalogue& c, std::size_t i, Particles<T> const& all, Frame<T> const& frame,
              MemberMemory<T>& memory) {
    using M = Members<Dim, T>;
    M const members(all, c.members(i), memory);
    std::size_t const n = members.size(), dim = members.dim();
    auto const bounds = reduce_members(n, Bounds<M>{&members});
    Units const unit{Unit(bounds.mass), Unit(bounds.x), Unit(bounds.v)};
    auto const first = reduce_members(n, FirstMoments<M>{&members, unit});
    double const mass = all.scales.mass.value(first.mass);
    std::array<double, M::capacity> centre{}, velocity{};
    for (std::size_t j = 0; j < dim; ++j) {
        centre[j] = all.scales.product.value(first.x[j]) / mass;
        velocity[j] = all.scales.product.value(first.v[j]) / mass;
        double const x = members.reference(j) + unit.x.out(centre[j]);
        c.centre_of_mass[i * dim + j] = frame.inside(x, j);
    }
    auto const second = reduce_members(n, SecondMoments<M>{&members, unit, centre, velocity});
    auto const root_mean = [&](FixedSum sum) { return std::sqrt(all.scales.square.value(sum) / mass); };
    c.label[i] = bounds.label;
    c.mass[i] = unit.mass.out(mass);
    c.inertia_radius[i] = unit.x.out(root_mean(second.x));
    c.most_distant[i] = second.far;
    c.radius[i] = unit.x.out(std::sqrt(second.far2));
    if (!members.moves()) return;
    for (std::size_t j = 0; j < dim; ++j) c.velocity[i * dim + j] = unit.v.out(velocity[j]);
    c.velocity_dispersion[i] = unit.v.out(root_mean(second.v));
}

template <int Dim, class T>
void fill_rows(FofCatalogue& c, Particles<T> const& all, Frame<T> const& frame) {
    parallel_for(c.first.size(), groups_per_task, [&](std::size_t i, std::size_t end) {
        MemberMemory<T> memory;
        for (; i < end; ++i) fill_row<Dim>(c, i, all, frame, memory);
    });
}

/// Sizes all fields for the rows that `first` has.
void set_sizes(FofCatalogue& c, bool velocities) {
    std::size_t const n = c.first.size(), all = n * std::size_t(c.dim);
    c.label.resize(n);
    c.most_distant.resize(n);
    c.centre_of_mass.resize(all);
    for (auto* field : {&c.mass, &c.inertia_radius, &c.radius}) field->resize(n);
    if (!velocities) return;
    c.velocity.resize(all);
    c.velocity_dispersion.resize(n);
}

/// Values of the chosen rows of a field with `width` numbers per row; of none if it is empty.
template <class V>
void select_rows(std::vector<V>& field, std::span<std::size_t const> rows, std::size_t width = 1) {
    if (field.empty()) return;
    std::vector<V> kept;
    kept.reserve(rows.size() * width);
    for (std::size_t const row : rows)
        kept.insert(kept.end(), field.begin() + std::ptrdiff_t(row * width),
                    field.begin() + std::ptrdiff_t((row + 1) * width));
    field = std::move(kept);
}

template <class Before>
std::vector<std::size_t> sorted_rows(FofCatalogue const& c, Before const& before) {
    std::vector<std::size_t> rows(c.size());
    std::iota(rows.begin(), rows.end(), std::size_t(0));
    std::stable_sort(rows.begin(), rows.end(), before);
    return rows;
}

template <class V>
void sort_rows(FofCatalogue& c, std::vector<V> const& values, bool descending) {
    if (values.size() != c.size()) throw InputError("sort_by needs a field with one number per row");
    c.select(sorted_rows(c, [&](std::size_t a, std::size_t b) {
        return descending ? values[b] < values[a] : values[a] < values[b];
    }));
}

}  // namespace

void FofCatalogue::select(std::span<std::size_t const> rows) {
    for (std::size_t const row : rows)
        if (row >= size())
            throw InputError(fmt::format("there is no row {} in a catalogue of {}", row, size()));
    for (auto* field : {&centre_of_mass, &velocity}) select_rows(*field, rows, std::size_t(dim));
    for (auto* field : {&mass, &velocity_dispersion, &inertia_radius, &radius})
        select_rows(*field, rows);
    for (auto* field : {&label, &count, &most_distant, &first}) select_rows(*field, rows);
}

void FofCatalogue::sort_by(std::vector<double> FofCatalogue::*field, bool descending) {
    sort_rows(*this, this->*field, descending);
}
void FofCatalogue::sort_by(std::vector<index_t> FofCatalogue::*field, bool descending) {
    sort_rows(*this, this->*field, descending);
}

template <class T>
void check_catalogue_options(Points<T> points, CatalogueOptions<T> const& o) {
    if (!o.masses.empty() && o.masses.size() != points.size)
        throw InputError(fmt::format("there are {} masses for {} points", o.masses.size(), points.size));
    for (std::size_t i = 0; i < o.masses.size(); ++i)
        if (!(o.masses[i] > 0) || std::isinf(o.masses[i]))
            throw InputError(
                fmt::format("mass {} is {}: masses must be finite and above 0", i, o.masses[i]));
    if (o.velocities.size == 0) return;
    if (o.velocities.size != points.size || o.velocities.dim != points.dim)
        throw InputError(
            fmt::format("the velocities have {} rows and {} columns, but the points have {} and {}",
                        o.velocities.size, o.velocities.dim, points.size, points.dim));
    check_points(o.velocities, "velocities");
}

template <class T>
FofCatalogue fof_catalogue(Points<T> points, FofResult<> const& groups, CatalogueOptions<T> const& o,
                           Cpu const& cpu) {
    if (groups.root.size() != points.size)
        throw InputError(fmt::format("the groups are those of {} points, but there are {}",
                                     groups.root.size(), points.size));
    return cpu.run([&] {
        check_catalogue_options(points, o);
        Particles<T> all{.points = points, .velocities = o.velocities, .masses = o.masses};
        Frame<T> const frame(points, o.box, all);
        FofCatalogue c;
        c.dim = points.dim;
        {
            auto const end = sort_by_group(groups.root, groups.z_order, c.order);
            pos_t begin = 0;
            for (std::size_t i = 0; i < points.size; ++i) {
                if (groups.root[i] != i) continue;
                if (end[i] - begin >= std::max<std::size_t>(1, o.min_members)) {
                    c.first.push_back(begin);
                    c.count.push_back(end[i] - begin);
                }
                begin = end[i];
            }
        }
        set_sizes(c, o.velocities.size > 0);
        if (points.dim == 3) fill_rows<3>(c, all, frame);
        else fill_rows<0>(c, all, frame);
        c.select(sorted_rows(c, [&](std::size_t a, std::size_t b) {
            return c.count[a] != c.count[b] ? c.count[a] > c.count[b] : c.label[a] < c.label[b];
        }));
        return c;
    });
}

template void check_catalogue_options(Points<float>, CatalogueOptions<float> const&);
template void check_catalogue_options(Points<double>, CatalogueOptions<double> const&);
template FofCatalogue fof_catalogue(Points<float>, FofResult<> const&, CatalogueOptions<float> const&,
                                    Cpu const&);
template FofCatalogue fof_catalogue(Points<double>, FofResult<> const&, CatalogueOptions<double> const&,
                                    Cpu const&);

}  // namespace zwalk::inline v0
