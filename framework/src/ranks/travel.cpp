#include "zwalk/ranks/travel.hpp"

#include <algorithm>
#include <cstring>

#include "zwalk/ranks/detail/ranks.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

constexpr std::size_t staging_bytes = std::size_t(64) << 20;  // for what is sent, and for what arrives

/// At most `most` of the records over routes for each pair of ranks, from number `first` on.
class Round {
  public:
    Round(Routes const& routes, int rank, std::uint64_t first, std::uint64_t most)
        : all_(routes), first_(first), piece_{routes.sent, routes.received} {
        pick(routes.sent, rank, most, piece_.sent);
        pick(routes.received, rank, most, piece_.received);
    }
    [[nodiscard]] Routes const& routes() const { return piece_; }
    /// For each rank, the number among all records of the first one of this round that is for it.
    [[nodiscard]] std::vector<std::uint64_t> first_sent() const {
        std::vector<std::uint64_t> first(all_.sent);
        for (auto& record : first) record += first_;
        return first;
    }
    /// The number among all records of the i-th one of this round, which is from rank r.
    [[nodiscard]] std::uint64_t received(std::size_t r, std::uint64_t i) const {
        return all_.received[r] + first_ + (i - piece_.received[r]);
    }
    [[nodiscard]] bool empty() const { return piece_.sent.back() == 0 && piece_.received.back() == 0; }

  private:
    void pick(std::vector<std::uint64_t> const& begin, int rank, std::uint64_t most,
              std::vector<std::uint64_t>& piece) const {
        for (std::size_t r = 0; r + 1 < begin.size(); ++r) {
            std::uint64_t const n = r == std::size_t(rank) ? 0 : begin[r + 1] - begin[r];
            piece[r + 1] = piece[r] + std::min(n - std::min(n, first_), most);
        }
    }

    Routes const& all_;
    std::uint64_t first_;
    Routes piece_;
};

/// Rows in this rank's memory, in any order.
class HostRows final : public OutgoingRows {
  public:
    HostRows(Cpu const& cpu, RowsOf<std::byte const> rows, std::size_t row_bytes)
        : cpu_(cpu), rows_(rows), bytes_(row_bytes) {}

    void reserve(std::size_t rows) override { packed_ = Buffer<std::byte>(rows * bytes_); }
    void const* pack(std::span<std::uint64_t const> begin,
                     std::span<std::uint64_t const> first) override {
        for_each_of_ranks(cpu_, begin, [&](std::size_t r, std::size_t i) {
            std::memcpy(packed_.data() + i * bytes_, rows_.row(first[r] + (i - begin[r]), bytes_),
                        bytes_);
        });
        return packed_.data();
    }
    void keep(std::uint64_t first, std::uint64_t n, RowsOf<std::byte> to,
              std::uint64_t to_first) override {
        cpu_.for_each(n, [&](std::size_t i) {
            std::memcpy(to.row(to_first + i, bytes_), rows_.row(first + i, bytes_), bytes_);
        });
    }

  private:
    Cpu const& cpu_;
    RowsOf<std::byte const> rows_;
    std::size_t bytes_;
    Buffer<std::byte> packed_;
};

}  // namespace

void carry(Comm& comm, Cpu const& cpu, Routes const& routes, std::size_t row_bytes,
           RowsOf<std::byte const> from, RowsOf<std::byte> to) {
    HostRows rows(cpu, from, row_bytes);
    carry(comm, cpu, routes, row_bytes, rows, to);
}

void carry(Comm& comm, Cpu const& cpu, Routes const& routes, std::size_t row_bytes, OutgoingRows& from,
           RowsOf<std::byte> to) {
    auto const me = std::size_t(comm.rank());
    std::uint64_t const most = std::max<std::uint64_t>(
        1, std::min(comm.message_bytes(), staging_bytes / std::size_t(comm.size())) / row_bytes);
    Buffer<std::byte> in;
    comm.agree([&] {
        Round const largest(routes, comm.rank(), 0, most);
        from.reserve(largest.routes().sent.back());
        in = Buffer<std::byte>(largest.routes().received.back() * row_bytes);
        comm.reserve(largest.routes(), row_bytes);
    });
    // No rank waits for this one in vain: what fails from here on ends the program. Ranks may have different numbers of
    // rounds; two of them have the same messages for each other in every round.
    [&]() noexcept {
        from.keep(routes.sent[me], routes.sent[me + 1] - routes.sent[me], to, routes.received[me]);
        for (std::uint64_t first = 0;; first += most) {
            Round const round(routes, comm.rank(), first, most);
            if (round.empty()) break;
            comm.transfer(round.routes(), row_bytes, from.pack(round.routes().sent, round.first_sent()),
                          in.data());
            for_each_of_ranks(cpu, round.routes().received, [&](std::size_t r, std::size_t i) {
                std::memcpy(to.row(round.received(r, i), row_bytes), in.data() + i * row_bytes,
                            row_bytes);
            });
        }
    }();
}

}}}  // namespace zwalk::v0::detail
