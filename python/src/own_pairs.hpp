// Pairs of an index's points within a radius, each of them once: what query_pairs of zwalk.KDTree stands on.
#pragma once
#include <nanobind/nanobind.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "run.hpp"
#include "zwalk/core/buffer.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk::python {

/// Pairs that a search meets, kept by the thread that meets them: one walk, in which each pair is met once, by either of its points.
template <class T>
class CollectPairs {
    /// j of a pair (i, j > i), where all of one i are together: their order is that of lists within a radius.
    using Partner = ListedSource<T>;

  public:
    /// Thrown where threads have met more than `most` together.
    struct TooMany {};

    explicit CollectPairs(std::size_t most) : most_(most) {}

    void operator()(index_t row, NearestFirst<T> const& list) const {
        std::vector<Met>& part = parts_.local();
        for (std::size_t k = 0; k < list.size(); ++k) {
            index_t const other = list.index(k);
            part.push_back(
                {list.scaled_distance2(k), pos_t(std::min(row, other)), pos_t(std::max(row, other))});
        }
        if (met_.fetch_add(list.size(), std::memory_order_relaxed) + list.size() > most_)
            throw TooMany();
    }

    /// Two indices in the place of each element: of pairs with the least i first, and of these of the nearest.
    [[nodiscard]] Buffer<Partner> pairs(std::size_t points, Cpu const& cpu) {
        std::vector<std::vector<Met>*> parts;
        for (auto& part : parts_) parts.push_back(&part);
        bool const alone = parts.size() < 2;
        auto const for_all = [&](auto const& f) {
            auto const each = [&](std::size_t p, std::size_t end) {
                for (; p < end; ++p)
                    for (Met const& pair : *parts[p]) f(pair);
            };
            if (alone) each(0, parts.size());
            else cpu.run([&] { parallel_for(parts.size(), 1, each); });
        };
        // How many pairs each i has, then where its next one goes, then where they end.
        std::vector<std::size_t> at(points);
        for_all([&](Met const& pair) { next(at[pair.i], alone); });
        std::size_t sum = 0;
        for (std::size_t& begin : at) begin = std::exchange(sum, sum + begin);
        Buffer<Partner> partners(sum);
        for_all([&](Met const& pair) {
            partners[next(at[pair.i], alone)] = {pair.d2, index_t(pair.j)};
        });
        cpu.run([&] {
            parallel_for(points, 1 << 10, [&](std::size_t i, std::size_t last) {
                for (; i < last; ++i) finish(partners, i, i == 0 ? 0 : at[i - 1], at[i]);
            });
        });
        return partners;
    }

  private:
    struct Met {
        T d2;
        pos_t i, j;
    };
    static std::size_t next(std::size_t& number, bool alone) {
        if (alone) return number++;
        return std::atomic_ref(number).fetch_add(1, std::memory_order_relaxed);
    }
    /// Sorts the partners of i, and puts the pairs that they are in into their places.
    static void finish(Buffer<Partner>& partners, std::size_t i, std::size_t begin, std::size_t end) {
        zwalk::detail::sort_by_distance(std::span(partners.data() + begin, end - begin));
        for (std::size_t k = begin; k < end; ++k) {
            index_t const pair[] = {index_t(i), partners[k].row};
            static_assert(sizeof pair == sizeof(Partner));
            std::memcpy(static_cast<void*>(&partners[k]), pair, sizeof pair);
        }
    }

    std::size_t most_;
    mutable std::atomic<std::size_t> met_ = 0;
    mutable tbb::enumerable_thread_specific<std::vector<Met>> parts_;
};

/// An array of pairs, or None if there are more than `most`.
template <class T>
nb::object pairs_within(Index<T> const& index, double radius, std::size_t most) {
    using Pairs = decltype(std::declval<CollectPairs<T>&>().pairs(0, Cpu()));
    auto pairs = run(heavy(index.size(), 8), [&]() -> std::optional<Pairs> {
        CollectPairs<T> collect(most);
        zwalk::detail::RadiusAsked asked{{.radius = radius}, zwalk::detail::RadiusWork::visit};
        asked.once = true;
        try {
            zwalk::detail::find_radius_at(index, nullptr, std::as_const(collect), asked);
        } catch (typename CollectPairs<T>::TooMany const&) {
            return std::nullopt;
        }
        return collect.pairs(index.size(), index.place().apart());
    });
    if (!pairs) return nb::none();
    std::size_t const n = pairs->size();
    auto* const indices = reinterpret_cast<index_t*>(pairs->data());
    return array_over(indices, {n, 2}, std::move(*pairs));
}

}  // namespace zwalk::python
