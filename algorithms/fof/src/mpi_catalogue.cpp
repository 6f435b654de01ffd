// The catalogue on MPI ranks: the passes of one process (group_rows.hpp) over the members that each rank has.
//
// Points are in z-order, so that nearly all groups lie in one rank, which makes their rows alone: on its device, if it has one
// with enough memory, else by threads. For the others threads of every rank with members fold these, pass by pass; the folds
// are joined where the group's first point is (ranks/shared_groups.hpp), and all parts go on with the sums of the whole group.
// These are integers, maxima and bits: no order of joining changes one. The row is that of the rank with the first point, from
// which all others are seen. Then rows are sorted over ranks by their keys, and their columns follow.
//
//     masses, velocities     input rows  -> z-order           bring_along()
//     count                  parts      <-> first points      which groups are large enough; where each begins
//     outset, three passes   parts      <-> first points      of these
//     rows                   first points -> sorted           sort_records() of keys, bring_along() of columns
//     members, if wanted     z-order -> group order           sort_records()
#include <limits>

#include "group_rows.hpp"
#include "rank_catalogue.hpp"
#include "sort_by_group.hpp"
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

/// The members that this rank has of a group that spans ranks, in group order, and the row that it makes of them.
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
                  Beside given, RowsElsewhere<T> const& elsewhere)
        : comm_(comm),
          cpu_(cpu),
          groups_(groups),
          base_(groups.points.ranks.positions_before(comm.rank())),
          given_(given),
          elsewhere_(elsewhere),
          min_members_(std::max<std::size_t>(1, min_members)) {
        all_.input_index = groups.points.input_index;
        rows_.dim = all_.points.dim;
    }

    CatalogueOnRanks run(CatalogueOptions<T> const& options) {
        auto const step = comm_.step("catalogue");
        bring_beside(options);
        bool const elsewhere = comm_.agree([&] { return elsewhere_.has_memory(all_); });
        comm_.agree([&] { make_own_rows(elsewhere); });
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

    /// Rows of the groups that this rank has alone, if they are large enough, in group order: with `first` in order_, as parts_here_
    /// of the others has it.
    /// @param elsewhere  there is memory for that
    void make_own_rows(bool elsewhere) {
        auto const parts = groups_.shared.parts();
        parts_here_.resize(parts.size());
        parts_by_root_.resize(parts.size());
        std::iota(parts_by_root_.begin(), parts_by_root_.end(), std::size_t(0));
        std::sort(parts_by_root_.begin(), parts_by_root_.end(),
                  [&](std::size_t a, std::size_t b) { return parts[a].root < parts[b].root; });
        std::optional<FofCatalogue> made;
        if (elsewhere) made = elsewhere_.make(all_, groups_.root, min_members_);
        if (made) {
            rows_ = std::move(*made);
            order_ = std::move(rows_.order);
            rows_.order = {};
            leave_out_parts();
        } else {
            find_groups();
            set_sizes(rows_, given_.velocities);
            cpu_.run([&] {
                if (rows_.dim == 3) fill_own<3>();
                else fill_own<0>();
            });
        }
    }
    void find_groups() {
        auto const parts = groups_.shared.parts();
        SortedByGroup sorted(cpu_, groups_.root, [](pos_t i) { return i; });
        struct Found {
            pos_t root, begin, size;
        };
        auto const root_of = [&](std::size_t part) { return parts[part].root; };
        auto const found = cpu_.run([&] {
            return sorted.collect([&](pos_t root, pos_t begin, pos_t end) -> std::optional<Found> {
                if (end - begin < min_members_ &&
                    !std::ranges::binary_search(parts_by_root_, root, std::less<>(), root_of))
                    return {};
                return Found{root, begin, end - begin};
            });
        });
        auto part = parts_by_root_.begin();
        for (Found const& group : found)
            if (part != parts_by_root_.end() && root_of(*part) == group.root) {
                parts_here_[*part++] = {group.begin, group.size};
            } else {
                rows_.first.push_back(group.begin);
                rows_.count.push_back(group.size);
            }
        order_ = sorted.take_order();
    }
    /// Keeps rows of groups of which no other rank has a part, and finds the members of others.
    void leave_out_parts() {
        auto const parts = groups_.shared.parts();
        if (parts.empty()) return;
        auto const root_of = [&](pos_t member) { return groups_.root[member]; };
        for (std::size_t const part : parts_by_root_) {
            auto const here = std::ranges::equal_range(order_, parts[part].root, std::less<>(), root_of);
            parts_here_[part] = {pos_t(here.begin() - order_.begin()), pos_t(here.size())};
        }
        std::vector<std::size_t> own;
        auto part = parts_by_root_.begin();
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            auto const begin = pos_t(rows_.first[i]);
            while (part != parts_by_root_.end() && parts_here_[*part].begin < begin) ++part;
            if (part == parts_by_root_.end() || parts_here_[*part].begin != begin) own.push_back(i);
        }
        if (own.size() < rows_.size()) rows_.select(own, cpu_);
    }
    template <int Dim>
    void fill_own() {
        fill_rows<Dim>(
            rows_, rows_.first.size(), [](std::size_t i) { return i; },
            [&](std::size_t i) {
                return std::span<pos_t const>(order_).subspan(std::size_t(rows_.first[i]),
                                                              std::size_t(rows_.count[i]));
            },
            all_);
    }

    /// Finds the groups that span ranks and are large enough; returns this rank's parts of them. The first point of some is here:
    /// these get a row with `count`, behind the others. All get the `first` of all ranks.
    std::vector<GroupPart> choose_groups() {
        auto counts = comm_.agree([&] {
            Buffer<Count> own(parts_here_.size());
            std::transform(parts_here_.begin(), parts_here_.end(), own.begin(),
                           [](Here const& here) { return Count{here.size}; });
            return own;
        });
        groups_.shared.join(comm_, std::span<Count>(counts));
        std::uint64_t members = 0;  // of groups that began on this rank
        auto large = comm_.agree([&] {
            members = number_rows(counts);
            return large_parts(counts);
        });
        auto const before = comm_.offsets(members)[std::size_t(comm_.rank())];
        for (index_t& first : rows_.first) first += index_t(before);
        return large;
    }
    /// Makes `first` of rows count all members of groups that began on this rank, but no others; returns how many these are.
    std::uint64_t number_rows(Buffer<Count> const& counts) {
        auto const parts = groups_.shared.parts();
        std::size_t row = 0, own = rows_.size();
        index_t more = 0;  // than what is in order_, so far
        for (std::size_t const part : parts_by_root_) {
            Here& here = parts_here_[part];
            for (; row < own && rows_.first[row] < here.begin; ++row) rows_.first[row] += more;
            bool const begins = parts[part].group == base_ + parts[part].root;
            std::uint64_t const count = begins ? counts[part].points : 0;
            if (begins && count >= min_members_) {
                here.row = rows_.first.size();
                rows_.first.push_back(here.begin + more);
                rows_.count.push_back(index_t(count));
            }
            more += index_t(count) - index_t(here.size);
        }
        for (; row < own; ++row) rows_.first[row] += more;
        return std::uint64_t(index_t(order_.size()) + more);
    }
    std::vector<GroupPart> large_parts(Buffer<Count> const& counts) {
        std::vector<GroupPart> large;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            if (counts[i].points < min_members_) continue;
            large.push_back(groups_.shared.parts()[i]);
            of_shared_.push_back(parts_here_[i]);
        }
        return large;
    }

    /// Rows of groups that span ranks.
    template <int Dim>
    void fill(SharedGroups const& shared) {
        using Row = GroupRow<Dim, T>;
        std::vector<MemberMemory<T>> memory;
        std::vector<Row> parts;
        comm_.agree([&] {
            set_sizes(rows_, given_.velocities);
            cpu_.run([&] {
                memory.resize(of_shared_.size());
                parts.reserve(of_shared_.size());
                for (std::size_t i = 0; i < of_shared_.size(); ++i)
                    parts.emplace_back(
                        all_,
                        std::span<pos_t const>(order_).subspan(of_shared_[i].begin, of_shared_[i].size),
                        memory[i]);
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
            auto in_order = comm_.agree([&] { return PageVector<V>(keys.size() * width); });
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
            std::transform(order_.begin(), order_.end(), own.begin(), [&](pos_t i) {
                return Member{base_ + groups_.root[i], base_ + i, all_.input_index[i]};
            });
            for (std::size_t part = 0; part < parts.size(); ++part) {
                auto const [begin, size, row] = parts_here_[part];
                for (pos_t i = begin; i < begin + size; ++i) own[i].group = parts[part].group;
            }
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
    RowsElsewhere<T> const& elsewhere_;
    std::uint64_t min_members_;
    Buffer<T> masses_, velocities_;                       // of own positions
    Particles<T> all_{.points = groups_.points.points(),  // those of this rank
                      .axes = Axes(groups_.period, groups_.extent)};
    Buffer<pos_t> order_;                       // own positions by group
    std::vector<std::size_t> parts_by_root_;    // numbers of parts of shared groups, as are in order_
    std::vector<Here> parts_here_, of_shared_;  // these parts, and those of groups that are large enough
    FofCatalogue rows_;                         // of groups whose first point is here
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
                                CatalogueOptions<T> const& options, Beside given,
                                RowsElsewhere<T> const& elsewhere) {
    return RankCatalogue<T>(comm, cpu, groups, options.min_members, given, elsewhere).run(options);
}

template Beside check_catalogue_options(Comm&, Cpu const&, Points<float>,
                                        CatalogueOptions<float> const&);
template Beside check_catalogue_options(Comm&, Cpu const&, Points<double>,
                                        CatalogueOptions<double> const&);
template CatalogueOnRanks make_catalogue(Comm&, Cpu const&, RankGroups<float> const&,
                                         CatalogueOptions<float> const&, Beside,
                                         RowsElsewhere<float> const&);
template CatalogueOnRanks make_catalogue(Comm&, Cpu const&, RankGroups<double> const&,
                                         CatalogueOptions<double> const&, Beside,
                                         RowsElsewhere<double> const&);

}}}  // namespace zwalk::v0::detail
