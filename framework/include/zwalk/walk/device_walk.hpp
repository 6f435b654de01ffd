// The walk of every trait on a device (exec/device.hpp), plane by plane.
//
// On each plane all target nodes get their reach, act on accepts, count the sources that they hand down, and insert these;
// then lists are put in order. The only numbers that must reach the host are the sizes of lists, one
// small record per plane, but for the coarsest planes, whose lists are small anyhow. Lists that would exceed the
// memory budget are made for a piece of the plane at a time, which goes down to the leaves before the next one is made.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "zwalk/core/error.hpp"
#include "zwalk/exec/device_list_sort.hpp"
#include "zwalk/tree/tree.hpp"
#include "zwalk/walk/detail/device_kernels.hpp"
#include "zwalk/walk/detail/device_pieces.hpp"
#include "zwalk/walk/detail/device_small_planes.hpp"
#include "zwalk/walk/detail/device_start.hpp"
#include "zwalk/walk/detail/device_top.hpp"
#include "zwalk/walk/detail/device_totals.hpp"
#include "zwalk/walk/detail/steps_down.hpp"
#include "zwalk/walk/device_group_leaf.hpp"
#include "zwalk/walk/inputs.hpp"
#include "zwalk/walk/node_part.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

namespace detail {

template <class I, class Space, class Device>
class DeviceWalker {
    using T = typename I::real;
    using State = typename I::State;
    using Total = typename TotalOf<I>::type;
    using Nodes = typename NodePart<I>::type;
    static_assert(lanes_take_sources<I> == lanes_take_sources<Nodes>);  // one counts, the other inserts
    static constexpr int D = I::dim;

  public:
    DeviceWalker(Device& device, I const& trait, Space const& space, Tree<T, Device> const& targets,
                 Tree<T, Device> const& sources, WalkInputs<I> const& inputs,
                 DeviceKnownNodes<typename I::Summary>&& known)
        : device_(device),
          trait_(trait),
          space_(space),
          targets_(targets),
          sources_(sources),
          inputs_(inputs),
          nodes_(top_nodes(targets, inputs.targets)),
          known_(std::move(known)),
          down_(targets, sources),
          budget_(device.memory_budget() ? device.memory_budget() : device.available() / 2),
          small_(
              device, down_.count(), [&](int j) { return nodes_of(j); }, small_entries(),
              I::uses.ordered ? SortLists<EntriesInOrder<T>>::longest : no_pos) {
        points_ = {targets.template points<D>(), sources.template points<D>(), inputs.target_payload,
                   inputs.source_payload};
        if (nodes_.begin > 0)
            device.download(&points_.first_target, targets.planes.back().first.data() + nodes_.begin, 1);
    }

    WalkCounts run() {
        if (nodes_.begin == nodes_.end) return {};
        prepare();
        // The sources of symmetric traits begin where targets do, and so does each group of them.
        TargetNodes const all = top_nodes(sources_, {I::uses.symmetric ? nodes_.begin : 0});
        pos_t const sources_each = super_size(all, I::uses.symmetric ? device_node_width : 32);
        // Targets share a list, and a group takes as many at a time as it has lanes.
        pos_t const targets_each =
            I::uses.symmetric ? sources_each : super_size(nodes_, device_node_width);
        TopLists<T, Device> const top(device_, nodes_, targets_each, all, sources_each,
                                      I::uses.symmetric, small_.offsets());
        small_offset_ = top.small_offset();
        Level level;
        level.task = top.task();
        level.parents = top.groups();
        descend(down_.count() - 1, level, top.source_child(), {});
        small_.finish(device_, counts_);
        if constexpr (I::uses.total) {
            Total total;
            combine_totals(device_, trait_, totals_.data(), totals_.size());
            device_.download(&total, totals_.data(), 1);
            trait_.combine(*inputs_.total, total);
        }
        return counts_;
    }

  private:
    /// Targets that are to get lists, and their parents.
    struct Level {
        DeviceTask<T> task;
        pos_t parents = 0;
        State const* state = nullptr;  // the parents', from task.first_parent on
    };

    /// uses.far: how many sources each target accepts. The lists are made for a piece at a time.
    struct Far {
        DeviceBuffer<size_type> offset;
        DeviceBuffer<pos_t> count;
    };

    /// Entries that the lists of small planes may have: some per point, as all lists, and memory as for a piece. None where only
    /// some nodes are targets.
    [[nodiscard]] std::uint64_t small_entries() const {
        bool const all = !targets_.planes.empty() && nodes_.begin == 0 &&
                         nodes_.end == targets_.planes.back().nodes();
        std::uint64_t const most = budget_ / 3 / sizeof(Entry<T>);
        std::uint64_t const usual = std::max<std::uint64_t>(8192, 2 * targets_.size());
        return all ? std::min(most, usual) / (I::uses.far ? 2 : 1) : 0;
    }
    /// How many nodes meet in a step.
    [[nodiscard]] SmallPlaneNodes nodes_of(int j) const {
        return {targets_.planes[down_.target_plane(j)].nodes(),
                sources_.planes.empty() ? 0 : sources_.planes[down_.source_plane(j)].nodes()};
    }
    /// How many top nodes are a group: at least `usual`. At most some hundred groups, however many nodes there are.
    static pos_t super_size(TargetNodes const& nodes, pos_t usual) {
        return std::max(usual, (nodes.end - nodes.begin) / 256 + 1);
    }

    /// Prepares all that the first plane needs: summaries, links, memory that kernels write to.
    void prepare() {
        if constexpr (accepts_nodes<I> || I::uses.summary) {
            if (known_.count.empty() && known_.summary.empty())
                known_ = device_known_nodes(device_, trait_, sources_, inputs_.source_payload,
                                            accepts_nodes<I> ? inputs_.known : nullptr);
        }
        if constexpr (I::uses.summary) {
            // Leaves of which it knows only the counts may have no points to make summaries of.
            if (known_.summary.empty() && !known_.count.empty())
                throw InputError(
                    "what a device knows of nodes has counts, but not the summaries that this trait "
                    "has: give both");
            if (&targets_ != &sources_)
                other_target_summary_ =
                    device_summaries(device_, trait_, targets_, inputs_.target_payload, nullptr);
        }
        if constexpr (I::uses.links)
            start_groups(device_, make_step(0, 0, nullptr), points_, targets_, inputs_.grouped,
                         [&](std::size_t plane) { return target_summary(plane); });
        if constexpr (I::uses.total) {
            std::size_t const leaf_threads = [&]() -> std::size_t {
                if constexpr (I::uses.symmetric)
                    return device_.template slots<LeafPairKernel<I, Space>>() * device_leaf_width;
                else if constexpr (EndsInSink<I>)
                    return device_.template slots<LeafKernel<I, Space>>() * device_leaf_width;
                else return 0;
            }();
            totals_ = device_.template buffer<Total>(std::max<std::size_t>(
                device_.template slots<AcceptKernel<I, Space>>() * device_node_width, leaf_threads));
            device_.for_each(totals_.size(), StartTotals<Total>{totals_.data()});
        }
        if constexpr (I::uses.scratch && !tuning_of<I>.group) {
            points_.scratch_stride = (trait_.scratch_bytes() + 7) / 8 * 8;
            std::size_t const slot = device_leaf_width * points_.scratch_stride;
            leaf_slots_ =
                pos_t(std::clamp<std::uint64_t>(budget_ / 4 / std::max<std::size_t>(1, slot), 1,
                                                device_.template slots<LeafKernel<I, Space>>()));
            scratch_ = device_.template buffer<std::uint64_t>(leaf_slots_ * slot / 8);
            points_.scratch = reinterpret_cast<unsigned char*>(scratch_.data());
        }
    }
    /// The summaries of a plane's targets; null for traits that have none.
    [[nodiscard]] typename I::Summary const* target_summary(std::size_t plane) const {
        auto const& all = &targets_ == &sources_ ? known_.summary : other_target_summary_;
        return all.empty() ? nullptr : all[plane].data();
    }

    Step<I, Space> make_step(int j, pos_t begin, pos_t const* source_child) const {
        return down_.step(
            trait_, space_, inputs_.links, j, begin, source_child,
            [&](std::size_t plane) { return target_summary(plane); },
            [&](std::size_t plane) { return known_.summary[plane].data(); },
            [&](std::size_t plane) -> pos_t const* {
                return known_.count.empty() ? nullptr : known_.count[plane].data();
            });
    }

    /// Gives all targets of a level lists of their own, and takes them further down.
    void descend(int j, Level const& level, pos_t const* source_child, DeviceFar<I> far) {
        DeviceTask<T> const& task = level.task;
        pos_t const n = task.end - task.begin;
        auto step = make_step(j, task.begin, source_child);
        DeviceBuffer<State> inherited, state;
        if constexpr (I::uses.state) {
            inherited = device_.template buffer<State>(n);
            inherit(j, level, step, inherited.data());
            state = device_.template buffer<State>(n);
            device_.copy(state.data(), inherited.data(), n);
            step.inherited = inherited.data();
            step.state = state.data();
        }
        DeviceBuffer<Key<T>> reach;
        if constexpr (I::uses.reach) {
            reach = device_.template buffer<Key<T>>(n);
            if constexpr (!has_own_reach<I>())
                device_.launch(level.parents,
                               ReachKernel<Nodes, Space>{on_nodes(step), task, reach.data()});
            step.reach = reach.data();
        }
        if (small_.has(j)) return small_plane(j, level, step, reach.data(), far);
        auto count = device_.template buffer<pos_t>(std::size_t(n) + 1);
        auto offset = device_.template buffer<size_type>(std::size_t(n) + 1);
        device_.zero(count.data() + n, 1);
        Far accepted;
        if constexpr (takes_accepts<I>)
            device_.launch(level.parents, AcceptKernel<I, Space>{step, task, totals_.data(),
                                                                 count.data(), nullptr, nullptr});
        if constexpr (I::uses.far) {
            accepted.offset = device_.template buffer<size_type>(std::size_t(n) + 1);
            device_.exclusive_scan(count.data(), accepted.offset.data(), std::size_t(n) + 1);
            accepted.count = std::move(count);
            count = device_.template buffer<pos_t>(std::size_t(n) + 1);
            device_.zero(count.data() + n, 1);
        }
        if constexpr (!lanes_take_sources<I>)  // else they are counted
            device_.launch(level.parents, DescendKernel<Nodes, Space>{on_nodes(step), task, count.data(),
                                                                      nullptr, nullptr, reach.data()});
        device_.exclusive_scan(count.data(), offset.data(), std::size_t(n) + 1);
        for (pos_t t = task.begin; t < task.end;)
            t = one_piece(j, level, step, t, count.data(), offset.data(), accepted, far);
    }

    /// The lists of all targets of a small plane, and their way down.
    void small_plane(int j, Level const& level, Step<I, Space> const& step, Key<T>* reach,
                     DeviceFar<I> far) {
        DeviceTask<T> const& task = level.task;
        pos_t const n = task.end - task.begin;
        std::size_t const entries = std::size_t(n) * small_.stride();
        PlaneLists<T> lists{nullptr, small_offset_, nullptr, task.begin};
        DeviceBuffer<Entry<T>> far_list;
        DeviceBuffer<pos_t> far_count;
        pos_t* const count = small_.next_counts();
        if constexpr (takes_accepts<I>)
            device_.launch(level.parents,
                           AcceptKernel<I, Space>{step, task, totals_.data(), count, nullptr, nullptr});
        if constexpr (I::uses.far) {
            far_count = device_.template buffer<pos_t>(n);
            far_list = device_.template buffer<Entry<T>>(entries);
            device_.launch(level.parents, AcceptKernel<I, Space>{step, task, nullptr, far_count.data(),
                                                                 lists.offset, far_list.data()});
            far.level[far.size++] = {step.targets.first,
                                     task.end,
                                     {far_list.data(), lists.offset, far_count.data(), task.begin},
                                     step.source_summary};
        }
        auto list = device_.template buffer<Entry<T>>(entries);
        device_.launch(level.parents, DescendKernel<Nodes, Space>{on_nodes(step), task, count,
                                                                  lists.offset, list.data(), reach});
        if constexpr (I::uses.ordered)
            sort_lists<EntriesInOrder<T>>(device_, list.data(), entries, lists.offset, count, n, false);
        lists.entries = list.data();
        lists.count = count;
        pos_t const children = j == 0 ? n : targets_.planes[down_.target_plane(j - 1)].nodes();
        hand_down(j, step, lists, n, {0, children}, entries * (I::uses.far ? 2 : 1), far);
    }

    /// What becomes of the lists of n targets: leaves meet, or else `children` get lists of their own.
    /// @param entries  that there is room for in the lists
    void hand_down(int j, Step<I, Space> const& step, PlaneLists<T> const& lists, pos_t n,
                   TargetNodes const& children, std::size_t entries, DeviceFar<I> const& far) {
        std::uint64_t const bytes = entries * sizeof(Entry<T>);
        list_bytes_ += bytes;
        counts_.peak_list_bytes = std::max<size_type>(counts_.peak_list_bytes, list_bytes_);
        if (j == 0) {
            meet(step, lists, n, far);
        } else {
            Level next;
            next.task = {children.begin, children.end, lists.base, target_child(j), lists};
            next.parents = n;
            next.state = step.state;
            pos_t const* const source_child = down_.stays_on_sources(j)
                                                  ? nullptr
                                                  : sources_.planes[down_.source_plane(j)].child.data();
            descend(j - 1, next, source_child, far);
        }
        list_bytes_ -= bytes;
    }
    /// Children of the targets of a step; null: each is its own only child.
    [[nodiscard]] pos_t const* target_child(int j) const {
        return down_.stays_on_targets(j) ? nullptr : targets_.planes[down_.target_plane(j)].child.data();
    }

    /// The lists of as many targets from `begin` on as memory allows, and their way down.
    /// @return one behind the last of them
    pos_t one_piece(int j, Level const& level, Step<I, Space> step, pos_t begin, pos_t* count,
                    size_type const* offset, Far& accepted, DeviceFar<I> far) {
        pos_t const base = step.base;
        // A piece takes so much of the memory left that as much each stays for the order's copy and the finer planes.
        std::uint64_t const left = budget_ - std::min(budget_, list_bytes_);
        Piece const piece = small_.find_piece(
            device_, left / (I::uses.ordered ? 3 : 2) / sizeof(Entry<T>),
            {offset, accepted.offset.data(), base, begin, level.task.end, 0, level.task.first_parent,
             level.task.first_parent + level.parents, level.task.child, target_child(j),
             I::uses.ordered ? count : nullptr, SortLists<EntriesInOrder<T>>::longest, nullptr},
            level.task.end - base, counts_);
        pos_t const n = piece.end - begin;

        Level part = level;
        part.task.begin = begin;
        part.task.end = piece.end;
        part.task.first_parent = piece.first_parent;
        pos_t const at = begin - base;
        step.base = begin;
        if (step.reach) step.reach += at;
        if (step.inherited) step.inherited += at;
        if (step.state) step.state += at;
        count += at;
        auto const shifted = shifted_offsets(device_, offset, at, n);
        if (at > 0) offset = shifted.data();
        auto list = device_.template buffer<Entry<T>>(std::max<size_type>(1, piece.entries));
        auto far_list =
            device_.template buffer<Entry<T>>(I::uses.far ? std::max<size_type>(1, piece.far) : 0);
        auto const far_shifted =
            shifted_offsets(device_, accepted.offset.data(), at, I::uses.far ? n : 0);
        if constexpr (I::uses.far) {
            pos_t* const accepted_count = accepted.count.data() + at;
            size_type const* const far_offset = at > 0 ? far_shifted.data() : accepted.offset.data();
            device_.launch(piece.parent_end - piece.first_parent,
                           AcceptKernel<I, Space>{step, part.task, nullptr, accepted_count, far_offset,
                                                  far_list.data()});
            far.level[far.size++] = {step.targets.first,
                                     piece.end,
                                     {far_list.data(), far_offset, accepted_count, begin},
                                     step.source_summary};
        }
        device_.launch(
            piece.parent_end - piece.first_parent,
            DescendKernel<Nodes, Space>{on_nodes(step), part.task, count, offset, list.data()});
        if constexpr (I::uses.ordered)
            sort_lists<EntriesInOrder<T>>(device_, list.data(), piece.entries, offset, count, n,
                                          piece.long_lists > 0);
        counts_.node_entries += piece.entries;
        counts_.planes[std::size_t(j)].descended += piece.entries;
        if (j == 0) counts_.leaf_entries += piece.entries;
        hand_down(j, step, {list.data(), offset, count, begin}, n, {piece.child_begin, piece.child_end},
                  list.size() + far_list.size(), far);
        return piece.end;
    }

    /// Leaves meet leaves.
    void meet(Step<I, Space> const& step, PlaneLists<T> const& lists, pos_t n, DeviceFar<I> const& far) {
        if constexpr (I::uses.symmetric)
            device_.launch(n, LeafPairKernel<I, Space>{step, points_, lists, totals_.data()});
        else if (inputs_.after_chunk) meet_in_chunks(step, lists, n, far);
        else launch_leaves(step, lists, n, far);
    }
    /// n target leaves from lists.base on.
    void launch_leaves(Step<I, Space> const& step, PlaneLists<T> const& lists, pos_t n,
                       DeviceFar<I> const& far) {
        pos_t const parts = device_group_parts(n);
        if constexpr (tuning_of<I>.group)
            device_.launch(n * parts, GroupLeafKernel<I, Space>{step, points_, lists, parts});
        else
            device_.launch(n, LeafKernel<I, Space>{step, points_, lists, far, totals_.data()},
                           leaf_slots_);
    }
    void meet_in_chunks(Step<I, Space> const& step, PlaneLists<T> const& lists, pos_t n,
                        DeviceFar<I> const& far) {
        std::vector<pos_t> first(std::size_t(n) + 1);
        device_.download(first.data(), step.targets.first + lists.base, first.size());
        for (pos_t begin = 0, end = 0; begin < n; begin = end) {
            for (++end; end < n && first[end + 1] - first[begin] <= inputs_.chunk_points;) ++end;
            PlaneLists<T> const chunk{lists.entries, lists.offset + begin, lists.count + begin,
                                      lists.base + begin};
            launch_leaves(step, chunk, end - begin, far);
            inputs_.after_chunk(first[begin] - points_.first_target, first[end] - points_.first_target);
        }
    }

    void inherit(int j, Level const& level, Step<I, Space> const& step, State* state) {
        InheritStates<I, Space> kernel{trait_,       space_,  level.task,          {},
                                       step.targets, nullptr, step.target_summary, level.state,
                                       state};
        if (level.state) {
            std::size_t const above = down_.target_plane(j + 1);
            kernel.parents = targets_.template plane<D>(above);
            kernel.parent_summary = target_summary(above);
        }
        device_.for_each(level.parents, kernel);
    }

    Device& device_;
    I trait_;
    Space space_;
    Tree<T, Device> const& targets_;
    Tree<T, Device> const& sources_;
    WalkInputs<I> inputs_;
    TargetNodes nodes_;                            ///< targets
    DeviceKnownNodes<typename I::Summary> known_;  ///< of the sources
    StepsDown<I, Space, Device> down_;
    std::uint64_t budget_, list_bytes_ = 0;
    SmallPlanes<Device> small_;
    size_type const* small_offset_ = nullptr;  ///< of its lists
    LeafPoints<I> points_;
    std::vector<DeviceBuffer<typename I::Summary>> other_target_summary_;
    DeviceBuffer<Total> totals_;
    DeviceBuffer<std::uint64_t> scratch_;
    pos_t leaf_slots_ = no_pos;
    WalkCounts counts_;
};

}  // namespace detail

/// Walks a trait over two trees on a device, as walk.hpp does on CPU threads, with the same results. The
/// trait's pointers point to the device's memory. `combine` runs there and, for the last one, on the host.
/// @param known  in place of WalkInputs::known, where the device has that: summaries if the trait has any, counts; or none
template <class I, class Space, class Device>
requires is_device<Device> WalkCounts walk(Device& device, I const& trait, Space const& space,
                                           Tree<typename I::real, Device> const& targets,
                                           Tree<typename I::real, Device> const& sources,
                                           WalkInputs<I> const& inputs = {},
                                           detail::DeviceKnownNodes<typename I::Summary> known = {}) {
    if constexpr (check_interaction<I>())
        return detail::DeviceWalker<I, Space, Device>(device, trait, space, targets, sources, inputs,
                                                      std::move(known))
            .run();
    else return {};
}

}}  // namespace zwalk::v0
