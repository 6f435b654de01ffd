// What ranks have given each other for walks before, so that it isn't sent again.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

/// Points that a rank has imported for walks of the same own points, of whatever traits, with so many columns (ranks/import.hpp).
/// For those that the next walk needs, too, only the payload is sent. Made empty; imports fill it.
template <class T>
struct KeptSources {
    std::vector<std::uint64_t>
        begin;    ///< those of rank r are [begin[r], begin[r + 1]), in z-order; empty: none
    Buffer<T> x;  ///< shape (points, D)
    Buffer<index_t> input_index;
    Buffer<pos_t> position;  ///< in the tree of the rank that has it
    /// For each rank the points of this rank's tree that it has been given, ascending.
    std::vector<std::vector<pos_t>> given;

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

/// Positions of points.
struct PointRange {
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

/// Points that ranks have been given before, with what is known of them now.
template <class Payload>
struct GivenAgain {
    Parts<PointRange> points;
    Parts<Payload> payload;
};

/// Takes points out that a rank was given before, of wanted ones, which it has been given then.
/// @param wanted      for each rank, ascending
/// @param payload_of  payload_of(position)
template <class Payload, class T, class PayloadOf>
GivenAgain<Payload> leave_out_given(KeptSources<T>& kept, std::vector<std::vector<pos_t>>& wanted,
                                    PayloadOf const& payload_of) {
    std::vector<PointRange> ranges;
    std::vector<Payload> payload;
    GivenAgain<Payload> again{{{}, {0}}, {{}, {0}}};
    kept.given.resize(wanted.size());
    for (std::size_t r = 0; r < wanted.size(); ++r) {
        auto& given = kept.given[r];
        std::erase_if(wanted[r], [&](pos_t i) {
            if (!std::binary_search(given.begin(), given.end(), i)) return false;
            bool const goes_on = ranges.size() > again.points.begin.back() && ranges.back().end == i;
            if (goes_on) ++ranges.back().end;
            else ranges.push_back({i, i + 1});
            payload.push_back(payload_of(i));
            return true;
        });
        auto const before = std::ptrdiff_t(given.size());
        given.insert(given.end(), wanted[r].begin(), wanted[r].end());
        std::inplace_merge(given.begin(), given.begin() + before, given.end());
        again.points.begin.push_back(ranges.size());
        again.payload.begin.push_back(payload.size());
    }
    again.points.records = Buffer<PointRange>(ranges.size());
    std::copy(ranges.begin(), ranges.end(), again.points.records.begin());
    again.payload.records = Buffer<Payload>(payload.size());
    std::copy(payload.begin(), payload.end(), again.payload.records.begin());
    return again;
}

/// What was given now, which is kept, too, and what had been given before; in z-order.
template <int D, class T, class Given, class Payload>
Parts<Given> with_kept(KeptSources<T>& kept, Parts<Given> const& given,
                       GivenAgain<Payload> const& again) {
    Parts<Given> all{Buffer<Given>(given.records.size() + again.payload.records.size()), {0}};
    auto to = all.records.begin();
    for (int r = 0; r + 1 < int(given.begin.size()); ++r) {
        auto const now = given.of(r);
        auto next = now.begin();
        auto payload = again.payload.of(r).begin();
        for (PointRange const some : again.points.of(r)) {
            while (next != now.end() && next->position < some.begin) *to++ = *next++;
            std::size_t at = kept.find(r, some.begin);
            for (pos_t i = some.begin; i < some.end; ++i, ++at) {
                Given& point = *to++;
                for (int j = 0; j < D; ++j) point.x[j] = kept.x[at * std::size_t(D) + std::size_t(j)];
                point.input_index = kept.input_index[at];
                point.position = i;
                point.payload = *payload++;
            }
        }
        to = std::copy(next, now.end(), to);
        all.begin.push_back(std::uint64_t(to - all.records.begin()));
    }
    keep(kept, given);
    return all;
}

/// Memory of what is kept, while some more is added.
template <int D, class T>
double bytes_kept(KeptSources<T> const& kept, std::uint64_t more) {
    constexpr std::size_t point = sizeof(T) * std::size_t(D) + sizeof(index_t) + sizeof(pos_t);
    return double(2 * kept.size() + more) * double(point);
}

}  // namespace detail
}}  // namespace zwalk::v0
