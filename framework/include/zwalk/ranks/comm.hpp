// Ranks that work together: every MPI call of the library is behind this class (src/ranks/comm.cpp).
//
// Rules for what is written with it:
// - Members are collective unless noted otherwise: all ranks call them, in the same order.
// - A rank that throws alone leaves the others waiting for ever. So what may fail between two collective calls is done
//   in agree(), which fails on all ranks or on none; and memory is agreed on before anything is sent into it. Where counts
//   are exchanged next, attempt() does it without a vote of its own: they carry the failure. Arrays
//   of one number per rank and the words of options are the exception: where there is no memory for these, the program
//   ends (noexcept).
// - Calls are made on the thread that initialised MPI, outside of Cpu::run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/outcome.hpp"

namespace zwalk { inline namespace v0 {

struct Mpi;  // zwalk/ranks/mpi.hpp

/// Records that are for ranks, or come from them: those of rank r are [begin[r], begin[r + 1]).
///
///     0       begin[1]      begin[2]         begin[P] = size
///     |-------|-------------|---- ... -------|
///      rank 0  rank 1                rank P-1
template <class R>
struct Parts {
    Buffer<R> records;
    std::vector<std::uint64_t> begin;  ///< one per rank and the end

    [[nodiscard]] std::span<R const> of(int rank) const {
        auto const r = std::size_t(rank);
        return {records.data() + begin[r], records.data() + begin[r + 1]};
    }
    [[nodiscard]] std::span<R> of(int rank) {
        auto const r = std::size_t(rank);
        return {records.data() + begin[r], records.data() + begin[r + 1]};
    }
};

/// How many records this rank has for each of the others, and they for it; offsets as in Parts. Known once, any
/// number of columns can follow, and go back.
struct Routes {
    std::vector<std::uint64_t> sent, received;

    /// The way of answers.
    [[nodiscard]] Routes back() const noexcept { return {received, sent}; }
};

/// A group of P ranks. Made from a communicator of the user's, of which it has a copy of its own.
class Comm {
  public:
    /// @throws InputError  MPI isn't initialised (this one on the calling rank alone), or not for threads;
    ///                     message_bytes is 0, or not the same on all ranks
    explicit Comm(Mpi const& mpi);
    ~Comm();  ///< collective
    Comm(Comm const&) = delete;
    Comm& operator=(Comm const&) = delete;

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }
    /// This rank among those on the same host, and their number.
    [[nodiscard]] int host_rank() const { return host_rank_; }
    [[nodiscard]] int host_size() const { return host_size_; }
    /// Whether messages may be sent from the memory of this rank's GPU, by the options (Mpi::gpu_aware).
    [[nodiscard]] bool gpu_aware() const { return gpu_aware_; }

    /// Returns f(), if no rank's f() throws; else all ranks throw what the first of these threw: InputError and
    /// std::bad_alloc are kept, all else is an Error with the same words (the first 1000 characters of them). f makes
    /// no collective call. One reduction of a number.
    template <class F>
    auto agree(F const& f) -> std::invoke_result_t<F const&>;
    /// agree() without waiting: returns f(), or a default value if it throws or an attempt before it has failed. The next
    /// offsets(), routes(), reduce_all() or agree() then throws on all ranks, as if f had failed there; agree() without having
    /// called its own function. Until then, and that has to be the next collective call, all ranks must only do what can be done
    /// with the default value, too. Not collective.
    template <class F>
    auto attempt(F const& f) noexcept -> std::invoke_result_t<F const&>;

    /// Where the counts of lower ranks end: offsets as in Parts, for `own` elements of this rank.
    /// @throws what an attempt has failed by
    [[nodiscard]] std::vector<std::uint64_t> offsets(std::uint64_t own);
    /// The routes of records at [sent[r], sent[r + 1]) of this rank that are for rank r.
    /// @throws what an attempt has failed by
    [[nodiscard]] Routes routes(std::vector<std::uint64_t> sent);

    /// Sends records over routes; a record is `width` consecutive values V. What arrives lies rank by rank, in the order
    /// in which it was sent.
    /// @throws std::bad_alloc  on all ranks, before anything is sent: some rank has no memory for what is for it
    template <class V>
    [[nodiscard]] Buffer<V> exchange(Routes const& routes, std::span<V const> values,
                                     std::size_t width = 1);
    /// Sends records to the ranks that they are for.
    template <class R>
    [[nodiscard]] Parts<R> exchange(Parts<R> const& out);
    /// Sends records to the ranks that they are for; check(number of records for this rank) may throw, on all ranks, before
    /// anything is sent.
    template <class R, class Check>
    [[nodiscard]] Parts<R> exchange(Parts<R> const& out, Check const& check);

    /// The records of all ranks, on each of them.
    template <class R>
    [[nodiscard]] Parts<R> gather_all(std::span<R const> own);
    /// The records of all ranks, where their numbers are known to all; a record is `width` consecutive values.
    template <class V>
    [[nodiscard]] Buffer<V> gather_all(std::span<V const> own, std::vector<std::uint64_t> const& begin,
                                       std::size_t width = 1);
    /// op(...op(op(v_0, v_1), v_2)..., v_P-1) of the ranks' values: any function that doesn't throw, with the same
    /// bits on all ranks. For small V: O(P) of them travel.
    /// @throws what an attempt has failed by
    template <class V, class Op>
    [[nodiscard]] V reduce_all(V const& own, Op const& op);
    /// The value of rank `root`, on all ranks.
    template <class V>
    [[nodiscard]] V broadcast(V value, int root = 0);
    /// Overwrites an array, of the same size on all ranks, with that of rank `root`.
    template <class V>
    void broadcast(std::span<V> values, int root = 0);

    /// What follows is counted under this name (a string literal) until the result is gone. Not collective.
    class Step {
      public:
        ~Step() { comm_.step_ = before_; }
        Step(Step const&) = delete;
        Step& operator=(Step const&) = delete;

      private:
        friend Comm;
        Step(Comm& comm, std::size_t before) : comm_(comm), before_(before) {}
        Comm& comm_;
        std::size_t before_;
    };
    [[nodiscard]] Step step(char const* name) noexcept;
    /// The steps of this rank, in the order of first use.
    [[nodiscard]] std::vector<StepStats> const& stats() const { return stats_; }

    // For callers that keep memory of their own; bytes per record are the same on all ranks.
    /// Bytes per message, at most.
    [[nodiscard]] std::size_t message_bytes() const { return message_bytes_; }
    /// Makes room for what transfer() notes of messages over these routes or shorter ones. Not collective.
    /// @throws std::bad_alloc
    void reserve(Routes const& routes, std::size_t record_bytes);
    template <class V, class Check>
    Buffer<V> exchange(Routes const& routes, std::span<V const> values, std::size_t width,
                       Check const& check);
    /// exchange() into memory that is there; reserve() has been called. Between pairs of ranks only: ranks that have
    /// nothing for each other needn't both call it. `from` may be memory of a GPU, where gpu_aware() has been tried and this rank
    /// has nothing for itself.
    void transfer(Routes const& routes, std::size_t record_bytes, void const* from, void* to) noexcept;

  private:
    struct State;

    /// agree() of call(f): handlers of exceptions once, not with each function.
    void settle(void (*call)(void const* f), void const* f);
    /// Throws what rank `first` failed by.
    [[noreturn]] void raise_of(int first, std::exception_ptr const& failure);
    void gather_equal(void const* own, std::size_t bytes, void* all) noexcept;
    void gather_parts(void const* own, std::vector<std::uint64_t> const& begin, std::size_t record_bytes,
                      void* all) noexcept;
    void broadcast_bytes(void* value, std::size_t bytes, int root) noexcept;
    void reserve_gather(std::vector<std::uint64_t> const& begin, std::size_t record_bytes);
    void reserve_messages(std::uint64_t messages);
    [[nodiscard]] std::uint64_t messages_of(std::uint64_t bytes) const;
    void count(std::uint64_t collectives, std::uint64_t messages, std::uint64_t bytes) noexcept;
    /// An element for each rank, to be filled by a collective call.
    template <class V>
    [[nodiscard]] Buffer<V> by_rank() const noexcept {
        return Buffer<V>(std::size_t(size_));
    }

    std::unique_ptr<State> state_;
    int rank_ = 0, size_ = 1, host_rank_ = 0, host_size_ = 1;
    bool gpu_aware_ = false;
    std::size_t message_bytes_ = 0x7fffffff;  // what an int counts
    std::vector<StepStats> stats_;            // with memory for all steps that there are
    std::size_t step_ = 0;                    // of stats_
    std::exception_ptr failed_;               // attempt
};

template <class F>
auto Comm::agree(F const& f) -> std::invoke_result_t<F const&> {
    using Result = std::invoke_result_t<F const&>;
    if constexpr (std::is_void_v<Result>) {
        settle([](void const* call) { (*static_cast<F const*>(call))(); }, &f);
    } else {
        std::optional<Result> result;
        auto const keep = [&] { result.emplace(f()); };
        settle([](void const* call) { (*static_cast<decltype(keep)*>(call))(); }, &keep);
        return std::move(*result);
    }
}

template <class F>
auto Comm::attempt(F const& f) noexcept -> std::invoke_result_t<F const&> {
    if (!failed_) try {
            return f();
        } catch (...) {
            failed_ = std::current_exception();
        }
    return std::invoke_result_t<F const&>();
}

template <class V, class Check>
Buffer<V> Comm::exchange(Routes const& routes, std::span<V const> values, std::size_t width,
                         Check const& check) {
    auto in = agree([&] {
        check(routes.received.back());
        Buffer<V> memory(routes.received.back() * width);
        reserve(routes, width * sizeof(V));
        return memory;
    });
    transfer(routes, width * sizeof(V), values.data(), in.data());
    return in;
}
template <class V>
Buffer<V> Comm::exchange(Routes const& routes, std::span<V const> values, std::size_t width) {
    return exchange(routes, values, width, [](std::uint64_t) {});
}

template <class R, class Check>
Parts<R> Comm::exchange(Parts<R> const& out, Check const& check) {
    auto ways = routes([&]() noexcept { return out.begin; }());
    auto records = exchange(ways, std::span<R const>(out.records), 1, check);
    return {std::move(records), std::move(ways.received)};
}
template <class R>
Parts<R> Comm::exchange(Parts<R> const& out) {
    return exchange(out, [](std::uint64_t) {});
}

template <class V>
Buffer<V> Comm::gather_all(std::span<V const> own, std::vector<std::uint64_t> const& begin,
                           std::size_t width) {
    auto all = agree([&] {
        Buffer<V> memory(begin.back() * width);
        reserve_gather(begin, width * sizeof(V));
        return memory;
    });
    gather_parts(own.data(), begin, width * sizeof(V), all.data());
    return all;
}

template <class R>
Parts<R> Comm::gather_all(std::span<R const> own) {
    auto begin = offsets(own.size());
    auto records = gather_all(own, begin);
    return {std::move(records), std::move(begin)};
}

template <class V, class Op>
V Comm::reduce_all(V const& own, Op const& op) {
    static_assert(std::is_trivially_copyable_v<V>);
    struct Told {
        V value;
        bool failed;
    };
    auto const failure = std::exchange(failed_, nullptr);
    Told const mine{own, bool(failure)};
    auto all = by_rank<Told>();
    gather_equal(&mine, sizeof(Told), all.data());
    for (std::size_t r = 0; r < all.size(); ++r)
        if (all[r].failed) raise_of(int(r), failure);
    V folded = all[0].value;
    for (std::size_t r = 1; r < all.size(); ++r) folded = op(folded, all[r].value);
    return folded;
}

template <class V>
V Comm::broadcast(V value, int root) {
    broadcast(std::span<V>(&value, 1), root);
    return value;
}

template <class V>
void Comm::broadcast(std::span<V> values, int root) {
    static_assert(std::is_trivially_copyable_v<V>);
    broadcast_bytes(values.data(), values.size_bytes(), root);
}

namespace detail {
/// False if the MPI library reports that it can't be handed memory of a GPU; it may report nothing. Not collective.
bool mpi_may_read_gpu_memory();
}  // namespace detail

}}  // namespace zwalk::v0
