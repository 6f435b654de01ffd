#include "rank_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include "../io/csv.hpp"
#include "../io/file.hpp"
#include "common.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/ranks/agree_on.hpp"

namespace zwalk::apps {
namespace {

/// No two ranks write to the same piece of a file. File systems give out locks, stripes and pages piece by piece, and two
/// ranks that need the same one wait for each other, or (NFS) undo what the other has written.
constexpr std::uint64_t piece_bytes = 1 << 20;

/// The text of rank 0. noexcept: a rank that had no memory for the few words would leave the others waiting.
std::string text_of_first(Comm& comm, std::string text) noexcept {
    text.resize(comm.broadcast(text.size()));
    comm.broadcast(std::span<char>(text));
    return text;
}

/// agree(f), whose error names the rank that failed unless that is rank 0.
template <class F>
auto agree_and_name_rank(Comm& comm, F const& f) {
    return comm.agree([&] {
        auto const named = [&](std::exception const& e) {
            return comm.rank() == 0 ? e.what() : fmt::format("{} (rank {})", e.what(), comm.rank());
        };
        try {
            return f();
        } catch (InputError const& e) {
            throw InputError(named(e));
        } catch (Error const& e) {
            throw Error(named(e));
        }
    });
}

/// A column whose rows are all on rank 0.
template <class V>
Buffer<V> gathered_on_first(Comm& comm, std::span<V const> own, std::size_t width) {
    auto routes = comm.routes([&]() noexcept {
        std::vector<std::uint64_t> sent(std::size_t(comm.size()) + 1, own.size() / width);
        sent[0] = 0;
        return sent;
    }());
    return comm.exchange(routes, own, width);
}

/// Where ranks begin to write, and the end of the file: at the first piece that begins among their bytes, or behind these.
std::vector<std::uint64_t> whole_pieces(std::vector<std::uint64_t> begin) {
    for (std::size_t r = 1; r + 1 < begin.size(); ++r)
        begin[r] = std::min((begin[r] + piece_bytes - 1) / piece_bytes * piece_bytes, begin.back());
    return begin;
}

/// Those of a rank's bytes, which are at `first` in the file, that lower ranks write.
Parts<std::byte> for_lower_ranks(std::vector<std::uint64_t> const& written_from, std::size_t rank,
                                 std::uint64_t first, std::span<std::byte const> own) {
    auto const before = [&](std::size_t r) {  // bytes for ranks below r
        return std::clamp(written_from[std::min(r, rank)], first, first + own.size()) - first;
    };
    Parts<std::byte> out;
    for (std::size_t r = 0; r < written_from.size(); ++r) out.begin.push_back(before(r));
    out.records = Buffer<std::byte>(out.begin.back());
    std::copy_n(own.begin(), out.records.size(), out.records.begin());
    return out;
}

/// Rows of all ranks, of which each has some, in the order of ranks: each gets its part of them.
template <class V>
void take_own_part(Comm& comm, io::PointSet& set, Buffer<V> const& rows) {
    auto const begin = comm.offsets(set.size);
    auto const me = std::size_t(comm.rank());
    auto const routes = comm.routes([&]() noexcept {
        std::vector<std::uint64_t> sent;
        for (std::size_t r = 0; r + 1 < begin.size(); ++r) {
            std::uint64_t const first = io::Part{r, begin.size() - 1}.begin(begin.back());
            sent.push_back(std::clamp(first, begin[me], begin[me + 1]) - begin[me]);
        }
        sent.push_back(set.size);
        return sent;
    }());
    auto own = comm.exchange(routes, std::span<V const>(rows.data(), rows.size()), std::size_t(set.dim));
    set.size = own.size() / std::size_t(set.dim);
    set.total = begin.back();
    set.rows = std::move(own);
}

/// Text: each rank reads the lines that begin in its range of the file's bytes.
io::PointSet read_own_text(Comm& comm, std::string const& path, io::ReadOptions const& options) {
    io::Part const part{std::uint64_t(comm.rank()), std::uint64_t(comm.size())};
    auto const slice = agree_and_name_rank(comm, [&] { return io::read_text_slice(path, part); });
    auto const lines = comm.offsets(slice.lines);
    auto set = comm.agree([&] {  // a line is named, so no rank
        auto rows = io::rows_of(slice, lines[std::size_t(comm.rank())], options);
        io::check_columns(path, rows.dim);
        return rows;
    });
    auto const rows = std::exchange(set.rows, {});
    std::visit([&](auto const& values) { take_own_part(comm, set, values); }, rows);
    return set;
}

}  // namespace

io::PointSet read_own_points(Comm& comm, std::string const& path, io::ReadOptions options) {
    auto const step = comm.step("read");
    if (io::is_text(path)) return read_own_text(comm, path, options);
    // One rank looks into all files of a snapshot: thousands that do are a burden for a file system.
    auto files = comm.agree([&] {
        return comm.rank() == 0 ? io::rows_of_files(path, options) : std::vector<io::FileRows>();
    });
    auto const known = comm.gather_all(std::span<io::FileRows const>(files));
    options.part = {std::uint64_t(comm.rank()), std::uint64_t(comm.size())};
    auto points = agree_and_name_rank(comm, [&] {
        options.rows_of_files.assign(known.records.begin(), known.records.end());
        return io::read_points(path, options);
    });
    agree_on(comm, {{"the number of points in the input", points.total}});
    return points;
}

RankDirectory::RankDirectory(Comm& comm, std::string const& target, bool force) : comm_(comm) {
    if (target.empty()) return;
    auto const made = text_of_first(comm, comm.agree([&] {
        if (comm.rank() == 0) directory_.emplace(target, force);
        return directory_ ? directory_->temporary().string() : std::string();
    }));
    comm.agree([&] {
        if (!std::filesystem::is_directory(made))
            throw Error(
                fmt::format("rank {} doesn't see {}, which rank 0 has made: all ranks need a file "
                            "system that they share",
                            comm.rank(), io::quoted(made)));
    });
}

std::string RankDirectory::add_side_file(std::string const& target, bool force) {
    return text_of_first(comm_, comm_.agree([&] {
        if (comm_.rank() != 0) return std::string();
        beside_.push_back({{target, of_first(), force}, directory_ && directory_->is_parent_of(target)});
        return beside_.back().file.path().string();
    }));
}

std::uint64_t RankDirectory::bytes() const {
    std::uint64_t bytes = directory_ ? directory_->bytes() : 0;
    for (SideFile const& beside : beside_)
        if (!beside.in_directory) bytes += std::filesystem::file_size(beside.file.path());
    return bytes;
}

void RankDirectory::write_rows(std::string const& name, std::string const& head,
                               std::string const& own) {
    RankFile(*this, name, head, comm_.offsets(own.size())).write_all(std::as_bytes(std::span(own)));
}

void RankDirectory::write_table(std::string const& name, io::Table const& own,
                                std::string const& group) {
    auto const step = comm_.step("write");
    if (name.ends_with(".hdf5")) return write_hdf5_table(name, group, own);
    bool const csv = name.ends_with(".csv");
    auto const all = comm_.offsets(own.rows).back();
    auto const head =
        comm_.agree([&] { return csv ? io::csv_table_head(own) : io::npy_table_head(own, all); });
    write_rows(name, head, comm_.agree([&] {
        return csv ? io::csv_table_rows(own, 0, own.rows) : io::npy_table_rows(own, 0, own.rows);
    }));
}

void RankDirectory::write_hdf5_table(std::string const& name, std::string const& group,
                                     io::Table const& own) {
    io::Table all{comm_.offsets(own.rows).back(), {}};
    std::vector<std::variant<Buffer<std::int64_t>, Buffer<double>>> numbers;
    comm_.agree([&] {
        all.columns = own.columns;
        numbers.resize(own.columns.size());
    });
    for (std::size_t i = 0; i < numbers.size(); ++i)
        std::visit(
            [&](auto values) {
                auto column = gathered_on_first(comm_, values, own.columns[i].width);
                all.columns[i].values = decltype(values)(column);
                numbers[i] = std::move(column);
            },
            own.columns[i].values);
    comm_.agree([&] {
        if (directory_) io::write_hdf5_table(directory_->file(name), group, all);
    });
}

RankFile::RankFile(RankDirectory& directory, std::string const& name, std::string const& head,
                   std::vector<std::uint64_t> begin)
    : comm_(directory.comm()), begin_(std::move(begin)) {
    for (auto& b : begin_) b += head.size();
    path_ = text_of_first(comm_, comm_.agree([&] {
        from_ = whole_pieces(begin_);
        auto* const first = directory.of_first();
        if (!first) return std::string();
        auto const file = first->file(name);
        io::SizedFile::create(file, head, begin_.back());
        return file.string();
    }));
}

void RankFile::write(std::uint64_t at, std::span<std::byte const> own) {
    // Sums of the ranks' numbers, and so these numbers, in one step.
    auto first = comm_.offsets(begin_[std::size_t(comm_.rank())] + at);
    std::adjacent_difference(first.begin(), first.end(), first.begin());
    write(first.data() + 1, own);
}

void RankFile::write_all(std::span<std::byte const> own) { write(begin_.data(), own); }

void RankFile::write(std::uint64_t const* first, std::span<std::byte const> own) {
    auto const rank = std::size_t(comm_.rank()), ranks = std::size_t(comm_.size());
    auto const out = comm_.agree([&] { return for_lower_ranks(from_, rank, first[rank], own); });
    auto const of_higher = comm_.exchange(out);
    agree_and_name_rank(comm_, [&] {
        io::SizedFile file(path_, begin_.back());
        auto const rest = own.subspan(out.records.size());
        file.write(first[rank] + out.records.size(), rest.data(), rest.size());
        for (std::size_t r = rank + 1; r < ranks; ++r) {
            auto const bytes = of_higher.of(int(r));
            file.write(std::max(first[r], from_[rank]), bytes.data(), bytes.size());
        }
        file.close();
    });
}

}  // namespace zwalk::apps
