// Points of a call on MPI ranks: from what each of them passes to trees that an algorithm's driver for threads can run on.
#pragma once
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "zwalk/dist/agree_on.hpp"
#include "zwalk/dist/import.hpp"
#include "zwalk/dist/points.hpp"
#include "zwalk/run/algorithm.hpp"
#include "zwalk/run/phases.hpp"
#include "zwalk/run/prepared_points.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk::inline v0::detail {

/// The points of all ranks, of which this one has passed some rows and got a range of the z-order. Members are collective.
template <class T>
class RankPoints {
  public:
    /// Checks, sorts and makes the own tree, in `columns` columns. Options that the algorithm has have been agreed on.
    /// @throws InputError  on all ranks: bad points, a box smaller than their extent, another box on some rank
    RankPoints(Comm& comm, Cpu const& cpu, Points<T> local, int columns, std::vector<double> const& box,
               TreeOptions const& tree, Stats& stats)
        : comm_(comm), cpu_(cpu), stats_(stats), phases_(cpu) {
        agree_on(comm, {{"the box", std::span<double const>(box)}});
        check_points(comm, cpu, local);
        auto const extent = find_extent(comm, cpu, local);
        prepared_.dim = local.dim;
        prepared_.options = tree;
        prepared_.period = comm.agree([&] { return checked_period(box, extent); });
        rows_ = local.size;
        auto sorted = z_sort(comm, cpu, local);
        phases_.end(stats, "sort");
        own_ = comm.agree([&] { return make_rank_tree(cpu, std::move(sorted), columns, tree); });
        phases_.end(stats, "planes");
    }

    /// Own points, and what they need of others for a walk of this trait. The largest number of points that were brought in
    /// at once is a count.
    /// @param payload  of the own points, by position
    template <class Trait>
    Imported<Trait> import_for(Trait const& trait,
                               ColumnsView<typename Trait::Payload> const& payload = {}) {
        auto all = with_space<Trait::dim>(prepared_.period, [&](auto const& space) {
            return import_sources(comm_, cpu_, trait, space, own_, payload);
        });
        std::uint64_t const imported = all.tree.size() - own_.tree.size();
        auto& counts = stats_.counts;
        auto const most = std::find_if(counts.begin(), counts.end(),
                                       [](auto const& count) { return count.first == "imported"; });
        if (most == counts.end()) counts.emplace_back("imported", imported);
        else most->second = std::max(most->second, imported);
        end_phase("import");
        return all;
    }
    /// f(points) for a driver, with this tree, which it gives back.
    template <class F>
    void run_on(Tree<T, Cpu>& tree, F const& f) {
        comm_.agree([&] {
            prepared_.tree = std::move(tree);
            RunPoints<T, Cpu> kept(prepared_);
            cpu_.run([&] { f(kept); });
            tree = std::move(prepared_.tree);
        });
    }

    /// N, of all ranks.
    [[nodiscard]] std::uint64_t size() const { return ranks().positions_before(comm_.size()); }
    [[nodiscard]] Ranks const& ranks() const { return own_.points.ranks; }
    /// As PreparedPoints::period.
    [[nodiscard]] std::vector<T> const& period() const { return prepared_.period; }
    /// Points and tree of this rank.
    [[nodiscard]] RankTree<T>& own() { return own_; }

    /// Values of this rank's positions, `width` each, become those of the rows that it passed.
    template <class V>
    void bring_home(Buffer<V>& values, std::size_t width = 1) {
        auto by_row = comm_.agree([&] { return Buffer<V>(rows_ * width); });
        home(comm_, cpu_, own_.points.travel, std::span<V const>(values), std::span<V>(by_row), width);
        values = std::move(by_row);
    }
    /// Ends a call: bring() takes the result home; or it stays, and says which rows of the input its rows are.
    template <class Result, class Bring>
    void hand_over(Result& r, Order order, Bring const& bring) {
        if (order == Order::input) {
            bring();
            end_phase("home");
        } else {
            r.row_order = std::move(own_.points.input_index);
        }
        r.steps = comm_.stats();
    }
    /// The seconds since the last one ended; phases of one name are added up.
    void end_phase(char const* name) {
        phases_.end(stats_, name);
        auto& all = stats_.seconds;
        auto const same = std::find_if(all.begin(), all.end() - 1,
                                       [&](auto const& phase) { return phase.first == name; });
        if (same == all.end() - 1) return;
        same->second += all.back().second;
        all.pop_back();
    }

  private:
    Comm& comm_;
    Cpu const& cpu_;
    Stats& stats_;
    RunPhases<Cpu const> phases_;
    PreparedPoints<T, Cpu> prepared_;
    RankTree<T> own_;
    std::size_t rows_ = 0;
};

}  // namespace zwalk::inline v0::detail
