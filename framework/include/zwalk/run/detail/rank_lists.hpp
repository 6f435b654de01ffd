// Lists (lists/lists.hpp) where points are spread over MPI ranks: made of what each rank imports, and brought home.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/lists/lists.hpp"
#include "zwalk/ranks/travel.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The trait that imports go by: it needs all points of sources that are wanted node by node, since lists name them.
template <class L>
using NeedListed = FillListed<L, CollectedLists<typename L::real, true>>;

/// Numbers sources in the order of their names: what a device calls them, in 32 bits, so that ties come out in that order.
/// Returns the name of each number.
inline Buffer<index_t> number_by_name(Buffer<index_t> const& names, Buffer<pos_t>& number) {
    std::size_t const n = names.size();
    Buffer<pos_t> position(n);
    std::iota(position.begin(), position.end(), pos_t(0));
    if (!std::is_sorted(names.begin(), names.end()))
        std::sort(position.begin(), position.end(),
                  [&](pos_t a, pos_t b) { return names[a] < names[b]; });
    Buffer<index_t> sorted(n);
    for (pos_t i = 0; i < n; ++i) {
        number[position[i]] = i;
        sorted[i] = names[position[i]];
    }
    return sorted;
}

/// Elements of lists that are to go over routes, list by list in the order of records.
template <class V>
Buffer<V> in_order_of(Buffer<pos_t> const& position, Buffer<size_type> const& offsets,
                      Buffer<V> const& values) {
    Buffer<V> out(values.size());
    auto next = out.begin();
    for (pos_t const p : position)
        next = std::copy(values.begin() + offsets[p], values.begin() + offsets[p + 1], next);
    return out;
}
/// Puts elements of lists, list by list in the order of records, at the rows that they belong to.
template <class V>
Buffer<V> by_row(Buffer<pos_t> const& row, Buffer<size_type> const& offsets, Buffer<V> const& values) {
    Buffer<V> lists(values.size());
    auto next = values.begin();
    for (pos_t const r : row) {
        auto const n = offsets[r + 1] - offsets[r];
        std::copy_n(next, n, lists.begin() + offsets[r]);
        next += n;
    }
    return lists;
}

/// Brings lists of own positions to the rows of the ranks that passed them. Collective; each entry travels once.
/// @param rows            how many rows this rank has passed
/// @param with_distances  whether lists have distances, on all ranks
/// @throws Error  on all ranks: some rank has no memory for its own lists
template <class T>
Lists<T> lists_home(Comm& comm, Cpu const& cpu, Travel const& travel, std::size_t rows, Lists<T>&& here,
                    bool with_distances) {
    auto const step = comm.step("home");
    Lists<T> lists;
    auto counts = comm.agree([&] {
        lists.offsets = Buffer<size_type>(rows + 1);
        Buffer<pos_t> own(here.size());
        for (std::size_t i = 0; i < own.size(); ++i)
            own[i] = pos_t(here.offsets[i + 1] - here.offsets[i]);
        return std::pair(std::move(own), Buffer<pos_t>(rows + 1));
    });
    auto& [own, home_counts] = counts;
    home_counts[rows] = 0;
    home(comm, cpu, travel, std::span<pos_t const>(own), std::span<pos_t>(home_counts.data(), rows));
    cpu.exclusive_scan(home_counts.data(), lists.offsets.data(), rows + 1);

    auto const sent = comm.attempt([&] {
        std::vector<std::uint64_t> begin{0};
        auto const& received = travel.routes.received;
        for (std::size_t r = 0; r + 1 < received.size(); ++r) {
            begin.push_back(begin.back());
            for (auto j = received[r]; j < received[r + 1]; ++j) begin.back() += own[travel.position[j]];
        }
        // The lists that arrive have two copies for a while, too; but neither waits for the other.
        check_list_memory(rows, lists.offsets[rows], 2 * list_entry_bytes<T, Cpu>(with_distances, true),
                          cpu.available() / std::uint64_t(comm.host_size()), cpu.memory_budget());
        return begin;
    });
    Routes const routes = comm.routes(sent);
    auto const bring = [&](auto& values) {
        using V = std::remove_cvref_t<decltype(*values.begin())>;
        auto const out =
            comm.attempt([&] { return in_order_of(travel.position, here.offsets, values); });
        auto const in = comm.exchange(routes, std::span<V const>(out));
        values = comm.agree([&] { return by_row(travel.row, lists.offsets, in); });
    };
    bring(here.rows);
    lists.rows = std::move(here.rows);
    if (with_distances) {
        bring(here.distances);
        lists.distances = std::move(here.distances);
    }
    return lists;
}

}}}  // namespace zwalk::v0::detail
