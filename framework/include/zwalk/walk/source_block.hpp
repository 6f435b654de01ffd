// What a trait's visit_block sees: source points whose distances are computed where they are used.
#pragma once
#include <cmath>
#include <cstdint>

#include "zwalk/core/columns.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/core/space.hpp"
#include "zwalk/exec/simd.hpp"

namespace zwalk { inline namespace v0 {

/// Points first, first + 1, ..., first + count - 1 of one source leaf, as one target meets them.
template <class Space, class Payload = Empty>
struct SourceBlock {
    using T = typename Space::real;
    static constexpr int D = Space::dim, width = simd_width<T>;
    static constexpr pos_t capacity = 64;  ///< largest count where lanes() or `useful` are asked for

    pos_t first;
    pos_t count;
    Space const& space;
    PointColumns<D, T>
        sources;  // a copy: for the compiler, what is written meanwhile could be that of a reference
    Vec<D, T> target;
    std::uint64_t useful =
        ~std::uint64_t(0);           ///< bits of the points that are not left out (tuning.sift)
    ColumnsView<Payload> payload{};  ///< all sources', that of the first point of the block at `first`

    /// Squared distances to points first + c + l, for all lanes l of a SIMD block. Those behind the
    /// last point are meaningless; see lanes().
    ZWALK_CPU_INLINE void distances(pos_t c, T* d2) const {
        ZWALK_AXES_LOOP
        for (int j = 0; j < D; ++j) {
            T const* const column = sources.from(j, first) + c;
            T const x = target[j];
            ZWALK_SIMD_LOOP
            for (int l = 0; l < width; ++l) {
                T const dx =
                    space.axis_up_to_sign(j, x - column[l]);         // one operation, with what it loads
                d2[l] = j == 0 ? dx * dx : std::fma(dx, dx, d2[l]);  // fma(dx, dx, 0) has the same bits
            }
        }
    }
    /// Bits of all points, but for those left out; 1 <= count <= capacity.
    [[nodiscard]] ZWALK_CPU_INLINE std::uint64_t points() const {
        return ~std::uint64_t(0) >> (capacity - count) & useful;
    }
    /// Bits of the lanes from c on that hold points, but for those left out.
    [[nodiscard]] ZWALK_CPU_INLINE std::uint32_t lanes(pos_t c) const {
        return lanes_below(count - c, width) & std::uint32_t(useful >> c);
    }
};

}}  // namespace zwalk::v0
