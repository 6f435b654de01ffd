// What rows have within a radius, for lists of zwalk.KDTree: in ascending order, and as Python's lists where they are few.
#pragma once
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "neighbours.hpp"
#include "run.hpp"
#include "shared_ints.hpp"
#include "sort_indices.hpp"
#include "zwalk/core/buffer.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk::python {

/// Puts lists where they belong, sorted by the thread that meets them.
template <class T>
class PutAscending {
  public:
    /// @param offsets  list i goes to [offsets[i], offsets[i + 1]) of `to`
    PutAscending(std::span<size_type const> offsets, index_t* to) : offsets_(offsets), to_(to) {}

    void operator()(index_t row, NearestFirst<T> const& list) const {
        index_t* const begin = to_ + offsets_[std::size_t(row)];
        index_t* const end = to_ + offsets_[std::size_t(row) + 1];
        // Rows are the user's array, which another thread may have written to since they were counted.
        if (std::size_t(end - begin) != list.size())
            throw Error("the rows were changed while they were searched for");
        for (std::size_t i = 0; i < list.size(); ++i) begin[i] = list.index(i);
        sorts_.local()(begin, end);
    }

  private:
    std::span<size_type const> offsets_;
    index_t* to_;
    mutable tbb::enumerable_thread_specific<SortIndices> sorts_;
};

/// (offsets, indices) of rows that have been counted.
template <class T>
nb::tuple ascending(Index<T> const& index, PointArray<T> const& rows, Radius const& radius,
                    Column<index_t> const& counts) {
    auto const all = view<T>(rows);
    zwalk::detail::RadiusAsked asked;
    set_radius(radius, asked);
    asked.work = zwalk::detail::RadiusWork::visit;
    asked.in_order = false;
    Buffer<size_type> offsets(all.size + 1);
    offsets[0] = 0;
    for (std::size_t i = 0; i < all.size; ++i) offsets[i + 1] = offsets[i] + size_type(counts.data()[i]);
    Buffer<index_t> indices(offsets[all.size]);
    run(heavy(all.size, 8), [&] {
        PutAscending<T> const put({offsets.data(), offsets.size()}, indices.data());
        zwalk::detail::find_radius_at(index, &all, put, asked);
        return 0;
    });
    return nb::make_tuple(to_numpy(std::move(offsets)), to_numpy(std::move(indices)));
}

/// Keeps lists wherever there is room, since how long they are isn't known: each thread those that it meets.
template <class T>
class KeepLists {
  public:
    explicit KeepLists(std::size_t rows, bool by_index) : by_index_(by_index), places_(rows) {}

    void operator()(index_t row, NearestFirst<T> const& list) const {
        Part& part = parts_.local();
        std::size_t const begin = part.indices.size();
        for (std::size_t i = 0; i < list.size(); ++i) part.indices.push_back(list.index(i));
        index_t* const all = part.indices.data();
        if (by_index_) part.sort(all + begin, all + part.indices.size());
        places_[std::size_t(row)] = {&part, begin, part.indices.size()};
    }
    /// Where a list begins and ends, once there are no more.
    [[nodiscard]] std::pair<index_t const*, index_t const*> list(std::size_t row) const {
        auto const [part, begin, end] = places_[row];
        return {part->indices.data() + begin, part->indices.data() + end};
    }

  private:
    struct Part {
        std::vector<index_t> indices;
        SortIndices sort;
    };
    struct Place {
        Part const* part = nullptr;
        std::size_t begin = 0, end = 0;
    };
    bool by_index_;
    mutable std::vector<Place> places_;
    mutable tbb::enumerable_thread_specific<Part> parts_;
};

/// What few rows have within a radius, or within one of their own, as lists. None: they are too many for a search of each by itself, or
/// one of them finds much; and all of them might find more than `most`.
template <class T>
nb::object few_lists(Index<T> const& index, PointArray<T> const& rows, Radius const& radius,
                     bool by_index, std::size_t most) {
    auto const all = view<T>(rows);
    zwalk::detail::RadiusAsked asked;
    set_radius(radius, asked);
    asked.distances = false;
    std::optional<RadiusResult<T>> few;
    std::optional<KeepLists<T>> kept;
    // In one call: threads take as long to wake up again as to search for a hundred rows.
    run(heavy(all.size * std::size_t(all.dim), 16), [&] {
        few = zwalk::detail::search_few<T>(index, all, asked);
        if (few || all.size > most / std::max<std::size_t>(index.size(), 1)) return 0;
        asked.work = zwalk::detail::RadiusWork::visit;
        asked.in_order = !by_index;
        kept.emplace(all.size, by_index);
        zwalk::detail::find_radius_at(index, &all, std::as_const(*kept), asked);
        return 0;
    });
    SharedInts ints(index.size());
    auto const list_kept = [&](std::size_t i) { return kept->list(i); };
    if (kept) return lists_of_rows(all.size, list_kept, ints, false);
    if (!few) return nb::none();
    auto const row = [&](std::size_t i) {
        index_t const* const indices = few->indices.data();
        return std::pair(indices + few->offsets[i], indices + few->offsets[i + 1]);
    };
    return lists_of_rows(all.size, row, ints, by_index);
}

}  // namespace zwalk::python
