// The points of a call on MPI ranks, with the verbs of CallPoints (call_points.hpp): so one driver is that of one process, and
// that of ranks. Sorting, imports and all work on arrays are of a rank's threads; walks are where the ranks walk.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/fixed_sum.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/exec/place.hpp"
#include "zwalk/ranks/labels.hpp"
#include "zwalk/run/counts.hpp"
#include "zwalk/run/detail/compiled_import.hpp"
#include "zwalk/run/detail/compiled_walk.hpp"
#include "zwalk/run/detail/device_arrays.hpp"
#include "zwalk/run/detail/lowered.hpp"
#include "zwalk/run/detail/name_nearest.hpp"
#include "zwalk/run/detail/rank_met_points.hpp"
#include "zwalk/run/detail/rank_within.hpp"
#include "zwalk/run/driver.hpp"
#include "zwalk/run/rank_place.hpp"
#include "zwalk/run/where.hpp"
#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// @tparam Where  a RankPlace
template <class T, class Where>
class RankCallPoints {
    using P = typename Where::Type;

  public:
    using real = T;
    using Place = Cpu;
    using WalkPlace = P;
    using Row = index_t;
    using Queries = RankCallPoints;
    template <class V>
    using Array = Buffer<V>;
    template <class A>
    using ResultOf = typename A::template Result<T, Mpi>;

    /// Sorts points for a call of A. Options have been agreed on, but for the box.
    template <class A>
    RankCallPoints(std::type_identity<A>, Comm& comm, Cpu const& cpu, Where where,
                   RankInput<T> const& input, int columns, typename A::Options const& o)
        : comm_(comm),
          cpu_(cpu),
          where_(where),
          name_(A::name),
          points_(comm, cpu, input, columns, o.box, A::template tree_options<P>(o), stats_,
                  [&](T largest) { return unit_of<A>(largest, o); }) {}
    /// Other points of the call of `all`, of which this rank passes some rows.
    RankCallPoints(RankCallPoints& all, Points<T> others)
        : comm_(all.comm_),
          cpu_(all.cpu_),
          where_(all.where_),
          name_(all.name_),
          points_(all.points_, others, all.stats_) {}
    RankCallPoints(RankCallPoints const&) = delete;
    RankCallPoints& operator=(RankCallPoints const&) = delete;

    [[nodiscard]] std::uint64_t size() const { return points_.size(); }
    [[nodiscard]] pos_t size_here() const { return points_.size_here(); }
    [[nodiscard]] std::size_t rows_here() const { return points_.rows(); }
    [[nodiscard]] int dim() const { return points_.dim(); }
    [[nodiscard]] LengthUnit<T> const& unit() const { return points_.unit(); }
    [[nodiscard]] std::vector<T> const& period() const { return points_.period(); }
    [[nodiscard]] double length(double l) const { return points_.unit().limit(l); }
    [[nodiscard]] Cpu const& place() const { return cpu_; }
    template <class F>
    auto here(F const& f) {
        return comm_.attempt(f);
    }
    [[nodiscard]] std::uint64_t total(std::uint64_t own) { return comm_.reduce_all(own, std::plus<>()); }
    [[nodiscard]] double largest(double own) {
        return comm_.reduce_all(own, [](double a, double b) { return std::max(a, b); });
    }
    void add_up(std::vector<FixedSum>& numbers) {
        std::size_t const n = numbers.size();
        auto const begin = [&]() noexcept {
            std::vector<std::uint64_t> ranks(std::size_t(comm_.size()) + 1);
            std::iota(ranks.begin(), ranks.end(), std::uint64_t(0));
            return ranks;
        }();
        auto const of_ranks = comm_.gather_all(std::span<FixedSum const>(numbers), begin, n);
        std::fill(numbers.begin(), numbers.end(), FixedSum(0));
        for (std::size_t i = 0; i < of_ranks.size(); ++i) numbers[i % n] += of_ranks[i];
    }
    void end_phase(char const* name) { points_.end_phase(name); }
    template <class F>
    void check_rows(F const& f) {
        auto const first = comm_.offsets(rows_here())[std::size_t(comm_.rank())];
        here([&] { f(first); });
    }

    [[nodiscard]] Buffer<pos_t> where(Buffer<std::uint8_t> const& flags, std::uint8_t value) {
        return here([&] {
            Buffer<pos_t> at(std::size_t(std::count(flags.begin(), flags.end(), value)));
            auto next = at.begin();
            for (pos_t i = 0; i < flags.size(); ++i)
                if (flags[i] == value) *next++ = i;
            return at;
        });
    }
    [[nodiscard]] Buffer<index_t> rows_at(Buffer<pos_t> const& at) {
        return here([&] {
            Buffer<index_t> rows(at.size());
            auto const& row = points_.own().points.input_index;
            cpu_.for_each(at.size(), Gather<index_t>{row.data(), at.data(), rows.data()});
            return rows;
        });
    }
    [[nodiscard]] RankCallPoints some(Buffer<pos_t> const& at) { return {*this, at, nullptr}; }
    [[nodiscard]] RankCallPoints targets(Buffer<pos_t> const& at, RankCallPoints const& sources) {
        return {*this, at, &sources.points_};
    }
    [[nodiscard]] RankCallPoints queries(Buffer<pos_t> const& at, RankCallPoints const& sources) {
        return targets(at, sources);
    }

    template <class V, class Make>
    [[nodiscard]] Buffer<V> each_target(RankCallPoints& sources, double radius, Make const& make) {
        auto all = import_counted_within(points_, sources.points_, T(radius));
        Buffer<V> elements;
        with_columns<void>([&]<int D>() {
            bool const same = &sources == this;
            std::size_t const others = same ? 0 : size_here();
            auto const check = [&](std::uint64_t available) {
                check_walk(D, all.tree.size(), others, double(size_here()) * sizeof(V), available);
            };
            sources.template on_tree<D>(all.tree, check, [&](P& walks, RunPoints<T, P>& there) {
                Tree<T, P> own;
                auto const& targets = same ? there->tree : *tree_on(walks, points_.own().tree, D, own);
                auto found = new_array<V>(walks, size_here());
                auto const trait = make.template operator()<D>(found.data());
                WalkInputs<std::remove_const_t<decltype(trait)>> inputs;
                if (same) inputs.targets = all.targets;
                inputs.known = &all.known;
                run_walk(walks, trait, there->period, targets, there->tree, inputs);
                download(walks, elements, std::move(found));
            });
        });
        return elements;
    }
    using Groups = JoinedGroups;
    template <class Make>
    [[nodiscard]] Groups linked(double radius, Make const& make, TreeAfter after = TreeAfter::stays) {
        auto all = import_pairs_within(points_, T(radius));
        if (after == TreeAfter::goes) points_.drop_tree();
        Buffer<pos_t> root;
        with_columns<void>([&]<int D>() {
            auto const check = [&](std::uint64_t available) {
                check_walk(D, all.tree.size(), 0, double(all.tree.size()) * sizeof(pos_t), available);
            };
            on_tree<D>(all.tree, check, [&](P& walks, RunPoints<T, P>& there) {
                auto links = start_links(walks, there->tree.size());
                auto const trait = make.template operator()<D>();
                WalkInputs<std::remove_const_t<decltype(trait)>> inputs;
                inputs.links = links.data();
                run_walk(walks, trait, there->period, there->tree, there->tree, inputs);
                end_links(walks, links);
                download(walks, root, std::move(links));
            });
        });
        return join_groups(comm_, cpu_, std::move(root), {all.first, all.from, all.position},
                           points_.ranks());
    }
    template <template <int, class, bool> class Need, class Rows>
    [[nodiscard]] Met<RankCallPoints, Need> meet(RankCallPoints* others, bool, Rows const& rows) {
        return {*this, others, rows};
    }
    struct Nearest {
        Buffer<index_t> rows;
        Buffer<T> distances;
    };
    template <class Make>
    [[nodiscard]] Nearest nearest_by(Buffer<T> const& values, Make const& make) {
        auto imported = import_by(values, make);
        Nearest found;
        with_columns<void>([&]<int D>() {
            std::size_t const n = imported.first.tree.size();
            auto const check = [&](std::uint64_t available) {
                double const results = double(size_here()) * (sizeof(T) + sizeof(pos_t));
                check_walk(D, n, 0, double(n) * (sizeof(T) + sizeof(index_t)) + results, available);
            };
            on_tree<D>(imported.first.tree, check, [&](P& walks, RunPoints<T, P>& there) {
                auto position = new_array<pos_t>(walks, size_here());
                auto distance2 = new_array<T>(walks, size_here());
                auto const trait = make.template operator()<D>(position.data(), distance2.data());
                WalkInputs<std::remove_const_t<decltype(trait)>> inputs;
                inputs.targets = imported.first.targets;
                run_walk(walks, trait, there->period, there->tree, there->tree, inputs, imported.second);
                Buffer<pos_t> at;
                download(walks, at, std::move(position));
                download(walks, found.distances, std::move(distance2));
                found.rows = Buffer<index_t>(at.size());
                cpu_.for_each(at.size(),
                              NameNearest<T, index_t>{at.data(), imported.first.input_index.data(),
                                                      found.rows.data(), found.distances.data(),
                                                      points_.unit().unit()});
            });
        });
        return found;
    }
    [[nodiscard]] GroupLabels<Cpu> label(Groups const& groups, Buffer<index_t> const& least) {
        return label_groups(comm_, cpu_, groups, least, points_.ranks());
    }
    [[nodiscard]] GroupLabels<Cpu> label_rows(Groups const& groups, Order order) {
        auto found = label(groups, points_.own().points.input_index);
        end_phase("labels");
        in_order(found.labels, order);
        return found;
    }
    [[nodiscard]] Lowered lower(Buffer<index_t>& values, Buffer<index_t> const& to,
                                Buffer<index_t> const& by) {
        return {comm_, points_.ranks(), values, to, by};
    }

    template <class A>
    void in_order(A& elements, Order order) {
        if (order == Order::input) points_.bring_home(elements);
    }
    [[nodiscard]] pos_t const* row_in(Order) const { return nullptr; }
    template <class V>
    void bring_home(Buffer<V>& elements, std::size_t width, Order order) {
        if (order == Order::input) points_.bring_home(elements, width);
    }
    template <class R>
    void finish(R& r, Order order) {
        comm_.agree([] {});  // what here() has failed by
        points_.hand_over(r, order, [] {});
        r.stats = std::move(stats_);
    }
    template <class R>
    void finish_rows(R& r, RankCallPoints& sources, Order order) {
        comm_.agree([] {});
        if constexpr (requires { r.source_order; })
            if (order == Order::z && &sources != this)
                r.source_order = sources.points_.take_input_index();
        points_.hand_over(r, order, [] {});
        r.stats = std::move(sources.stats_);
    }

    // For other verbs, as neighbours and lists have them.
    [[nodiscard]] Comm& comm() { return comm_; }
    [[nodiscard]] Where const& walks() const { return where_; }
    [[nodiscard]] char const* name() const { return name_; }  ///< of the algorithm
    [[nodiscard]] RankPoints<T>& points() { return points_; }
    void note_walk(Tree<T, P> const& tree, WalkCounts const& counts) { points_.note_walk(tree, counts); }
    template <class R>
    void hand_over(R& r) {
        points_.note_steps();
        r.stats = std::move(stats_);
    }
    template <class R, class F>
    R with_columns(F const& f) const {
        return Where::template with_columns<R>(points_.dim(), f);
    }
    /// f(place, points) where this rank walks, over a tree of these points and of imported ones.
    template <int D, class Check, class F>
    void on_tree(Tree<T, Cpu>& tree, Check const& check, F const& f) {
        P& walks = *where_.place;
        run_on(comm_, walks, points_, tree, D, check, [&](RunPoints<T, P>& there) { f(walks, there); });
    }
    /// Checks the memory for a walk: trees, and what it has of each target, results included.
    void check_walk(int columns, std::size_t sources, std::size_t targets, double results,
                    std::uint64_t available) const {
        auto const bytes = device_tree_bytes(columns, sizeof(T), points_.options());
        double const walked = double(targets ? targets : sources);
        double const need = double(sources + targets) * bytes.tree + walked * bytes.walk + results;
        check_device_memory(name_, sources + targets, whole_bytes(device_tree_padding + need),
                            available);
    }

  private:
    RankCallPoints(RankCallPoints& all, Buffer<pos_t> const& at, RankPoints<T> const* sources)
        : comm_(all.comm_),
          cpu_(all.cpu_),
          where_(all.where_),
          name_(all.name_),
          points_(all.points_, std::span<pos_t const>(at), sources) {}

    /// What the walk of nearest_by() needs of other ranks: sources, and what all carry.
    template <class Make>
    auto import_by(Buffer<T> const& values, Make const& make) {
        using Carried = typename decltype(make.template operator()<2>(nullptr, nullptr))::Payload;
        using Sources = std::pair<ImportedPoints<T>, std::vector<Carried>>;
        auto const& row = points_.own().points.input_index;
        return Where::template with_tree_columns<Sources>(points_.dim(), [&]<int D>() {
            auto const trait = make.template operator()<D>(nullptr, nullptr);
            auto all = CompiledImport<std::remove_const_t<decltype(trait)>>::run(
                points_, trait, {{{values.data()}, {row.data()}}});
            auto carried = std::move(all.payload);
            return Sources(std::move(all), std::move(carried));
        });
    }
    template <class I>
    static void run_walk(P& walks, I const& trait, std::vector<T> const& period,
                         Tree<T, P> const& targets, Tree<T, P> const& sources,
                         WalkInputs<I> const& inputs,
                         std::span<typename I::Payload const> carried = {}) {
        (void)CompiledWalk<I, P>::run(walks, trait, period, targets, sources, inputs, carried);
    }

    Comm& comm_;
    Cpu const& cpu_;
    Where where_;
    char const* name_;
    Stats stats_;  // of a call, not of some of its points
    RankPoints<T> points_;
};

}}}  // namespace zwalk::v0::detail
