#include "zwalk/run/piece_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 {
namespace {

[[noreturn]] void failed(std::filesystem::path const& directory, char const* what, int error) {
    throw Error(detail::text("cannot {} a temporary file in '{}': {}", what, directory.string(),
                             std::strerror(error)));
}

/// A file that no directory names, or names no more.
int open_unnamed(std::filesystem::path const& directory) {
#if defined(O_TMPFILE)
    if (int const file = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); file >= 0)
        return file;
#endif
    std::string name =
        (directory / ".zwalk-XXXXXX").string();  // where the file system has none of these
    int const file = mkstemp(name.data());
    if (file < 0) failed(directory, "create", errno);
    unlink(name.c_str());
    return file;
}

/// Calls some(byte, bytes), which moves some of these and returns how many, until all are moved.
template <class Some>
void move_all(std::filesystem::path const& directory, char const* what, std::size_t bytes,
              Some const& some) {
    for (std::size_t done = 0; done < bytes;) {
        ssize_t const n = some(done, std::min(bytes - done, std::size_t(1) << 30));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) failed(directory, what, n < 0 ? errno : EIO);
        done += std::size_t(n);
    }
}

}  // namespace

PieceFile::PieceFile(std::filesystem::path const& directory, std::size_t pieces,
                     std::size_t record_bytes)
    : directory_(directory),
      record_bytes_(record_bytes),
      block_records_(std::max<std::size_t>(1, block_bytes / std::max<std::size_t>(1, record_bytes))),
      pieces_(pieces) {
    if (record_bytes > 0) file_ = open_unnamed(directory);
}

PieceFile::~PieceFile() {
    if (file_ >= 0) close(file_);
}

void PieceFile::append(std::size_t which, void const* records, std::size_t count) {
    Piece& piece = pieces_[which];
    auto const* from = static_cast<std::byte const*>(records);
    if (record_bytes_ == 0) return;
    piece.size += count;
    while (count > 0) {
        std::size_t const some = std::min(count, block_records_ - piece.kept);
        if (some == block_records_) {
            write_block(piece, from, some);
        } else {
            if (piece.memory.empty()) piece.memory = Buffer<std::byte>(block_records_ * record_bytes_);
            std::memcpy(piece.memory.data() + piece.kept * record_bytes_, from, some * record_bytes_);
            piece.kept += some;
            if (piece.kept == block_records_) {
                write_block(piece, piece.memory.data(), piece.kept);
                piece.kept = 0;
            }
        }
        from += some * record_bytes_;
        count -= some;
    }
}

void PieceFile::end(std::size_t which) {
    Piece& piece = pieces_[which];
    if (piece.kept > 0) write_block(piece, piece.memory.data(), piece.kept);
    piece.kept = 0;
    piece.memory = {};
}

void PieceFile::end_all() {
    for (std::size_t i = 0; i < pieces_.size(); ++i) end(i);
}

void PieceFile::write_block(Piece& piece, void const* records, std::size_t count) {
    auto const* from = static_cast<char const*>(records);
    move_all(directory_, "write to", count * record_bytes_, [&](std::size_t done, std::size_t bytes) {
        return pwrite(file_, from + done, bytes, off_t(end_ + done));
    });
    piece.blocks.push_back(end_);
    end_ += block_space();
}

/// Whole pages of the file system for each block, so that its space can be given back without that of others. What lies between a block's
/// records and its end is never written, and takes no space.
std::uint64_t PieceFile::block_space() const {
    constexpr std::uint64_t page = 4096;
    return (block_records_ * record_bytes_ + page - 1) / page * page;
}

bool PieceFile::gives_back(std::filesystem::path const& directory) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(directory, ignored)) return false;
    // Others share space by larger units than blocks of ours, or say that they have done it.
    PieceFile trial(directory, 2, 1);
    std::vector<std::byte> const block(block_bytes, std::byte(1));
    for (std::size_t const piece : {0, 1, 0, 1}) trial.append(piece, block.data(), block.size());
    auto const space = [&] {
        struct stat of {};
        return fstat(trial.file_, &of) == 0 ? std::int64_t(of.st_blocks) * 512 : 0;
    };
    auto const before = space();
    trial.forget(0);
    return before - space() >= std::int64_t(2 * block_bytes);
}

void PieceFile::forget(std::size_t which) {
    Piece& piece = pieces_[which];
#if defined(FALLOC_FL_PUNCH_HOLE)
    auto const punch = [&](std::uint64_t begin) {
        while (fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t(begin),
                         off_t(block_space())) != 0)
            if (errno != EINTR) return false;
        return true;
    };
    (void)std::all_of(piece.blocks.begin(), piece.blocks.end(), punch);
#endif
    piece = {};
}

void PieceFile::read(std::size_t which, std::uint64_t first, std::size_t count, void* to) const {
    Piece const& piece = pieces_[which];
    auto* at = static_cast<char*>(to);
    while (count > 0) {
        std::uint64_t const block = first / block_records_, skipped = first % block_records_;
        auto const some = std::size_t(std::min<std::uint64_t>(count, block_records_ - skipped));
        std::uint64_t const begin = piece.blocks[block] + skipped * record_bytes_;
        move_all(directory_, "read", some * record_bytes_, [&](std::size_t done, std::size_t bytes) {
            return pread(file_, at + done, bytes, off_t(begin + done));
        });
        at += some * record_bytes_;
        first += some;
        count -= some;
    }
}

}}  // namespace zwalk::v0
