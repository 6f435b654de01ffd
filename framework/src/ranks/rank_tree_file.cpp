#include "zwalk/ranks/rank_tree_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>
#include <sstream>

#include "tree_file_layout.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/tree/planes.hpp"
#include "zwalk/tree/virtual_levels.hpp"
#include "zwalk/zorder/key.hpp"
#include "zwalk/zorder/level.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// The checksum of the blocks of all ranks.
std::uint64_t checksum_of(Comm& comm, TreeFileLayout const& layout, std::byte const* block,
                          std::uint64_t seed) {
    TreeChecksum sum(seed);
    for (int r = 0; r < comm.size(); ++r) {
        if (r == comm.rank()) sum = layout.add_block(std::size_t(r), block, sum);
        sum = comm.broadcast(sum, r);
    }
    return sum.value();
}

[[noreturn]] void cannot_write(std::filesystem::path const& path, int rank) {
    throw Error(
        detail::text("cannot write '{}' (rank {}): {}", path.string(), rank, std::strerror(errno)));
}

/// The last point that a rank has.
template <class T>
struct LastPoint {
    std::uint8_t exists = 0;
    T x[max_dim];
};

/// The levels of the gaps before the points of a rank, of which the last rank with points has the last gap, too; those inside
/// of runs of equal points aren't right yet.
template <class T>
Buffer<level_t> own_levels(Comm& comm, Cpu const& cpu, Tree<T, Cpu> const& tree, int dim) {
    pos_t const n = tree.size();
    auto const row = [&](pos_t i) {
        LastPoint<T> point{1, {}};
        for (int j = 0; j < dim; ++j) point.x[j] = tree.x[std::size_t(j) * tree.stride + i];
        return point;
    };
    LastPoint<T> const last = n > 0 ? row(n - 1) : LastPoint<T>{0, {}};
    auto const all = comm.gather_all(std::span<LastPoint<T> const>(&last, 1)).records;
    return comm.agree([&] {
        auto const me = std::ptrdiff_t(comm.rank());
        auto const exists = [](LastPoint<T> const& p) { return p.exists != 0; };
        bool const is_last = std::none_of(all.begin() + me + 1, all.end(), exists);
        Buffer<level_t> own(n == 0 ? 0 : n + is_last);
        if (n == 0) return own;
        auto const levels = gap_levels(cpu, tree.x.data(), tree.stride, n, dim);
        std::copy_n(levels.begin(), own.size(), own.begin());
        for (auto r = me; r-- > 0;)
            if (exists(all[std::size_t(r)])) {
                own[0] = z_level(all[std::size_t(r)].x, row(0).x, dim);
                break;
            }
        return own;
    });
}

/// The planes of all points, on rank 0.
std::vector<CutPlane> planes_of(Comm& comm, Cpu const& cpu, Buffer<level_t> const& own,
                                TreeOptions const& options) {
    auto const routes = comm.routes([&]() noexcept {
        std::vector<std::uint64_t> sent(std::size_t(comm.size()) + 1, own.size());
        sent[0] = 0;
        return sent;
    }());
    auto levels = comm.exchange(routes, std::span<level_t const>(own), 1, [&](std::uint64_t gaps) {
        double const needed = 7. * double(gaps), free = double(available_memory());
        if (needed > free)
            throw Error(
                detail::text("the nodes of an index of {} points are made on one rank, where "
                             "they need about {:.3g} GB of memory, and {:.3g} GB are free",
                             gaps - 1, needed / 1e9, free / 1e9));
    });
    return comm.agree([&] {
        if (levels.size() == 0) return std::vector<CutPlane>();
        set_virtual_levels(cpu, {levels.data(), levels.size()});
        return cut_planes(cpu, levels, TypeCounts{pos_t(levels.size() - 1), {}}, options);
    });
}

/// What belongs to this rank, in the order of the file.
template <class T>
Buffer<std::byte> own_bytes(SortedPoints<T> const& points, Tree<T, Cpu> const& tree, int dim,
                            std::vector<CutPlane> const& planes, std::uint64_t bytes) {
    Buffer<std::byte> all(bytes);
    std::byte* next = all.data();
    auto const put = [&](auto const* values, std::size_t n) {
        if (n > 0) std::memcpy(next, values, n * sizeof(*values));
        next += n * sizeof(*values);
    };
    for (int j = 0; j < dim; ++j) put(tree.x.data() + std::size_t(j) * tree.stride, tree.size());
    for (index_t const row : points.input_index) {
        auto const narrow = pos_t(row);
        put(&narrow, 1);
    }
    for (CutPlane const& plane : planes) {
        put(plane.first.data(), plane.first.size());
        put(plane.child.data(), plane.child.size());
    }
    return all;
}

/// Rows by position, from columns of this rank.
template <class T>
Buffer<T> rows_from(std::byte const* columns, std::size_t n, std::size_t dim) {
    Buffer<T> rows(n * dim);
    for (std::size_t j = 0; j < dim; ++j)
        for (std::size_t i = 0; i < n; ++i) {
            T& x = rows[i * dim + j];
            std::memcpy(&x, columns + (j * n + i) * sizeof(T), sizeof(T));
            if (!std::isfinite(x)) corrupted_tree_file("coordinates are not finite");
        }
    return rows;
}

/// The way of each point from the rank that has its row of the input.
Travel travel_of(Comm& comm, Buffer<index_t> const& input_index,
                 std::vector<std::uint64_t> const& begin) {
    auto const ranks = std::size_t(comm.size());
    Travel travel;
    Buffer<pos_t> row;  // among those of its rank
    auto const sent = comm.agree([&] {
        auto const owner = [&](index_t i) {
            return std::size_t(std::upper_bound(begin.begin(), begin.end(), std::uint64_t(i)) -
                               begin.begin()) -
                   1;
        };
        std::vector<std::uint64_t> counts(ranks + 1, 0);
        for (index_t const i : input_index) ++counts[owner(i) + 1];
        std::partial_sum(counts.begin(), counts.end(), counts.begin());
        travel.position = Buffer<pos_t>(input_index.size());
        row = Buffer<pos_t>(input_index.size());
        auto next = counts;
        for (pos_t p = 0; p < input_index.size(); ++p) {
            auto const r = owner(input_index[p]);
            row[next[r]] = pos_t(std::uint64_t(input_index[p]) - begin[r]);
            travel.position[next[r]++] = p;
        }
        return counts;
    });
    auto const to_rows = comm.routes(sent);
    travel.row = comm.exchange(to_rows, std::span<pos_t const>(row));
    travel.routes = to_rows.back();
    comm.agree([&] {
        auto const me = std::size_t(comm.rank());
        std::vector<bool> seen(begin[me + 1] - begin[me]);
        for (pos_t const r : travel.row) seen[r] = true;
        if (travel.row.size() != seen.size() || std::find(seen.begin(), seen.end(), false) != seen.end())
            corrupted_tree_file("rows are no permutation");
    });
    return travel;
}

/// Rank r has [N r / P, N (r + 1) / P).
std::vector<std::uint64_t> equal_parts(std::uint64_t n, int ranks) {
    auto const p = std::uint64_t(ranks);
    std::vector<std::uint64_t> begin;
    for (std::uint64_t r = 0; r <= p; ++r) begin.push_back(n / p * r + n % p * r / p);
    return begin;
}

/// agree(f), where refusals name the file.
template <class F>
auto agree_on_file(Comm& comm, std::filesystem::path const& path, F const& f) {
    return comm.agree([&] {
        try {
            return f();
        } catch (InputError const& error) {
            throw InputError(detail::text("cannot read '{}': {}", path.string(), error.what()));
        }
    });
}

}  // namespace

template <class T>
void write_tree(Comm& comm, Cpu const& cpu, SortedPoints<T> const& points, Tree<T, Cpu> const& tree,
                std::vector<double> const& box, TreeOptions const& options,
                std::filesystem::path const& path, std::uint64_t piece) {
    auto const step = comm.step("save");
    auto const me = std::size_t(comm.rank());
    auto const size = points.ranks.size();
    comm.agree([&] {
        if (size > max_points)
            throw InputError(
                detail::text("{} points are too many for an index file (at most {})", size, max_points));
    });
    auto const planes = planes_of(comm, cpu, own_levels(comm, cpu, tree, points.dim), options);
    TreeHeader header{sizeof(T), points.dim, size, {}, {}, {}, 0};
    [&]() noexcept {
        header.box = box;
        header.options = options;
        header.nodes.resize(comm.broadcast(planes.size()));
        for (std::size_t p = 0; p < planes.size(); ++p) header.nodes[p] = planes[p].nodes();
        comm.broadcast(std::span<std::size_t>(header.nodes));
    }();
    auto const layout = comm.agree([&] {
        std::vector<std::uint64_t> positions;
        for (int r = 0; r <= comm.size(); ++r) positions.push_back(points.ranks.positions_before(r));
        return TreeFileLayout(header, positions, piece);
    });
    Parts<std::byte> out;
    auto const head = comm.agree([&] {
        std::ostringstream text;
        text.exceptions(std::ios::badbit);  // a lack of memory is to be reported as such
        header.checksum = write_tree_header(text, header);
        out.begin = layout.bytes_of(me);
        out.records = own_bytes(points, tree, points.dim, planes, out.begin.back());
        return std::move(text).str();
    });
    auto const in = comm.exchange(out);
    out = {};
    auto const block = comm.agree([&] {
        Buffer<std::byte> bytes(layout.block_bytes(me));
        auto next = in.begin;
        layout.for_each_in_block(me, true, [&](std::size_t owner, std::uint64_t at, std::uint64_t n) {
            std::copy_n(in.records.begin() + std::ptrdiff_t(next[owner]), n,
                        bytes.begin() + std::ptrdiff_t(at));
            next[owner] += n;
        });
        return bytes;
    });
    auto const sum = checksum_of(comm, layout, block.data(), header.checksum);
    try {
        comm.agree([&] {
            if (me != 0) return;
            std::ofstream file(path, std::ios::binary | std::ios::trunc);
            file << head;
            file.seekp(std::streamoff(layout.end()));
            file.write(reinterpret_cast<char const*>(&sum), sizeof(sum));
            file.close();
            if (!file) cannot_write(path, 0);
        });
        comm.agree([&] {
            if (block.size() == 0) return;
            std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
            file.seekp(std::streamoff(layout.block(me)));
            file.write(reinterpret_cast<char const*>(block.data()), std::streamsize(block.size()));
            file.close();
            if (!file) cannot_write(path, comm.rank());
        });
    } catch (...) {
        std::error_code ignored;
        if (me == 0) std::filesystem::remove(path, ignored);
        throw;
    }
}

template <class T>
SortedPoints<T> read_tree(Comm& comm, std::filesystem::path const& path, TreeHeader& header,
                          std::uint64_t piece) {
    auto const step = comm.step("load");
    auto const me = std::size_t(comm.rank());
    std::vector<std::uint64_t> begin;
    Buffer<std::byte> block;
    std::uint64_t written = 0;  // the checksum
    auto const layout = agree_on_file(comm, path, [&] {
        std::ifstream file(path, std::ios::binary);
        if (!file) throw InputError(std::strerror(errno));
        header = read_tree_header(file);
        check_tree_arrays(file, header, sizeof(T));
        begin = equal_parts(header.size, comm.size());
        TreeFileLayout const all(header, begin, piece);
        block = Buffer<std::byte>(all.block_bytes(me));
        file.seekg(std::streamoff(all.block(me)));
        file.read(reinterpret_cast<char*>(block.data()), std::streamsize(block.size()));
        file.seekg(std::streamoff(all.end()));
        file.read(reinterpret_cast<char*>(&written), sizeof(written));
        if (!file) throw InputError("the tree file is truncated");
        return all;
    });
    auto const sum = checksum_of(comm, layout, block.data(), header.checksum);
    Parts<std::byte> out;
    agree_on_file(comm, path, [&] {
        if (written != sum) corrupted_tree_file("wrong checksum");
        out.begin.assign(std::size_t(comm.size()) + 1, 0);
        layout.for_each_in_block(me, false, [&](std::size_t owner, std::uint64_t, std::uint64_t n) {
            out.begin[owner + 1] += n;
        });
        std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
        out.records = Buffer<std::byte>(out.begin.back());
        auto next = out.begin;
        layout.for_each_in_block(me, false, [&](std::size_t owner, std::uint64_t at, std::uint64_t n) {
            std::copy_n(block.begin() + std::ptrdiff_t(at), n,
                        out.records.begin() + std::ptrdiff_t(next[owner]));
            next[owner] += n;
        });
        block = {};
    });
    auto const in = comm.exchange(out).records;
    out = {};
    SortedPoints<T> points;
    agree_on_file(comm, path, [&] {
        std::size_t const n = begin[me + 1] - begin[me], dim = std::size_t(header.dim);
        points.dim = header.dim;
        points.rows = rows_from<T>(in.data(), n, dim);
        points.input_index = Buffer<index_t>(n);
        for (std::size_t i = 0; i < n; ++i) {
            pos_t row = 0;
            std::memcpy(&row, in.data() + n * dim * sizeof(T) + i * sizeof(row), sizeof(row));
            if (row >= header.size) corrupted_tree_file("rows are no permutation");
            points.input_index[i] = index_t(row);
        }
        points.ranks = Ranks(begin, begin);
    });
    points.travel = travel_of(comm, points.input_index, begin);
    return points;
}

#define ZWALK_RANK_TREE_FILE(T)                                                              \
    template void write_tree(Comm&, Cpu const&, SortedPoints<T> const&, Tree<T, Cpu> const&, \
                             std::vector<double> const&, TreeOptions const&,                 \
                             std::filesystem::path const&, std::uint64_t);                   \
    template SortedPoints<T> read_tree(Comm&, std::filesystem::path const&, TreeHeader&, std::uint64_t);
ZWALK_RANK_TREE_FILE(float)
ZWALK_RANK_TREE_FILE(double)

}}  // namespace zwalk::v0
