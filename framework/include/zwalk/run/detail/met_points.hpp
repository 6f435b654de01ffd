// All pairs of points of a call, or of a point of each of two sets: CallPoints::meet() (call_points.hpp). On ranks:
// rank_met_points.hpp.
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/exec/columns_on.hpp"
#include "zwalk/run/counts.hpp"
#include "zwalk/run/detail/compiled_walk.hpp"
#include "zwalk/tree/concat.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T, class P>
class CallPoints;

template <class Points, template <int, class, bool> class Need>
class Met;

template <class T, class P, template <int, class, bool> class Need>
class Met<CallPoints<T, P>, Need> {
    using Points = CallPoints<T, P>;
    using Carried = typename Need<1, T, true>::Payload;

  public:
    template <class Rows>
    Met(Points& points, Points* others, bool taken, Rows const& rows)
        : points_(points), tree_(&points.prepared().tree) {
        P& place = points.place();
        if (others) put_behind(*others);
        if (taken) {
            std::vector<Carried> all = rows(0, points.rows_here());
            if (others) {
                auto const more = rows(1, tree_->size() - all.size());
                all.insert(all.end(), more.begin(), more.end());
            }
            carried_ = {place, std::span<Carried const>(all), tree_->input};
        }
        points.end_phase("second");
    }
    Met(Met const&) = delete;
    Met& operator=(Met const&) = delete;

    template <class Total, class Limits, class Bytes, class Make>
    Total walk(Limits const&, Bytes const&, Make const& make) {
        Total total{};
        points_.template with_columns<void>([&]<int D>() {
            auto const trait = make.template operator()<D>(second_);
            using I = std::remove_const_t<decltype(trait)>;
            WalkInputs<I> inputs;
            inputs.total = &total;
            if constexpr (!std::is_empty_v<typename I::Payload>)
                inputs.target_payload = inputs.source_payload = carried_.view();
            points_.walk(trait, *tree_, *tree_, inputs);
        });
        points_.end_phase("walk");
        return total;
    }
    template <class R>
    void finish(R& r) {
        points_.hand_over(r, *tree_);
    }

  private:
    /// The points of both, side by side; rows of the others are numbered behind all others.
    void put_behind(Points& others) {
        P& place = points_.place();
        second_ = points_.size_here();
        Tree<T, P> const* const parts[]{tree_, &others.own_tree()};
        both_ = concat<P, T>(place, parts, tree_->columns);
        tree_ = &both_;
        pos_t* const rows = both_.input.data() + second_;
        place.for_each(others.size_here(), ShiftBy{rows, rows, second_});
        others.own_tree() = {};
    }

    Points& points_;
    Tree<T, P> const* tree_;
    Tree<T, P> both_;
    pos_t second_ = no_pos;
    ColumnsOn<Carried, P> carried_;
};

}}}  // namespace zwalk::v0::detail
