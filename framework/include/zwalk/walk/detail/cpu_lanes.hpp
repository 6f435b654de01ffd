// Points meet on a CPU thread, several sources at a time: what walks do for traits with uses.lanes.
#pragma once
#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "zwalk/core/columns.hpp"
#include "zwalk/exec/pack.hpp"
#include "zwalk/walk/detail/leaf_step.hpp"
#include "zwalk/walk/source_block.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {

/// The number of T's that a payload is made of.
template <class Payload, class T>
inline constexpr int numbers_in = std::is_empty_v<Payload> ? 0 : int(sizeof(Payload) / sizeof(T));

/// f(where that of row 0 is, step from row to row) for each number of a payload, in the order of declaration.
template <class T, class A, class F>
ZWALK_CPU_INLINE void each_number(ColumnsView<A> const& rows, F const& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        [[maybe_unused]] auto const of_column = [&]<class Field>(Field const* column) {
            constexpr int n = int(sizeof(Field) / sizeof(T));  // a T or a Vec of them
            for (int i = 0; i < n; ++i) f(reinterpret_cast<T const*>(column) + i, n);
        };
        (of_column(rows.template column<I>()), ...);
    }
    (FieldSequence<A>{});
}

/// `count` numbers, zeros behind them.
template <class V, class T>
ZWALK_CPU_INLINE V load_some(T const* first, int step, pos_t count) {
    if (step == 1 && count == V::width) return V::load(first);
    T some[V::width];
    for (pos_t l = 0; l < V::width; ++l)
        some[l] = l < count ? first[std::size_t(l) * std::size_t(step)] : T(0);
    return V::load(some);
}

/// From p to each source of the pack that begins with c, the nearest image of it.
template <class V, class Space, int D, class T>
ZWALK_CPU_INLINE Vec<D, V> displacements(Space const& space, Vec<D, T> const& p,
                                         PointColumns<D, T> const& sources, pos_t c) {
    Vec<D, V> dx;
    ZWALK_AXES_LOOP
    for (int j = 0; j < D; ++j) {
        alignas(64) T d[V::width];
        T const* const column = sources.from(j, c);
        T const x = p[j];
        ZWALK_SIMD_LOOP
        for (int l = 0; l < V::width; ++l) d[l] = space.signed_axis(j, column[l] - x);
        dx[j] = V::load(d);
    }
    return dx;
}

/// Squared distances of these displacements. The bits are those of SourceBlock::distances, since the length of
/// Space::signed_axis is Space::axis of the length.
template <int D, class V>
inline V lengths2(Vec<D, V> const& dx) {
    V d2{0};
    ZWALK_AXES_LOOP
    for (int j = 0; j < D; ++j) d2 = fma_of(dx[j], dx[j], d2);
    return d2;
}
/// Lanes before `count`, NaN behind.
template <class T, Isa isa>
inline Pack<T, isa> first_of(Pack<T, isa> const& x, pos_t count) {
    Pack<T, isa> r = x;
    for (pos_t l = count; l < pos_t(simd_width<T>); ++l) r.lane[l] = not_a_number<T>;
    return r;
}

}  // namespace detail

/// The sources of a target leaf side by side, whichever leaves they come from: so few packs are not full. Part of a
/// thread's workspace.
template <class I>
class LaneSources {
    using T = typename I::real;
    static constexpr int D = I::dim, numbers = D + detail::numbers_in<typename I::Payload, T>;
    /// As many as a cache next to the registers holds, and enough for what is done once for all of them.
    static constexpr pos_t capacity = 1024;
    static constexpr pos_t width = simd_width<T>, stride = capacity + width;

    alignas(64) T number_[numbers][stride];

    /// `count` numbers and what follows them up to a whole pack: leaves often have fewer than that, and each number by itself would
    /// cost as much as a pack.
    static ZWALK_CPU_INLINE void copy_packs(T const* from, T* to, pos_t count) {
        for (pos_t c = 0; c < count; c += width) std::memcpy(to + c, from + c, width * sizeof(T));
    }

  public:
    pos_t size = 0;

    [[nodiscard]] ZWALK_CPU_INLINE bool is_full() const { return size == capacity; }
    /// Takes in sources [begin, end), as many as there's room for; returns where the rest begins.
    ZWALK_CPU_INLINE pos_t take(LeafPoints<I> const& points, pos_t begin, pos_t end) {
        pos_t const count = min_of(pos_t(end - begin), pos_t(capacity - size));
        for (int j = 0; j < D; ++j) copy_packs(points.sources.from(j, begin), number_[j] + size, count);
        // Unlike those of points, columns of a payload end with the last one.
        bool const ends_in_column =
            std::size_t(begin) + count + (width - 1) <= std::size_t(points.sources.size);
        T(*out)[stride] = number_ + D;
        detail::each_number<T>(points.source_payload, [&](T const* first, int step) {
            first += std::size_t(begin) * std::size_t(step);
            T* const number = *out++ + size;
            if (step == 1 && ends_in_column) return copy_packs(first, number, count);
            for (pos_t i = 0; i < count; ++i) number[i] = first[std::size_t(i) * std::size_t(step)];
        });
        size += count;
        return begin + count;
    }
    /// Zeros follow up to a whole pack.
    ZWALK_CPU_INLINE void fill() {
        for (pos_t i = size; i % simd_width<T> != 0; ++i)
            for (int k = 0; k < numbers; ++k) number_[k][i] = 0;
    }
    /// Target p meets all of them.
    template <Isa isa, class Space>
    inline void meet(I const& trait, Space const& space, detail::FoldOf<I>& fold,
                     typename I::Target const& p) const {
        using V = Pack<T, isa>;
        PointColumns<D, T> const columns{number_[0], stride, size};
        SourceBlock<Space> const block{0, size, space, columns, p.x};
        typename I::template Fold<V> lanes{};
        for (pos_t c = 0; c < size; c += V::width) {
            detail::SourceOf<I, V> q;
            ZWALK_AXES_LOOP
            for (int j = 0; j < D; ++j) q.x[j] = V::load(number_[j] + c);
            if constexpr (numbers > D)
                for (int k = D; k < numbers; ++k)
                    reinterpret_cast<V*>(&q.payload)[k - D] = V::load(number_[k] + c);
            if constexpr (I::uses.displacement) {
                auto const dx = detail::displacements<V>(space, p.x, columns, c);
                V d2 = detail::lengths2(dx);
                if (size - c < pos_t(V::width)) d2 = detail::first_of(d2, size - c);
                trait.template visit<V>(lanes, p, q, d2, dx);
            } else {
                alignas(64) T d2[V::width];
                block.distances(c, d2);
                for (pos_t l = size - c; l < V::width; ++l) d2[l] = not_a_number<T>;
                trait.template visit<V>(lanes, p, q, V::load(d2));
            }
        }
        trait.join(fold, lanes);
    }
};

/// Point p meets `count` sources from c on, at distances d2; there are simd_width of these, NaN behind the last one.
template <Isa isa, class I, class Space, class Sink>
inline void meet_pack(I const& trait, Space const& space, typename I::Point const& p,
                      LeafPoints<I> const& points, pos_t c, pos_t count, typename I::real const* d2,
                      Sink& sink) {
    using T = typename I::real;
    using V = Pack<T, isa>;
    detail::SourceOf<I, V> q;
    ZWALK_AXES_LOOP
    for (int j = 0; j < I::dim; ++j) q.x[j] = V::load(points.sources.from(j, c));
    [[maybe_unused]] V* member = reinterpret_cast<V*>(&q.payload);
    // Unlike those of points, columns of a payload end with the last one. Other leaves' points aren't met for their d2.
    detail::each_number<T>(points.source_payload, [&](T const* first, int step) {
        *member++ = detail::load_some<V>(first + std::size_t(c) * std::size_t(step), step, count);
    });
    if constexpr (I::uses.displacement)
        trait.template pair<V>(p, q, V::load(d2),
                               detail::displacements<V>(space, p.x, points.sources, c), sink);
    else trait.template pair<V>(p, q, V::load(d2), sink);
}

}}  // namespace zwalk::v0
