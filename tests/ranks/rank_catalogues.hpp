// Catalogues of groups of points that are spread over ranks, against those of one process, bit for bit.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "ranks/input.hpp"
#include "zwalk/fof/fof_mpi.hpp"

namespace zwalk::test {

/// Masses and velocities of all rows; empty: none are given.
template <int D, class T>
struct BesideRows {
    std::vector<T> masses;
    ::test::Rows<D, T> velocities;

    /// Masses over sixty decades, and velocities of which some are far larger than others.
    static BesideRows of(std::size_t n, bool masses, bool velocities, std::uint64_t seed) {
        BesideRows beside;
        ::test::Random random(seed + 1);
        for (std::size_t i = 0; masses && i < n; ++i)
            beside.masses.push_back(T(std::pow(10, -30 + 60 * random.uniform())));
        if (velocities) beside.velocities = ::test::make_points<D, T>("heavy", n, seed + 2);
        return beside;
    }
    /// Those of rows [begin, end).
    [[nodiscard]] CatalogueOptions<T> options(std::size_t min_members, std::vector<double> const& box,
                                              std::size_t begin, std::size_t end) const {
        CatalogueOptions<T> o{.min_members = min_members, .box = box};
        if (!masses.empty()) o.masses = std::span(masses).subspan(begin, end - begin);
        if (!velocities.empty()) o.velocities = std::span(velocities).subspan(begin, end - begin);
        return o;
    }
};

template <class V>
bool same_rows(PageVector<V> const& found, PageVector<V> const& expected, std::size_t first,
               std::size_t rows) {
    if (expected.empty()) return found.empty();
    std::size_t const all = rows ? expected.size() / rows : 0;
    return first * all + found.size() <= expected.size() &&
           (found.empty() ||
            std::memcmp(found.data(), expected.data() + first * all, found.size() * sizeof(V)) == 0);
}

/// How many members the largest group of all has, or nothing if the catalogue differs from that of one process.
/// @param find  find(own rows, options, options of the catalogue) as fof_with_catalogue()
template <int D, class T, class Find>
std::optional<index_t> largest_as_alone(Comm& comm, Input<D, T> const& input, FofOptions const& o,
                                        std::size_t min_members, BesideRows<D, T> const& beside,
                                        Find const& find) {
    std::size_t const n = input.rows.size(), begin = input.begin[std::size_t(comm.rank())],
                      end = input.begin[std::size_t(comm.rank()) + 1];
    auto const groups = fof(input.all(), o, Cpu(1));
    auto const expected =
        fof_catalogue(input.all(), groups, beside.options(min_members, o.box, 0, n), Cpu(1));
    auto options = beside.options(min_members, o.box, begin, end);
    options.members = n % 3 != 0;
    FofWithCatalogue const found = find(input.of(comm.rank()), o, options);
    auto const& [c, first, rows, members, first_member] = found.catalogue;
    bool same = rows == expected.size() && comm.offsets(c.size())[std::size_t(comm.rank())] == first &&
                found.groups == groups.groups && c.dim == expected.dim;
    for (auto column :
         {&FofCatalogue::label, &FofCatalogue::count, &FofCatalogue::most_distant, &FofCatalogue::first})
        same = same && (c.*column).size() == c.size() &&
               same_rows(c.*column, expected.*column, first, rows);
    for (auto column :
         {&FofCatalogue::mass, &FofCatalogue::centre_of_mass, &FofCatalogue::velocity,
          &FofCatalogue::velocity_dispersion, &FofCatalogue::inertia_radius, &FofCatalogue::radius})
        same = same && (c.*column).size() * rows == (expected.*column).size() * c.size() &&
               same_rows(c.*column, expected.*column, first, rows);
    bool const all = comm.offsets(c.size()).back() == rows &&
                     comm.offsets(members.size()).back() == (options.members ? n : 0);
    same = same && first_member == comm.offsets(members.size())[std::size_t(comm.rank())] &&
           std::equal(members.begin(), members.end(),
                      expected.order.begin() + std::ptrdiff_t(members.size() ? first_member : 0));
    same = comm.reduce_all(same && all, std::logical_and<>());
    if (!same) return std::nullopt;
    return expected.size() > 0 ? expected.count[0] : 0;
}

/// Into [0, 1).
template <int D, class T>
void wrap(::test::Rows<D, T>& rows) {
    for (auto& row : rows)
        for (T& x : row) {
            x -= std::floor(x);
            if (!(x < 1)) x = 0;
        }
}

/// Points with groups that go through many ranks: round a box of edge 1, across its edges, and of all points at some lengths.
inline std::vector<::test::Rows<2, float>> long_groups() {
    ::test::Rows<2, float> ring, filament, sheet;
    for (int i = 0; i < 1000; ++i) {
        float const at = float(i) / 1000;
        ring.push_back({at, .5f + .4f * std::sin(20 * at)});
        filament.push_back({std::fmod(.55f + .8f * at, 1.f), std::fmod(.7f + .6f * at, 1.f)});
        sheet.push_back({float(i % 32) / 32, float(i / 32) / 32});
    }
    return {ring, filament, sheet};
}

}  // namespace zwalk::test
