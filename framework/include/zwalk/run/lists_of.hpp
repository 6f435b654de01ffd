// Lists of the points of a call, a verb for drivers beside those of CallPoints (call_points.hpp): of targets the sources that a list
// trait wants, counted, listed nearest first, or shown to a visitor. On ranks: rank_lists_of.hpp.
//
//   ListsOf<Points> lists(targets, sources, radius, order)
//                                  lists in `order`, of points of a call; sources may be the targets. Those within `radius` decide
//                                  them, or, where points carry something, what the trait makes of that
//   lists.count(carried, make, less)
//                             (c)  ListCounts: how many sources there are in each, `less` subtracted; lists themselves are as if
//                                  it were 0. make.operator()<D>() is the list trait; carried(n) what n rows of the targets carry,
//                                  who are sources, too, or the sources carry nothing
//   lists.find(carried, make, distances)
//                             (c)  Lists, with distances in the unit of the input, if wanted
//   lists.visit(carried, make, visitor)
//                             (c)  shows each list to the visitor, on threads
//   lists.finish(r)           (c)  the end of such a call: r gets what it reports, and with Order::z the rows of targets and sources
//
// (c): collective, on ranks.
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/exec/columns_on.hpp"
#include "zwalk/run/call_points.hpp"
#include "zwalk/run/detail/compiled_lists.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class P>
struct ListCounts {
    ArrayOn<P, index_t> counts;
    size_type found = 0;  ///< of all of them
};
/// to[i] = from[i] - less.
struct CountsLess {
    pos_t const* from;
    pos_t less;
    index_t* to;
    ZWALK_HD void operator()(std::size_t i) const { to[i] = index_t(from[i] - less); }
};

template <class Points>
class ListsOf;

template <class T, class P>
class ListsOf<CallPoints<T, P>> {
    using Points = CallPoints<T, P>;

  public:
    ListsOf(Points& targets, Points& sources, double, Order order)
        : targets_(targets), sources_(sources), order_(order) {}

    template <class Carried, class Make>
    ListCounts<P> count(Carried const& carried, Make const& make, pos_t less) {
        P& place = targets_.place();
        std::size_t const n = targets_.size_here();
        ListCounts<P> found{place.template buffer<index_t>(n)};
        walk(carried, make, [&]<class L>(ListsAsked<L, P> const& asked, WalkCounts& done) {
            auto const counts = CompiledLists<L, P>::count(place, asked, done);
            place.for_each(n, CountsLess{counts.data(), less, found.counts.data()});
            auto sums = place.template buffer<size_type>(n + 1);
            place.exclusive_scan(counts.data(), sums.data(), n + 1);
            place.download(&found.found, sums.data() + n, 1);
        });
        found.found -= size_type(less) * n;
        return found;
    }
    template <class Carried, class Make>
    Lists<T, P> find(Carried const& carried, Make const& make, bool distances) {
        Lists<T, P> found;
        walk(carried, make, [&]<class L>(ListsAsked<L, P> const& asked, WalkCounts& done) {
            found = CompiledLists<L, P>::find(targets_.place(), asked, distances, done);
        });
        auto const& unit = targets_.unit();
        if (!unit.is_plain())
            Preparation<T, P>::multiply(targets_.place(), found.distances.data(), found.distances.size(),
                                        unit.unit());
        return found;
    }
    template <class Carried, class Make>
    void visit(Carried const& carried, Make const& make, ListVisitor<T> const& visitor) {
        walk(carried, make, [&]<class L>(ListsAsked<L, P> const& asked, WalkCounts& done) {
            CompiledLists<L, P>::visit(targets_.place(), asked, visitor, done);
        });
    }
    template <class R>
    void finish(R& r) {
        targets_.finish_rows(r, sources_, order_);
    }

  private:
    /// f(what is asked, counts of its walks) for what points carry and for the trait.
    template <class Carried, class Make, class F>
    void walk(Carried const& carried, Make const& make, F const& f) {
        auto const& targets = targets_.prepared();
        targets_.template with_columns<void>([&]<int D>() {
            using L = decltype(make.template operator()<D>());
            using Payload = typename L::Payload;
            ListsAsked<L, P> asked{make.template operator()<D>(), targets.period, targets.tree,
                                   sources_.prepared().tree, order_};
            ColumnsOn<Payload, P> columns;
            if constexpr (!std::is_empty_v<Payload>) {
                std::vector<Payload> const rows = carried(targets_.rows_here());
                columns = {targets_.place(), std::span<Payload const>(rows), targets.tree.input};
                asked.target_payload = columns.view();
                if (&targets_ == &sources_) asked.source_payload = columns.view();
                targets_.end_phase("payload");
            }
            WalkCounts done;
            f(std::as_const(asked), done);
            targets_.note_walk(done);
        });
        targets_.end_phase("walk");
    }

    Points& targets_;
    Points& sources_;
    Order order_;
};

}}}  // namespace zwalk::v0::detail
