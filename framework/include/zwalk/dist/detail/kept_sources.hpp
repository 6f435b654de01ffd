// What ranks have given each other for walks before, so that it isn't sent again.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/dist/comm.hpp"

namespace zwalk::inline v0 {

/// Points that a rank has imported for walks of the same own points, of whatever traits, with so many columns (dist/import.hpp).
/// Of those that the next walk wants, too, only the payload is sent. Made empty; imports fill it.
template <class T>
struct KeptSources {
    std::vector<std::uint64_t>
        begin;    ///< those of rank r are [begin[r], begin[r + 1]), in z-order; empty: none
    Buffer<T> x;  ///< shape (points, D)
    Buffer<index_t> input_index;
    Buffer<pos_t> position;  ///< in the tree of the rank that has it
    /// Of each rank the leaves of this rank's tree that it has been given: not 0.
    std::vector<std::vector<std::uint8_t>> given;

    [[nodiscard]] std::size_t size() const { return position.size(); }
    /// Where the point at this position of rank r's tree is.
    [[nodiscard]] std::size_t find(int r, pos_t at) const {
        auto const all = position.begin();
        return std::size_t(std::lower_bound(all + std::ptrdiff_t(begin[std::size_t(r)]),
                                            all + std::ptrdiff_t(begin[std::size_t(r) + 1]), at) -
                           all);
    }
};

namespace detail {

/// Positions of a leaf's points.
struct LeafRange {
    pos_t begin, end;
};

/// Adds points that were given now. Both are in z-order, rank by rank.
template <class T, class Given>
void keep(KeptSources<T>& kept, Parts<Given> const& given) {
    std::size_t const ranks = given.begin.size() - 1, n = kept.size() + given.records.size(),
                      columns = sizeof(Given::x) / sizeof(T);
    if (kept.begin.empty()) kept.begin.assign(ranks + 1, 0);
    KeptSources<T> all{{0}, Buffer<T>(n * columns), Buffer<index_t>(n), Buffer<pos_t>(n), {}};
    std::size_t to = 0;
    auto const add = [&](T const* x, index_t input_index, pos_t position) {
        std::copy_n(x, columns, all.x.data() + to * columns);
        all.input_index[to] = input_index;
        all.position[to++] = position;
    };
    for (std::size_t r = 0; r < ranks; ++r) {
        std::size_t old = kept.begin[r];
        auto const add_before = [&](pos_t position) {
            for (; old < kept.begin[r + 1] && kept.position[old] < position; ++old)
                add(kept.x.data() + old * columns, kept.input_index[old], kept.position[old]);
        };
        for (Given const& point : given.of(int(r))) {
            add_before(point.position);
            add(point.x.v, point.input_index, point.position);
        }
        add_before(no_pos);
        all.begin.push_back(to);
    }
    all.given = std::move(kept.given);
    kept = std::move(all);
}

}  // namespace detail
}  // namespace zwalk::inline v0
