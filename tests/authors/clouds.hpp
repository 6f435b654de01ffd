// Points that the traits of authors are tried on, and all places that they run on.
#pragma once
#include <doctest/doctest.h>

#include "support/brute_knn.hpp"
#include "support/places.hpp"
#include "zwalk/walk/checked.hpp"

namespace authors {
using namespace zwalk;

constexpr pos_t leaf_size = 12;

/// Points in open space or in a box, for double loops.
template <int D, class T>
struct Cloud {
    test::Rows<D, T> rows;
    std::vector<double> box{};  ///< one period for each axis, 0 on open ones; empty: open space
    std::uint64_t seed = 1;
    std::vector<pos_t> position{};  ///< of each row in z-order

    [[nodiscard]] std::size_t size() const { return rows.size(); }
    [[nodiscard]] PointTreeOptions options() const {
        return {.box = box, .tree = {.leaf_size = leaf_size}};
    }
    [[nodiscard]] T distance2(std::size_t i, std::size_t j) const {
        return test::plain_distance2(rows[i].data(), rows[j].data(), D, box);
    }
    /// From row i to the nearest image of row j.
    [[nodiscard]] std::array<T, D> displacement(std::size_t i, std::size_t j) const {
        std::array<T, D> dx;
        for (std::size_t a = 0; a < D; ++a) {
            dx[a] = rows[j][a] - rows[i][a];
            T const length = box.empty() ? 0 : T(box[a]);
            if (length > 0 && std::abs(dx[a]) > length / 2) dx[a] -= std::copysign(length, dx[a]);
        }
        return dx;
    }
    /// Where row j comes among those near to row i.
    [[nodiscard]] Key<T> key(std::size_t i, std::size_t j) const {
        return {distance2(i, j), position[j]};
    }
};

/// f(cloud) for two seeds, smooth points and points with ties, sizes about that of a leaf, open space and a box.
template <int D, class T, class F>
void for_clouds(F const& f) {
    std::vector<double> box(D, 4.);
    box[1] = 0;
    for (std::uint64_t seed : {1, 2})
        for (std::string const kind : {"uniform", "clustered", "sites40", "lattice24"})
            for (std::size_t n : {0, 1, 2, int(leaf_size) - 1, int(leaf_size), int(leaf_size) + 1, 500})
                for (bool periodic : {false, true}) {
                    CAPTURE(D);
                    CAPTURE(sizeof(T));
                    CAPTURE(seed);
                    CAPTURE(kind);
                    CAPTURE(n);
                    CAPTURE(periodic);
                    Cloud<D, T> cloud{test::make_points<D, T>(kind, n, seed)};
                    if (periodic) cloud.box = box;
                    cloud.seed = seed;
                    auto const z = test::z_order(test::view<D>(cloud.rows));
                    cloud.position.resize(n);
                    for (pos_t i = 0; i < z.size(); ++i) cloud.position[z[i]] = i;
                    f(cloud);
                }
}

/// f(place) for places of all kinds, and for one that looks for mistakes.
template <class F>
void on_all_places(F const& f) {
    test::on_places(f);
    Checked<Cpu> checked;
    f(checked);
}

}  // namespace authors
