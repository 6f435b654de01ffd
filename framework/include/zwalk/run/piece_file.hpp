// Records that are on disk instead of in memory, in pieces that grow in any order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "zwalk/core/buffer.hpp"

namespace zwalk { inline namespace v0 {

/// A temporary file without a name: its space is free again as soon as this object is gone, or the process, however that ends.
class PieceFile {
  public:
    /// What is written at a time: every piece that grows has as much in memory.
    static constexpr std::size_t block_bytes = std::size_t(1) << 16;

    /// @param directory     where there is space
    /// @param record_bytes  of a record; 0: nothing is kept of any
    /// @throws Error  it can't be created
    PieceFile(std::filesystem::path const& directory, std::size_t pieces, std::size_t record_bytes);
    PieceFile(PieceFile const&) = delete;
    PieceFile& operator=(PieceFile const&) = delete;
    ~PieceFile();

    /// Appends records to a piece.
    /// @throws Error  e.g. no space left on device
    void append(std::size_t piece, void const* records, std::size_t count);
    /// Ends a piece, which grows no more: only then it can be read.
    void end(std::size_t piece);
    void end_all();
    [[nodiscard]] std::uint64_t size(std::size_t piece) const { return pieces_[piece].size; }
    /// Reads records [first, first + count) of a piece.
    /// @throws Error  the disk fails
    void read(std::size_t piece, std::uint64_t first, std::size_t count, void* to) const;
    /// Gives back the space of a piece that has ended, which has no records from now on. Where the file system can't do that, its
    /// space is free with the rest.
    void forget(std::size_t piece);
    /// Whether it can, by trying it there; false if there is no such directory.
    [[nodiscard]] static bool gives_back(std::filesystem::path const& directory);

  private:
    struct Piece {
        std::vector<std::uint64_t> blocks;  // where they are in the file; all but the last are full
        std::uint64_t size = 0;
        std::size_t kept = 0;  // records that aren't in the file yet
        Buffer<std::byte> memory;
    };
    void write_block(Piece& piece, void const* records, std::size_t count);
    [[nodiscard]] std::uint64_t block_space() const;

    int file_ = -1;
    std::filesystem::path directory_;
    std::size_t record_bytes_, block_records_;
    std::uint64_t end_ = 0;
    std::vector<Piece> pieces_;
};

/// A whole piece whose records are `width` numbers each.
template <class V>
Buffer<V> read_piece(PieceFile const& file, std::size_t piece, std::size_t width = 1) {
    auto const records = std::size_t(file.size(piece));
    Buffer<V> numbers(records * width);
    file.read(piece, 0, records, numbers.data());
    return numbers;
}

}}  // namespace zwalk::v0
