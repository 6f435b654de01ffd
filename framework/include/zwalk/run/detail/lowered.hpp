// Values on their way to the points of any rank that they are for, and back: RankCallPoints::lower() (rank_call_points.hpp).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/sort.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// values[to[i]] has become the least of itself and by[i]. Members are collective.
class Lowered {
  public:
    /// @param to  of each of `by` the point that it is for, among those of all ranks
    Lowered(Comm& comm, Ranks const& ranks, Buffer<index_t>& values, Buffer<index_t> const& to,
            Buffer<index_t> const& by)
        : comm_(comm) {
        auto const step = comm.step("lowered");
        Buffer<ForPoint> out;
        routes_ = comm.routes(comm.attempt([&] { return make_records(ranks, to, by, out); }));
        in_ = comm.exchange(routes_, std::span<ForPoint const>(out));
        for (ForPoint const& one : in_) values[one.at] = std::min(values[one.at], one.by);
    }

    /// values[to[i]] for each i.
    [[nodiscard]] Buffer<index_t> read(Buffer<index_t> const& values) const {
        auto const step = comm_.step("lowered");
        auto const out = comm_.attempt([&] {
            Buffer<index_t> asked(in_.size());
            for (std::size_t i = 0; i < in_.size(); ++i) asked[i] = values[in_[i].at];
            return asked;
        });
        auto const back = comm_.exchange(routes_.back(), std::span<index_t const>(out));
        return comm_.attempt([&] {
            Buffer<index_t> read(from_.size());
            for (std::size_t i = 0; i < from_.size(); ++i) read[from_[i]] = back[i];
            return read;
        });
    }

  private:
    struct ForPoint {
        pos_t at;  ///< the point, by its position on its rank
        index_t by;
    };
    /// Values by the rank that has the point which they are for; where the records for each rank begin.
    std::vector<std::uint64_t> make_records(Ranks const& ranks, Buffer<index_t> const& to,
                                            Buffer<index_t> const& by, Buffer<ForPoint>& out) {
        std::vector<std::uint64_t> begin(std::size_t(comm_.size()) + 1);
        std::vector<int> rank(to.size());
        for (std::size_t i = 0; i < to.size(); ++i) {
            rank[i] = ranks.rank_of_position(std::uint64_t(to[i]));
            ++begin[std::size_t(rank[i]) + 1];
        }
        for (std::size_t r = 1; r < begin.size(); ++r) begin[r] += begin[r - 1];
        out = Buffer<ForPoint>(to.size());
        from_ = Buffer<std::size_t>(to.size());
        auto next = begin;
        for (std::size_t i = 0; i < to.size(); ++i) {
            auto const record = next[std::size_t(rank[i])]++;
            from_[record] = i;
            out[record] = {pos_t(std::uint64_t(to[i]) - ranks.positions_before(rank[i])), by[i]};
        }
        return begin;
    }

    Comm& comm_;
    Routes routes_;
    Buffer<ForPoint> in_;       // what has come to this rank
    Buffer<std::size_t> from_;  // which `i` each record is that it has sent
};

}}}  // namespace zwalk::v0::detail
