// All pairs of points of a call on ranks, or of a point of each of two sets: RankCallPoints::meet() (rank_call_points.hpp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/exec/columns_on.hpp"
#include "zwalk/run/call.hpp"
#include "zwalk/run/detail/compiled_walk.hpp"
#include "zwalk/run/detail/met_points.hpp"
#include "zwalk/run/rank_meeting.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T, class Where>
class RankCallPoints;

template <class T, class Where, template <int, class, bool> class Need>
class Met<RankCallPoints<T, Where>, Need> {
    using Points = RankCallPoints<T, Where>;
    using P = typename Where::Type;
    using Meets = Meeting<Need, T>;
    using Carried = typename Meets::Carried;

  public:
    template <class Rows>
    Met(Points& points, Points* others, Rows const& rows)
        : points_(points), others_(others), carried_(sorted(points, 0, rows)) {
        if (others) of_others_ = sorted(*others, 1, rows);
    }

    template <class Total, class Bytes, class Make>
    Total walk(typename Meets::Limits const& limits, Bytes const& bytes, Make const& make) {
        Comm& comm = points_.comm();
        Carriers<T, Carried> const points{points_.points(), carried_.view()};
        std::optional<Carriers<T, Carried>> others;
        if (others_) others.emplace(others_->points(), of_others_.view());
        auto met = Meets::import(comm, points_.place(), points, others ? &*others : nullptr, limits);
        Total total{};
        points_.template with_columns<void>([&]<int D>() {
            auto const check = [&](std::uint64_t available) {
                auto const n = met.tree.size();
                check_device_memory(points_.name(), n, bytes(n, D), available);
            };
            points_.template on_tree<D>(met.tree, check, [&](P& walks, RunPoints<T, P>& there) {
                auto const trait = make.template operator()<D>(met.second);
                walk_over(walks, there, trait, met, total);
            });
        });
        (others_ ? others_ : &points_)->end_phase("walk");
        return total;
    }
    template <class R>
    void finish(R& r) {
        points_.hand_over(r);
    }

  private:
    template <class Rows>
    static Columns<Carried> sorted(Points& points, int set, Rows const& rows) {
        std::vector<Carried> const all = points.here([&] { return rows(set, points.rows_here()); });
        auto const in_order = points.points().rows_sorted(std::span<Carried const>(all));
        return points.here([&] { return Columns<Carried>(std::span<Carried const>(in_order)); });
    }
    template <class I, class Total>
    void walk_over(P& walks, RunPoints<T, P>& there, I const& trait, Meets& met, Total& total) {
        auto inputs = met.template inputs<I>();
        inputs.total = &total;
        std::span<typename I::Payload const> carried;
        if constexpr (!std::is_empty_v<typename I::Payload>) carried = met.carried;
        auto const done = CompiledWalk<I, P>::run(walks, trait, there->period, there->tree, there->tree,
                                                  inputs, carried);
        points_.note_walk(there->tree, done);
    }

    Points& points_;
    Points* others_;
    Columns<Carried> carried_, of_others_;
};

}}}  // namespace zwalk::v0::detail
