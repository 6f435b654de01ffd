// The catalogue on MPI ranks: the passes of one process (group_rows.hpp) over the members that each rank has.
//
// Points are in z-order, so that nearly all groups lie in one rank, which makes their rows alone. For the others every rank
// with members folds these, pass by pass; the folds are joined where the group's first point is (ranks/shared_groups.hpp), and
// all parts go on with the sums of the whole group. These are integers, maxima and bits: no order of joining changes one. The
// row is that of the rank with the first point, from which all others are seen. Then rows are sorted over ranks by their keys,
// and their columns follow.
//
//     masses, velocities     input rows  -> z-order           bring_along()
//     count                  parts      <-> first points      which groups are large enough; where each begins
//     outset, three passes   parts      <-> first points      of these
//     rows                   first points -> sorted           sort_records() of keys, bring_along() of columns
//     members, if wanted     z-order -> group order           sort_records()
#include <limits>

#include "group_rows.hpp"
#include "rank_catalogue.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/ranks/points.hpp"
#include "zwalk/ranks/sort_records.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

constexpr std::size_t no_row = std::numeric_limits<std::size_t>::max();

struct Count {
    std::uint64_t points = 0;

    void join(Count const& o) { points += o.points; }
};

/// The members of a group that this rank has, in group order, and the row that it makes of them.
struct Here {
    pos_t begin = 0, size = 0;
    std::size_t row = no_row;
};

/// What rows are sorted by, and where they are before. No two have the same label.
struct RowKey {
    index_t count, label;
    std::int32_t rank;
    pos_t row;

    friend bool operator<(RowKey const& a, RowKey const& b) {
        return a.count != b.count ? a.count > b.count : a.label < b.label;
    }
};

/// A point in group order.
struct Member {
    std::uint64_t group,
        position;  ///< positions among all points: of the group's first point, and its own
    index_t row;

    friend bool operator<(Member const& a, Member const& b) {
        return a.group != b.group ? a.group < b.group : a.position < b.position;
    }
};

template <class T>
class RankCatalogue {
  public:
    RankCatalogue(Comm& comm, Cpu const& cpu, RankGroups<T> const& groups, std::size_t min_members,
                  Beside given)
        : comm_(comm),
          cpu_(cpu),
          groups_(groups),
          base_(groups.points.ranks.positions_before(comm.rank())),
          given_(given),
          min_members_(std::max<std::size_t>(1, min_members)) {
        all_.input_index = groups.points.input_index;
        rows_.dim = all_.points.dim;
    }

    CatalogueOnRanks run(CatalogueOptions<T> const& options) {
        auto const step = comm_.step("catalogue");
        bring_beside(options);
        auto large = choose_groups();
        SharedGroups const shared(comm_, groups_.points.ranks, std::move(large));
        if (rows_.dim == 3) fill<3>(shared);
        else fill<0>(shared);
        auto all = sorted();
        if (options.members) list_members(all);
        return all;
    }

  private:
    /// Masses and velocities of this rank's range of the z-order.
    void bring_beside(CatalogueOptions<T> const& o) {
        auto const dim = std::size_t(all_.points.dim);
        auto const bring = [&](bool given, std::span<T const> by_row, Buffer<T>& to, std::size_t width) {
            if (!given) return;
            to = comm_.agree([&] { return Buffer<T>(all_.points.size * width); });
            bring_along(comm_, cpu_, groups_.points.travel, by_row, std::span<T>(to), width);
        };
        bring(given_.masses, o.masses, masses_, 1);
        bring(given_.velocities, {o.velocities.data, o.velocities.size * dim}, velocities_, dim);
        if (given_.masses) all_.masses = masses_;
        if (given_.velocities) all_.velocities = {velocities_.data(), all_.points.size, all_.points.dim};
    }

    /// Finds the groups that are large enough: alone_, and the shared ones, of which it returns this rank's parts. Rows get
    /// their `count` and `first`.
    std::vector<GroupPart> choose_groups() {
        auto const parts = groups_.shared.parts();
        Buffer<Count> counts;  // of shared groups
        comm_.agree([&] {
            end_ = sort_by_group(
                groups_.root, [](pos_t i) { return i; }, order_);
            counts = Buffer<Count>(parts.size());
            parts_by_root_.resize(parts.size());
            std::iota(parts_by_root_.begin(), parts_by_root_.end(), std::size_t(0));
            std::sort(parts_by_root_.begin(), parts_by_root_.end(),
                      [&](std::size_t a, std::size_t b) { return parts[a].root < parts[b].root; });
            each_group([&](pos_t, std::size_t part, Here here) {
                if (part < parts.size()) counts[part].points = here.size;
            });
        });
        groups_.shared.join(comm_, std::span<Count>(counts));
        std::uint64_t before = 0;  // members of groups that began on this rank
        auto large = comm_.agree([&] { return choose_groups(counts, before); });
        auto const first = comm_.offsets(before)[std::size_t(comm_.rank())];
        for (index_t& of_row : rows_.first) of_row += index_t(first);
        return large;
    }
    std::vector<GroupPart> choose_groups(Buffer<Count> const& counts, std::uint64_t& before) {
        auto const parts = groups_.shared.parts();
        std::vector<Here> of_part(parts.size());
        each_group([&](pos_t root, std::size_t part, Here here) {
            bool const shared = part < parts.size();
            bool const begins = !shared || parts[part].group == base_ + root;
            std::uint64_t const count = shared ? counts[part].points : here.size;
            if (count >= min_members_) {
                if (begins) {
                    here.row = rows_.first.size();
                    rows_.first.push_back(index_t(before));
                    rows_.count.push_back(index_t(count));
                }
                if (shared) of_part[part] = here;
                else alone_.push_back(here);
            }
            if (begins) before += count;
        });
        std::vector<GroupPart> large;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (of_part[i].size == 0) continue;
            large.push_back(parts[i]);
            of_shared_.push_back(of_part[i]);
        }
        return large;
    }
    /// f(root, number among shared.parts() or more, members) for the groups here, in the order of their first points here.
    template <class F>
    void each_group(F const& f) const {
        auto const parts = groups_.shared.parts();
        pos_t begin = 0;
        std::size_t next = 0;
        for (pos_t i = 0; i < groups_.root.size(); ++i) {
            if (groups_.root[i] != i) continue;
            bool const shared = next < parts_by_root_.size() && parts[parts_by_root_[next]].root == i;
            f(i, shared ? parts_by_root_[next++] : parts.size(), Here{begin, end_[i] - begin});
            begin = end_[i];
        }
    }
    [[nodiscard]] std::span<pos_t const> members(Here const& here) const {
        return {order_.data() + here.begin, here.size};
    }

    template <int Dim>
    void fill(SharedGroups const& shared) {
        using Row = GroupRow<Dim, T>;
        std::vector<MemberMemory<T>> memory;
        std::vector<Row> parts;
        comm_.agree([&] {
            set_sizes(rows_, given_.velocities);
            cpu_.run([&] {
                fill_rows<Dim>(
                    rows_, alone_.size(), [&](std::size_t i) { return alone_[i].row; },
                    [&](std::size_t i) { return members(alone_[i]); }, all_);
                memory.resize(of_shared_.size());
                parts.reserve(of_shared_.size());
                for (std::size_t i = 0; i < of_shared_.size(); ++i)
                    parts.emplace_back(all_, members(of_shared_[i]), memory[i]);
            });
        });
        each_pass<Row>([&]<class Fold>() { pass<Fold>(shared, parts); });
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (of_shared_[i].row != no_row) parts[i].write(rows_, of_shared_[i].row);
    }
    /// A pass over the groups that span ranks.
    template <class Fold, class Row>
    void pass(SharedGroups const& shared, std::vector<Row>& parts) {
        auto folds = comm_.agree([&] {
            Buffer<Fold> own(parts.size());
            cpu_.run([&] {
                parallel_for(parts.size(), 1, [&](std::size_t i, std::size_t end) {
                    for (; i < end; ++i) own[i] = parts[i].template fold<Fold>();
                });
            });
            return own;
        });
        shared.join(comm_, std::span<Fold>(folds));
        for (std::size_t i = 0; i < parts.size(); ++i) parts[i].take(folds[i]);
    }

    /// The rows in their order over all ranks.
    CatalogueOnRanks sorted() {
        auto keys = comm_.agree([&] {
            Buffer<RowKey> own(rows_.size());
            for (std::size_t i = 0; i < own.size(); ++i)
                own[i] = {rows_.count[i], rows_.label[i], comm_.rank(), pos_t(i)};
            return own;
        });
        keys = sort_records(comm_, cpu_, std::move(keys));
        auto const travel = travel_of(keys);
        auto const bring = [&](auto& column, std::size_t width = 1) {
            using V = typename std::remove_reference_t<decltype(column)>::value_type;
            auto in_order = comm_.agree([&] { return std::vector<V>(keys.size() * width); });
            bring_along(comm_, cpu_, travel, std::span<V const>(column), std::span<V>(in_order), width);
            column = std::move(in_order);
        };
        auto const dim = std::size_t(rows_.dim);
        for (auto* column : {&rows_.label, &rows_.count, &rows_.most_distant, &rows_.first})
            bring(*column);
        for (auto* column : {&rows_.mass, &rows_.inertia_radius, &rows_.radius}) bring(*column);
        bring(rows_.centre_of_mass, dim);
        if (given_.velocities) bring(rows_.velocity, dim), bring(rows_.velocity_dispersion);
        auto const begin = comm_.offsets(keys.size());
        return {std::move(rows_), begin[std::size_t(comm_.rank())], begin.back(), {}, 0};
    }
    void list_members(CatalogueOnRanks& all) {
        auto const parts = groups_.shared.parts();
        auto members = comm_.agree([&] {
            Buffer<Member> own(order_.size());
            each_group([&](pos_t root, std::size_t part, Here here) {
                std::uint64_t const group = part < parts.size() ? parts[part].group : base_ + root;
                for (pos_t i = here.begin; i < here.begin + here.size; ++i)
                    own[i] = {group, base_ + order_[i], all_.input_index[order_[i]]};
            });
            return own;
        });
        members = sort_records(comm_, cpu_, std::move(members));
        all.members = comm_.agree([&] { return Buffer<index_t>(members.size()); });
        std::transform(members.begin(), members.end(), all.members.begin(),
                       [](Member const& m) { return m.row; });
        all.first_member = comm_.offsets(members.size())[std::size_t(comm_.rank())];
    }
    /// How columns come to where the keys of their rows are.
    Travel travel_of(Buffer<RowKey> const& keys) {
        auto const ranks = std::size_t(comm_.size());
        Travel travel;
        Parts<pos_t> asked;
        comm_.agree([&] {
            asked.begin.assign(ranks + 1, 0);
            for (RowKey const& key : keys) ++asked.begin[std::size_t(key.rank) + 1];
            for (std::size_t r = 0; r < ranks; ++r) asked.begin[r + 1] += asked.begin[r];
            asked.records = Buffer<pos_t>(keys.size());
            travel.position = Buffer<pos_t>(keys.size());
            auto next = asked.begin;
            for (std::size_t i = 0; i < keys.size(); ++i) {
                auto const record = next[std::size_t(keys[i].rank)]++;
                asked.records[record] = keys[i].row;
                travel.position[record] = pos_t(i);
            }
        });
        auto given = comm_.exchange(asked);
        travel.row = std::move(given.records);
        travel.routes = {std::move(given.begin), std::move(asked.begin)};
        return travel;
    }

    Comm& comm_;
    Cpu const& cpu_;
    RankGroups<T> const& groups_;
    std::uint64_t base_;  // position of the first own point among all points
    Beside given_;
    std::uint64_t min_members_;
    Buffer<T> masses_, velocities_;                       // of own positions
    Particles<T> all_{.points = groups_.points.points(),  // those of this rank
                      .axes = Axes(groups_.period, groups_.extent)};
    Buffer<pos_t> order_, end_;  // own positions by group, and where groups end, at their roots
    std::vector<std::size_t> parts_by_root_;
    std::vector<Here> alone_, of_shared_;  // of groups that are large enough; the latter as their parts
    FofCatalogue rows_;                    // of groups whose first point is here
};

}  // namespace

template <class T>
Beside check_catalogue_options(Comm& comm, Cpu const& cpu, Points<T> local,
                               CatalogueOptions<T> const& o) {
    auto const step = comm.step("input");
    agree_on(comm, {{"min_members", o.min_members}, {"members", o.members}});
    Beside const given = comm.reduce_all(Beside(o), [](Beside a, Beside const& b) {
        a.masses |= b.masses, a.velocities |= b.velocities;
        return a;
    });
    check_rows(comm, local.size, [&](std::uint64_t first_row) {
        cpu.run([&] { check_beside(local, o, given, first_row); });
    });
    return given;
}

template <class T>
CatalogueOnRanks make_catalogue(Comm& comm, Cpu const& cpu, RankGroups<T> const& groups,
                                CatalogueOptions<T> const& options, Beside given) {
    return RankCatalogue<T>(comm, cpu, groups, options.min_members, given).run(options);
}

template Beside check_catalogue_options(Comm&, Cpu const&, Points<float>,
                                        CatalogueOptions<float> const&);
template Beside check_catalogue_options(Comm&, Cpu const&, Points<double>,
                                        CatalogueOptions<double> const&);
template CatalogueOnRanks make_catalogue(Comm&, Cpu const&, RankGroups<float> const&,
                                         CatalogueOptions<float> const&, Beside);
template CatalogueOnRanks make_catalogue(Comm&, Cpu const&, RankGroups<double> const&,
                                         CatalogueOptions<double> const&, Beside);

}}}  // namespace zwalk::v0::detail
