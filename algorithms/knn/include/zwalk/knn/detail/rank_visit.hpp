// How neighbours on the device of a rank reach a user's object: by names that hold on all ranks.
#pragma once
#include "zwalk/knn/knn.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Calls f by the row that a target's number stands for.
template <class F>
struct ByRow {
    F f;
    index_t const* row_of;  ///< null: the number
    template <class N>
    ZWALK_HD void operator()(index_t number, N const& neighbours) const {
        f(row_of ? row_of[number] : number, neighbours);
    }
};

/// What calls a user's object, in the device's stream.
template <class T, class Device, class F>
RankChunkVisitor<T, Device> rank_chunk_visitor(F const& f) {
    return [f](Device& device, NeighbourChunk<T> const& chunk, index_t const* row_of) {
        visit_rows(device, chunk, ByRow<F>{f, row_of});
    };
}

}}}  // namespace zwalk::v0::detail
