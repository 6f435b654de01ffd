// Sources of other ranks beside a rank's own points: one tree, which is walked as any other.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/columns.hpp"
#include "zwalk/ranks/detail/kept_sources.hpp"
#include "zwalk/ranks/detail/need.hpp"
#include "zwalk/ranks/given_nodes.hpp"
#include "zwalk/ranks/sort.hpp"
#include "zwalk/tree/concat.hpp"
#include "zwalk/tree/joint.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk { inline namespace v0 {

/// A rank's range of the z-order of all points, with its own tree.
template <class T>
struct RankTree {
    SortedPoints<T> points;
    Tree<T, Cpu> tree;  ///< of `points`, whose order it keeps
};

/// The tree, in so many columns, of a rank's points of a sorted input (ranks/sort.hpp). Not collective, but may throw: see
/// Comm::agree.
template <class T>
RankTree<T> make_rank_tree(Cpu const& cpu, SortedPoints<T>&& points, int columns,
                           TreeOptions const& options = {}) {
    RankTree<T> own{std::move(points), {}};
    own.tree = build_tree(cpu, own.points.points(), columns, options);
    return own;
}

/// A rank's own points, and those of other ranks' points that may matter to them, as sources.
///
/// Positions in this tree order its points as positions among all points do, so whatever is ordered by positions comes
/// out as in one tree of all points. Own points are the targets, unless there are others.
template <class T>
struct ImportedPoints {
    Tree<T, Cpu> tree;
    TargetNodes targets;  ///< the top nodes of the own points: if these are the targets
    pos_t first = 0;      ///< position of the first own point
    /// The row of each point in this tree among the input rows of all ranks.
    Buffer<index_t> input_index;
    /// The position of each point in the tree of the rank that has it.
    Buffer<pos_t> position;
    /// Which rank that is: points of rank r are at positions [from[r], from[r + 1]).
    std::vector<std::uint64_t> from;
    /// Leaves of the targets' own tree that, or points of which, sent a request to another rank, ascending: all others need
    /// own points only.
    std::vector<pos_t> asking;
};

/// Such sources with the payload that a trait has for each point.
template <class I>
struct Imported : ImportedPoints<typename I::real> {
    std::vector<typename I::Payload> payload;  ///< of each, unless it is empty
    /// For traits that accept nodes: what a walk needs of nodes without points (WalkInputs::known).
    KnownNodes<typename I::Summary> known;

    [[nodiscard]] Columns<typename I::Payload> payload_columns() const {
        return Columns<typename I::Payload>(std::span<typename I::Payload const>(payload));
    }
};

namespace detail {

/// Throws InputError if a rank would have more points than it can number, Error if more than it has memory for.
/// @param imported  points that are to be imported, which take `bytes` in all
/// @param free      memory, which so many ranks share
void check_imported(std::uint64_t imported, std::uint64_t own, double bytes, std::uint64_t free,
                    int ranks);

/// The steps of import_sources().
template <class I, class Space>
class Import {
    using T = typename I::real;
    using Payload = typename I::Payload;
    using Stub = NodeStub<I>;
    using Given = GivenPoint<I>;
    static constexpr int D = I::dim;
    static constexpr bool has_payload = !std::is_empty_v<Payload>;
    using Nodes = std::vector<std::vector<pos_t>>;     // of each plane
    using PointsOf = std::vector<std::vector<pos_t>>;  // for each rank

  public:
    /// @param targets  null: the own points are the targets
    /// @param kept     null: nothing is
    Import(Comm& comm, Cpu const& cpu, I const& trait, Space const& space, Tree<T, Cpu> const* targets,
           ColumnsView<Payload> const& target_payload, RankTree<T> const& own,
           ColumnsView<Payload> const& payload, KeptSources<T>* kept)
        : comm_(comm),
          cpu_(cpu),
          trait_(trait),
          need_(trait, space),
          own_(own),
          target_payload_(target_payload),
          payload_(payload),
          kept_(kept),
          sources_{&own.tree, {}, nullptr, payload},
          other_targets_{targets, {}, nullptr, target_payload} {}

    Imported<I> run() {
        auto const step = comm_.step("import");
        auto const tops = comm_.attempt([&] {
            if constexpr (I::uses.summary) summarize_trees();
            return top_stubs(sources_);
        });
        auto const canopy = comm_.gather_all(std::span<Stub const>(tops));
        auto asked = comm_.attempt([&] { return ask(canopy); });
        auto const requests = comm_.exchange(asked.of_ranks);
        Parts<GivenNode<I>> nodes;
        GivenAgain<Payload> again;
        auto const points = comm_.attempt([&] {
            auto wanted = find_wanted(requests, nodes);
            if (kept_)
                again = leave_out_given<Payload>(*kept_, wanted, [&](pos_t i) { return payload_of(i); });
            return give_points(wanted);
        });
        if constexpr (accepts_nodes<I>) nodes = comm_.exchange(nodes);
        if (kept_) again = {comm_.exchange(again.points), comm_.exchange(again.payload)};
        auto given = comm_.exchange(points, [&](std::uint64_t imported) {
            std::uint64_t const all = imported + again.payload.records.size();
            check_imported(all, own_.tree.size(),
                           bytes_with(all) + (kept_ ? bytes_kept<D>(*kept_, imported) : 0),
                           cpu_.available(), comm_.host_size());
        });
        return comm_.agree([&] {
            if (kept_) given = with_kept<D>(*kept_, given, again);
            auto all = together(given);
            if constexpr (accepts_nodes<I>) add_partial_trees(all, canopy, nodes, given);
            else add_tree(all, given);
            all.asking = std::move(asked.leaves);
            return all;
        });
    }

  private:
    void summarize_trees() {
        cpu_.run([&] {
            sources_.summary = summarize(trait_, own_.tree, payload_);
            if (auto const* tree = other_targets_.tree)
                other_targets_.summary = summarize(trait_, *tree, target_payload_);
        });
    }
    /// The requests of this rank.
    Requests<I> ask(Parts<Stub> const& canopy) const {
        auto const rank_of = askable_ranks<I>(canopy.begin, comm_.rank());
        StubPlane<I> const plane{std::span<Stub const>(canopy.records)};
        auto const& targets = other_targets_.tree ? other_targets_ : sources_;
        return cpu_.run([&] { return need_.ask(targets, sources_, plane, rank_of, comm_.size()); });
    }
    /// The own points, in z-order, that may matter to each rank.
    /// @param nodes  of traits that accept nodes: the upper part of the own tree for each rank
    PointsOf find_wanted(Parts<Asking<I>> const& requests,
                         [[maybe_unused]] Parts<GivenNode<I>>& nodes) const {
        std::size_t const ranks = std::size_t(comm_.size());
        PointsOf wanted(ranks);
        std::vector<Nodes> opened(accepts_nodes<I> ? ranks : 0);
        cpu_.run([&] {
            parallel_for(ranks, 1, [&](std::size_t r, std::size_t end) {
                for (; r < end; ++r) {
                    if constexpr (accepts_nodes<I>) {
                        opened[r] = need_.wanted_nodes(sources_, requests.of(int(r)));
                        if (!opened[r].empty()) wanted[r] = points_of(opened[r][0]);
                    } else {
                        wanted[r] = need_.wanted_points(sources_, requests.of(int(r)));
                    }
                }
            });
        });
        if constexpr (accepts_nodes<I>) nodes = give_nodes(opened);
        return wanted;
    }
    [[nodiscard]] std::vector<pos_t> points_of(std::vector<pos_t> const& leaves) const {
        auto const& first = own_.tree.planes[0].first;
        std::vector<pos_t> points;
        for (pos_t const l : leaves)
            for (pos_t i = first[l]; i < first[l + 1]; ++i) points.push_back(i);
        return points;
    }
    /// The upper part of the own tree for each rank that sent requests.
    Parts<GivenNode<I>> give_nodes(std::vector<Nodes> const& wanted) const {
        std::vector<GivenNode<I>> all;
        Parts<GivenNode<I>> out;
        out.begin.push_back(0);
        for (auto const& nodes : wanted) {
            if (!nodes.empty() && !nodes.back().empty()) {
                auto const given = given_nodes(sources_, nodes);
                all.insert(all.end(), given.begin(), given.end());
            }
            out.begin.push_back(all.size());
        }
        out.records = Buffer<GivenNode<I>>(all.size());
        std::copy(all.begin(), all.end(), out.records.begin());
        return out;
    }
    Parts<Given> give_points(PointsOf const& wanted) const {
        Parts<Given> out;
        out.begin.push_back(0);
        for (auto const& of_rank : wanted) out.begin.push_back(out.begin.back() + of_rank.size());
        out.records = Buffer<Given>(out.begin.back());
        auto const points = own_.tree.template points<D>();
        std::uint64_t next = 0;
        for (auto const& of_rank : wanted)
            for (pos_t const i : of_rank)
                out.records[next++] = {points.point(i), own_.points.input_index[i], i, payload_of(i)};
        return out;
    }
    /// Memory of the tree of own points and imported ones, and for these, as they come and as rows, sorted, and in a tree
    /// of their own; a quarter more for nodes.
    [[nodiscard]] double bytes_with(std::uint64_t imported) const {
        constexpr std::size_t row = sizeof(T) * std::size_t(D), point = row + sizeof(pos_t) + row / 4;
        constexpr std::size_t beside =
            sizeof(index_t) + sizeof(pos_t) + (has_payload ? sizeof(Payload) : 0);
        return double(imported) * double(sizeof(Given) + row + 2 * point + beside) +
               double(own_.tree.size()) * double(point + beside);
    }
    [[nodiscard]] Payload payload_of([[maybe_unused]] pos_t i) const {
        if constexpr (has_payload) return payload_[i];
        else return {};
    }

    /// Lower ranks' points, own ones, higher ranks' points; as yet without a tree.
    Imported<I> together(Parts<Given> const& given) const {
        auto const rank = std::size_t(comm_.rank());
        std::uint64_t const below = given.begin[rank], n = own_.tree.size(),
                            all = given.begin.back() + n;
        Imported<I> in;
        in.input_index = Buffer<index_t>(all);
        in.position = Buffer<pos_t>(all);
        in.from = given.begin;
        for (std::size_t r = rank + 1; r < in.from.size(); ++r) in.from[r] += n;
        if constexpr (has_payload) in.payload.resize(all);
        for (std::uint64_t i = 0; i < given.begin.back(); ++i) {
            std::uint64_t const at = i < below ? i : i + n;
            in.input_index[at] = given.records[i].input_index;
            in.position[at] = given.records[i].position;
            if constexpr (has_payload) in.payload[at] = given.records[i].payload;
        }
        for (pos_t i = 0; i < n; ++i) {
            in.input_index[below + i] = own_.points.input_index[i];
            in.position[below + i] = i;
            if constexpr (has_payload) in.payload[below + i] = payload_[i];
        }
        in.first = pos_t(below);
        return in;
    }
    /// One tree of all, with every leaf's points.
    void add_tree(Imported<I>& in, Parts<Given> const& given) const {
        auto const lower = tree_of({given.records.data(), in.first}),
                   upper = tree_of({given.records.data() + in.first, given.begin.back() - in.first});
        Tree<T, Cpu> const* const parts[]{&lower, &own_.tree, &upper};
        put_together(in, parts, 1);
    }
    /// One tree of all, with the upper parts of other ranks' trees. Ranks that got no request are known by the canopy.
    void add_partial_trees(Imported<I>& in, Parts<Stub> const& canopy, Parts<GivenNode<I>> const& nodes,
                           Parts<Given> const& given) {
        std::vector<PartialTree<I>> partial(std::size_t(comm_.size()));
        auto const own_known = all_known(std::move(sources_));
        std::vector<Tree<T, Cpu> const*> trees;
        std::vector<KnownNodes<typename I::Summary> const*> known;
        for (int r = 0; r < comm_.size(); ++r) {
            auto const tops = canopy.of(r);
            std::vector<GivenNode<I>> stubs;
            if (is_askable<I>(r, comm_.rank()) && nodes.of(r).empty())
                for (Stub const& stub : tops) stubs.push_back({stub, 0, 0});
            auto const of_r = stubs.empty() ? nodes.of(r) : std::span<GivenNode<I> const>(stubs);
            auto& part = partial[std::size_t(r)];
            if (r != comm_.rank()) part = GivenTree<I>(of_r, tops.size(), given.of(r)).run();
            trees.push_back(r == comm_.rank() ? &own_.tree : &part.tree);
            known.push_back(r == comm_.rank() ? &own_known : &part.known);
        }
        put_together(in, trees, std::size_t(comm_.rank()));
        in.known = concat_known<I>(known);
    }
    /// @param own  the number of the own tree
    void put_together(Imported<I>& in, std::span<Tree<T, Cpu> const* const> trees,
                      std::size_t own) const {
        Cpu place = cpu_;
        in.tree = concat<Cpu, T>(place, trees, D);
        pos_t before = 0;
        for (std::size_t i = 0; i < own; ++i) before += top_nodes(*trees[i], {}).end;
        in.targets = {before, before + top_nodes(own_.tree, {}).end};
    }
    /// Points that are in z-order. A tree keeps it, since sorting is stable.
    Tree<T, Cpu> tree_of(std::span<Given const> given) const {
        Buffer<T> rows(given.size() * std::size_t(D));
        for (std::size_t i = 0; i < given.size(); ++i)
            for (int j = 0; j < D; ++j) rows[i * std::size_t(D) + std::size_t(j)] = given[i].x[j];
        return build_tree(cpu_, Points<T>(rows.data(), given.size(), D), D);
    }
    Comm& comm_;
    Cpu const& cpu_;
    I const& trait_;
    NeedWalk<I, Space> need_;
    RankTree<T> const& own_;
    ColumnsView<Payload> const &target_payload_, &payload_;
    KeptSources<T>* kept_;
    SummarizedTree<I> sources_, other_targets_;
};

}  // namespace detail

/// Imports the sources of other ranks that may matter to a rank's points, for a walk of `trait` over the own points as
/// targets and those of all ranks as sources:
///
///     auto const all = import_sources(comm, cpu, trait, space, own, payload.view());
///     auto const columns = all.payload_columns();
///     WalkInputs<I> inputs{columns.view(), columns.view()};
///     inputs.targets = all.targets;
///     if constexpr (accepts_nodes<I>) inputs.known = &all.known;
///     walk(cpu, trait, space, all.tree, all.tree, inputs);
///
/// The trait reads of a source what the contract allows (walk/interaction.hpp): its arrays have an element for each own
/// point. Results are those of one process with all points, bit for bit. For symmetric traits a rank meets its pairs with
/// points behind its own, so totals of ranks add up to that of all. For traits that accept nodes (accepts_nodes) nodes that no
/// leaf descends into come without points (ranks/given_nodes.hpp); sums of these traits depend on how nodes are cut, as ever.
///
/// Three exchanges, whatever the size and depth of trees: top nodes, requests, points; one more, of nodes, for traits that
/// accept nodes. Collective.
/// @param payload  of the own points, by position
/// @param kept     null: nothing is. Else what walks of these points have imported before, all ranks alike, where this is kept, too:
///                 of such points only the payload travels. Of traits that accept no nodes. Another exchange of leaves, and one
///                 of payload
/// @throws InputError  own and imported points are more than one process can number (on all ranks)
/// @throws what hooks of the trait throw, on all ranks
template <class I, class Space>
Imported<I> import_sources(Comm& comm, Cpu const& cpu, I const& trait, Space const& space,
                           RankTree<typename I::real> const& own,
                           std::type_identity_t<ColumnsView<typename I::Payload>> const& payload = {},
                           KeptSources<typename I::real>* kept = nullptr) {
    return detail::Import<I, Space>(comm, cpu, trait, space, nullptr, {}, own, payload, kept).run();
}

/// Imports sources for a walk of other points, the targets, against `own` and its like on the other ranks. A rank may have
/// any of the targets: the sources that it needs are found by their boxes. Not for symmetric traits.
/// @param targets  with as many planes as the own sources, or more: see build_targets()
template <class I, class Space>
Imported<I> import_sources(Comm& comm, Cpu const& cpu, I const& trait, Space const& space,
                           Tree<typename I::real, Cpu> const& targets,
                           std::type_identity_t<ColumnsView<typename I::Payload>> const& target_payload,
                           RankTree<typename I::real> const& own,
                           std::type_identity_t<ColumnsView<typename I::Payload>> const& payload) {
    static_assert(!I::uses.symmetric && !I::uses.links,
                  "zwalk: a trait with symmetric or links meets one tree alone, not two");
    return detail::Import<I, Space>(comm, cpu, trait, space, &targets, target_payload, own, payload,
                                    nullptr)
        .run();
}

}}  // namespace zwalk::v0
