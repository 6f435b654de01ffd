// Lists of the points of a call on MPI ranks (lists_of.hpp): targets are walked where they are, over sources that are imported; then
// lists travel to the ranks of their rows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/run/counts.hpp"
#include "zwalk/run/detail/compiled_list_import.hpp"
#include "zwalk/run/lists_of.hpp"
#include "zwalk/run/rank_call_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Shows a visitor lists of rows of the input instead of a rank's numbers.
template <class T>
struct NamedRows {
    ListVisitor<T> visitor;
    index_t const* row;

    void operator()(index_t number, NearestFirst<T> const& list) const {
        visitor.call(visitor.object, row[number], list);
    }
};

template <class T, class Where>
class ListsOf<RankCallPoints<T, Where>> {
    using Points = RankCallPoints<T, Where>;
    using P = typename Where::Type;

  public:
    ListsOf(Points& targets, Points& sources, double radius, Order order)
        : targets_(targets),
          sources_(sources),
          comm_(targets.comm()),
          radius_(T(radius)),
          order_(order) {}

    template <class Carried, class Make>
    ListCounts<Cpu> count(Carried const& carried, Make const& make, pos_t less) {
        // A trait counts in 32 bits: more sources than that must all be imported, which is checked.
        bool const by_nodes = sources_.size() <= std::numeric_limits<pos_t>::max();
        Buffer<pos_t> counts;
        walk(by_nodes, false, carried, make,
             [&]<class L>(P& place, ListsAsked<L, P> const& asked, WalkCounts& done) {
                 download(place, counts, CompiledLists<L, P>::count(place, asked, done));
             });
        ListCounts<Cpu> found;
        targets_.here([&] {
            found.counts = Buffer<index_t>(targets_.size_here());
            targets_.place().for_each(found.counts.size(),
                                      CountsLess{counts.data(), less, found.counts.data()});
        });
        targets_.in_order(found.counts, order_);
        found.found = std::accumulate(found.counts.begin(), found.counts.end(), size_type(0));
        return found;
    }
    template <class Carried, class Make>
    Lists<T> find(Carried const& carried, Make const& make, bool distances) {
        Lists<T> found;
        walk(false, true, carried, make,
             [&]<class L>(P& place, ListsAsked<L, P> const& asked, WalkCounts& done) {
                 auto there = CompiledLists<L, P>::find(place, asked, distances, done);
                 download(place, found.offsets, std::move(there.offsets));
                 download(place, found.rows, std::move(there.rows));
                 download(place, found.distances, std::move(there.distances));
                 if constexpr (is_device<P>)
                     for (index_t& source : found.rows) source = names_[std::size_t(source)];
             });
        RankPoints<T>& targets = targets_.points();
        targets.from_unit(found.distances);
        if (order_ == Order::z) return found;
        return lists_home(comm_, targets_.place(), targets.own().points.travel, targets.rows(),
                          std::move(found), distances);
    }
    template <class Carried, class Make>
    void visit(Carried const& carried, Make const& make, ListVisitor<T> const& visitor) {
        NamedRows<T> const named{visitor, targets_.points().own().points.input_index.data()};
        auto of_rows = make_list_visitor<T>(named);
        of_rows.unit = visitor.unit;
        walk(false, true, carried, make,
             [&]<class L>(P& place, ListsAsked<L, P> const& asked, WalkCounts& done) {
                 CompiledLists<L, P>::visit(place, asked, order_ == Order::input ? of_rows : visitor,
                                            done);
             });
    }
    template <class R>
    void finish(R& r) {
        targets_.finish_rows(r, sources_, order_);
    }

  private:
    /// f(place, what is asked, counts of its walks) where this rank walks, for what points carry and for the trait.
    /// @param by_nodes  for counts: nodes that are wanted as a whole come without points
    /// @param named     sources are called by their names
    template <class Carried, class Make, class F>
    void walk(bool by_nodes, bool named, Carried const& carried, Make const& make, F const& f) {
        using Payload = typename decltype(make.template operator()<2>())::Payload;
        RankPoints<T>&targets = targets_.points(), &sources = sources_.points();
        bool const same = &targets == &sources;
        auto const own = carried_sorted<Payload>(carried);
        auto all = import(by_nodes, std::span<Payload const>(own), make);
        sources.drop_tree();
        targets.drop_tree();
        auto const tree = comm_.attempt([&] {
            if (named) name(all);
            // The tree that targets had was cut to fit what this rank has of the sources, which may be elsewhere.
            return same ? Tree<T, Cpu>{} : targets.tree_for(all.tree);
        });
        targets_.template with_columns<void>([&]<int D>() {
            auto const check = [&](std::uint64_t available) {
                auto const lists = targets_.size_here();
                // They carry it twice for a moment, and nodes do.
                double const payload = 3. * sizeof(Payload) * double(all.carried.size() + own.size()),
                             results = double(lists) * (2 * sizeof(pos_t) + sizeof(size_type));
                targets_.check_walk(D, all.tree.size(), same ? 0 : lists, payload + results, available);
            };
            sources_.template on_tree<D>(all.tree, check, [&](P& place, RunPoints<T, P>& there) {
                using L = decltype(make.template operator()<D>());
                Tree<T, P> copy;
                ListsAsked<L, P> asked{make.template operator()<D>(), there->period,
                                       same ? there->tree : *tree_on(place, tree, D, copy), there->tree,
                                       Order::z};
                if constexpr (!std::is_empty_v<Payload>)
                    asked.carried = std::span<Payload const>(same ? all.carried : own);
                if (same) asked.part.targets = all.targets;
                asked.part.lists = targets_.size_here();
                if (by_nodes) asked.part.known = &all.known;
                if constexpr (is_device<P>) asked.part.numbered = true;
                else asked.part.source_names = names_.data();
                WalkCounts done;
                f(place, std::as_const(asked), done);
                targets_.note_walk(there->tree, done);
            });
        });
        targets_.end_phase("walk");
    }
    /// What own targets carry, by position.
    template <class Payload, class Carried>
    std::vector<Payload> carried_sorted([[maybe_unused]] Carried const& carried) {
        if constexpr (std::is_empty_v<Payload>) {
            return {};
        } else {
            auto const rows = targets_.here(
                [&] { return targets_.place().run([&] { return carried(targets_.rows_here()); }); });
            return targets_.points().rows_sorted(std::span<Payload const>(rows));
        }
    }
    template <class Payload, class Make>
    auto import(bool by_nodes, [[maybe_unused]] std::span<Payload const> carried, Make const& make) {
        using L2 = decltype(make.template operator()<2>());
        RankPoints<T>&targets = targets_.points(), &sources = sources_.points();
        if constexpr (std::is_empty_v<Payload>) {
            if (!by_nodes) return ListSourcesOf<L2>{import_within(targets, sources, radius_), {}, {}};
            auto all = import_counted_within(targets, sources, radius_);
            auto known = std::move(all.known);
            return ListSourcesOf<L2>{std::move(all), {}, std::move(known)};
        } else {
            auto const columns = comm_.agree([&] { return Columns<Payload>(carried); });
            return Where::template with_tree_columns<ListSourcesOf<L2>>(targets_.dim(), [&]<int D>() {
                auto const list = make.template operator()<D>();
                return CompiledListImport<std::remove_const_t<decltype(list)>>::run(
                    targets, sources, list, by_nodes, columns.view());
            });
        }
    }
    /// The names of sources: by position or, for devices, by their number.
    void name(ImportedPoints<T>& all) {
        names_ = sources_.points().names_of(all, order_);
        if constexpr (is_device<P>) names_ = number_by_name(names_, all.tree.input);
    }

    Points& targets_;
    Points& sources_;
    Comm& comm_;
    T radius_;
    Order order_;
    Buffer<index_t> names_;
};

}}}  // namespace zwalk::v0::detail
