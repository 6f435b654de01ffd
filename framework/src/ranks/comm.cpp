// The one file that calls MPI: no more of it than MPI 3.1 has, no MPI_ANY_SOURCE, no counts beyond an int.
//
// Between pairs of ranks records go by plain messages: of the collective calls that would do it, MPI_Alltoallv counts
// in ints, and those of neighbourhoods hang or are slow in versions that are in use (Open MPI issue 13918).
#include "zwalk/ranks/comm.hpp"
#include "zwalk/core/text.hpp"

#include <algorithm>
#include <cassert>
#include <climits>
#include <cstring>
#include <new>
#include <numeric>

#include "zwalk/core/error.hpp"
#include "zwalk/ranks/mpi.hpp"

#if !defined(__APPLE__)  // whose linker wants all functions, and whose machines have no such GPU
// A function of Open MPI and of MPICH 4. Weak, as other libraries haven't it: there its address is null.
extern "C" int MPIX_Query_cuda_support(void) __attribute__((weak));
#endif

namespace zwalk { inline namespace v0 {

namespace {

constexpr int tag =
    1;  // one will do: messages of a pair of ranks arrive in the order in which they were sent

constexpr std::size_t enough_steps = 32;  // of different names; more of them need memory when they begin

void check_initialised() {
    int initialised = 0, finalized = 0, level = MPI_THREAD_SINGLE;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalized);
    if (!initialised || finalized)
        throw InputError("MPI isn't initialised (MPI_Init_thread), or has been finalized");
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_FUNNELED)
        throw InputError(
            "MPI was initialised for a single thread; zwalk has several, one of which calls MPI: use "
            "MPI_Init_thread with MPI_THREAD_FUNNELED");
}

/// Whether this thread may call MPI.
[[maybe_unused]] bool thread_is_right() {
    int level = 0, is_main = 0;
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&is_main);
    return is_main || level >= MPI_THREAD_SERIALIZED;
}

/// f(first byte, bytes) for messages of at most `limit` bytes that together are [0, size).
template <class F>
void in_messages(std::uint64_t size, std::size_t limit, F const& f) {
    for (std::uint64_t i = 0; i < size; i += limit) f(i, int(std::min<std::uint64_t>(limit, size - i)));
}

/// What a rank that failed sends to the others: of fixed size, so that receiving it takes no memory.
struct Report {
    enum class Kind { input_error, error, no_memory } kind = Kind::error;
    char what[1001] = {};

    void say(Kind k, char const* text) {
        kind = k;
        std::strncpy(what, text, sizeof(what) - 1);
    }
};

Report report_of(std::exception_ptr const& failure) {
    using Kind = Report::Kind;
    Report report;
    try {
        std::rethrow_exception(failure);
    } catch (InputError const& e) {
        report.say(Kind::input_error, e.what());
    } catch (std::bad_alloc const& e) {
        report.say(Kind::no_memory, e.what());
    } catch (std::exception const& e) {
        report.say(Kind::error, e.what());
    } catch (...) {
        report.say(Kind::error, "unknown error");
    }
    return report;
}

/// Offsets as in Parts, of counts by rank.
std::vector<std::uint64_t> offsets_of(Buffer<std::uint64_t> const& counts) noexcept {
    std::vector<std::uint64_t> begin(counts.size() + 1, 0);
    std::partial_sum(counts.begin(), counts.end(), begin.begin() + 1);
    return begin;
}

/// What a rank sends if an attempt of it has failed.
constexpr std::uint64_t instead_of_count = ~std::uint64_t(0);

/// The first rank that has sent it, or the number of ranks.
int first_failed(Buffer<std::uint64_t> const& counts) {
    return int(std::find(counts.begin(), counts.end(), instead_of_count) - counts.begin());
}

/// The bytes of rank r in an array of records.
struct Piece {
    std::uint64_t first, bytes;
};
Piece piece_of(std::vector<std::uint64_t> const& begin, int r, std::size_t record_bytes) {
    auto const i = std::size_t(r);
    return {begin[i] * record_bytes, (begin[i + 1] - begin[i]) * record_bytes};
}

[[noreturn]] void raise(Report const& report) {
    if (report.kind == Report::Kind::no_memory) throw std::bad_alloc();
    if (report.kind == Report::Kind::input_error) throw InputError(report.what);
    throw Error(report.what);
}

}  // namespace

/// Owns the communicator. Errors of MPI end the program: after one, no collective call could be relied on.
struct Comm::State {
    MPI_Comm comm = MPI_COMM_NULL;
    std::vector<MPI_Request> pending;  // has its memory before the first message

    /// Begins to send, or receive, in messages of at most `limit` bytes.
    void send(std::byte const* from, Piece piece, int to, std::size_t limit) {
        in_messages(piece.bytes, limit, [&](std::uint64_t i, int n) {
            MPI_Isend(from + piece.first + i, n, MPI_BYTE, to, tag, comm, &pending.emplace_back());
        });
    }
    void receive(std::byte* to, Piece piece, int from, std::size_t limit) {
        in_messages(piece.bytes, limit, [&](std::uint64_t i, int n) {
            MPI_Irecv(to + piece.first + i, n, MPI_BYTE, from, tag, comm, &pending.emplace_back());
        });
    }
    void wait() {
        MPI_Waitall(int(pending.size()), pending.data(), MPI_STATUSES_IGNORE);
        pending.clear();
    }

    ~State() {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (comm != MPI_COMM_NULL && !finalized) MPI_Comm_free(&comm);
    }
};

Comm::Comm(Mpi const& mpi) : gpu_aware_(mpi.gpu_aware) {
    check_initialised();
    [&]() noexcept {  // as there is nothing yet to agree with
        state_ = std::make_unique<State>();
        stats_.push_back({"other"});
    }();
    MPI_Comm_dup(mpi.comm, &state_->comm);
    MPI_Comm_set_errhandler(state_->comm, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_rank(state_->comm, &rank_);
    MPI_Comm_size(state_->comm, &size_);
    MPI_Comm host;
    MPI_Comm_split_type(state_->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &host_rank_);
    MPI_Comm_size(host, &host_size_);
    MPI_Comm_free(&host);
    attempt([&] {
        if (mpi.message_bytes == 0)
            throw InputError("message_bytes is 0: a message needs at least one byte");
        stats_.reserve(enough_steps);
    });
    struct Value {
        std::uint64_t of_first;
        int other;  ///< the first rank that has another one; 0: none has
    };
    auto const all = reduce_all(Value{mpi.message_bytes, rank_}, [](Value a, Value const& b) {
        if (a.other == 0 && b.of_first != a.of_first) a.other = b.other;
        return a;
    });
    if (all.other != 0)
        throw InputError(
            detail::text("ranks disagree on message_bytes ({} on rank 0, {} on rank {})", all.of_first,
                         broadcast(std::uint64_t(mpi.message_bytes), all.other), all.other));
    message_bytes_ = std::min(mpi.message_bytes, message_bytes_);
}

Comm::~Comm() = default;

void Comm::settle(void (*call)(void const* f), void const* f) {
    std::exception_ptr failure = std::exchange(failed_, nullptr);
    try {
        if (!failure) call(f);
    } catch (...) {
        failure = std::current_exception();
    }
    assert(thread_is_right());
    int const own = failure ? rank_ : size_;
    int first = size_;
    MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, state_->comm);
    count(1, 0, sizeof(int));
    if (first < size_) raise_of(first, failure);
}

void Comm::raise_of(int first, std::exception_ptr const& failure) {
    Report report = first == rank_ ? report_of(failure) : Report();
    broadcast_bytes(&report, sizeof(report), first);
    raise(report);
}

std::vector<std::uint64_t> Comm::offsets(std::uint64_t own) {
    auto const failure = std::exchange(failed_, nullptr);
    if (failure) own = instead_of_count;
    auto counts = by_rank<std::uint64_t>();
    gather_equal(&own, sizeof(own), counts.data());
    if (int const first = first_failed(counts); first < size_) raise_of(first, failure);
    return offsets_of(counts);
}

Routes Comm::routes(std::vector<std::uint64_t> sent) {
    auto const failure = std::exchange(failed_, nullptr);
    auto give = by_rank<std::uint64_t>(), get = by_rank<std::uint64_t>();
    if (failure) std::fill(give.begin(), give.end(), instead_of_count);
    else std::adjacent_difference(sent.begin() + 1, sent.end(), give.begin());
    MPI_Alltoall(give.data(), 1, MPI_UINT64_T, get.data(), 1, MPI_UINT64_T, state_->comm);
    count(1, 0, sizeof(std::uint64_t) * std::uint64_t(size_ - 1));
    if (int const first = first_failed(get); first < size_) raise_of(first, failure);
    return {std::move(sent), offsets_of(get)};
}

Comm::Step Comm::step(char const* name) noexcept {
    auto const same = [&](StepStats const& s) { return std::strcmp(s.name, name) == 0; };
    auto const found = std::find_if(stats_.begin(), stats_.end(), same);
    auto const before = std::exchange(step_, std::size_t(found - stats_.begin()));
    if (step_ == stats_.size()) stats_.push_back({name});
    return Step(*this, before);
}

void Comm::count(std::uint64_t collectives, std::uint64_t messages, std::uint64_t bytes) noexcept {
    StepStats& s = stats_[step_];
    s.collectives += collectives;
    s.messages += messages;
    s.bytes += bytes;
}

void Comm::gather_equal(void const* own, std::size_t bytes, void* all) noexcept {
    MPI_Allgather(own, int(bytes), MPI_BYTE, all, int(bytes), MPI_BYTE, state_->comm);
    count(1, 0, bytes * std::uint64_t(size_ - 1));
}

void Comm::gather_parts(void const* own, std::vector<std::uint64_t> const& begin,
                        std::size_t record_bytes, void* all) noexcept {
    Piece const mine = piece_of(begin, rank_, record_bytes);
    if (begin.back() * record_bytes <= message_bytes_) {  // its ints will do
        std::vector<int> first, bytes;
        for (int r = 0; r < size_; ++r) {
            Piece const piece = piece_of(begin, r, record_bytes);
            first.push_back(int(piece.first));
            bytes.push_back(int(piece.bytes));
        }
        MPI_Allgatherv(own, int(mine.bytes), MPI_BYTE, all, bytes.data(), first.data(), MPI_BYTE,
                       state_->comm);
        count(1, 0, mine.bytes * std::uint64_t(size_ - 1));
        return;
    }
    auto* const to = static_cast<std::byte*>(all);
    for (int d = 1; d < size_; ++d) {
        int const r = (rank_ + size_ - d) % size_;
        state_->receive(to, piece_of(begin, r, record_bytes), r, message_bytes_);
    }
    for (int d = 1; d < size_; ++d)
        state_->send(static_cast<std::byte const*>(own), {0, mine.bytes}, (rank_ + d) % size_,
                     message_bytes_);
    if (mine.bytes) std::memcpy(to + mine.first, own, mine.bytes);
    state_->wait();
    auto const others = std::uint64_t(size_ - 1);
    count(1, others * messages_of(mine.bytes), others * mine.bytes);
}

void Comm::broadcast_bytes(void* value, std::size_t bytes, int root) noexcept {
    in_messages(bytes, message_bytes_, [&](std::uint64_t i, int n) {
        MPI_Bcast(static_cast<std::byte*>(value) + i, n, MPI_BYTE, root, state_->comm);
        count(1, 0, rank_ == root ? std::uint64_t(n) * std::uint64_t(size_ - 1) : 0);
    });
}

void Comm::reserve(Routes const& routes, std::size_t record_bytes) {
    std::uint64_t messages = 0;
    for (int r = 0; r < size_; ++r)
        messages += messages_of(piece_of(routes.sent, r, record_bytes).bytes) +
                    messages_of(piece_of(routes.received, r, record_bytes).bytes);
    reserve_messages(messages);
}

void Comm::reserve_gather(std::vector<std::uint64_t> const& begin, std::size_t record_bytes) {
    std::uint64_t messages =
        messages_of(piece_of(begin, rank_, record_bytes).bytes) * std::uint64_t(size_ - 1);
    for (int r = 0; r < size_; ++r) messages += messages_of(piece_of(begin, r, record_bytes).bytes);
    reserve_messages(messages);
}

void Comm::reserve_messages(std::uint64_t messages) {
    if (messages > INT_MAX)
        throw Error(
            detail::text("{} messages at a time are too many: message_bytes is {}, make it larger",
                         messages, message_bytes_));
    state_->pending.reserve(messages);
}

std::uint64_t Comm::messages_of(std::uint64_t bytes) const {
    return bytes / message_bytes_ + (bytes % message_bytes_ != 0);
}

void Comm::transfer(Routes const& routes, std::size_t record_bytes, void const* from,
                    void* to) noexcept {
    assert(thread_is_right());
    auto const* const out = static_cast<std::byte const*>(from);
    auto* const in = static_cast<std::byte*>(to);
    std::uint64_t messages = 0, bytes = 0;
    // Each rank begins with another partner, and is ready to receive before it sends.
    for (int d = 1; d < size_; ++d) {
        int const r = (rank_ + size_ - d) % size_;
        state_->receive(in, piece_of(routes.received, r, record_bytes), r, message_bytes_);
    }
    for (int d = 1; d < size_; ++d) {
        int const r = (rank_ + d) % size_;
        Piece const piece = piece_of(routes.sent, r, record_bytes);
        state_->send(out, piece, r, message_bytes_);
        messages += messages_of(piece.bytes);
        bytes += piece.bytes;
    }
    Piece const own = piece_of(routes.sent, rank_, record_bytes);
    if (own.bytes)
        std::memcpy(in + piece_of(routes.received, rank_, record_bytes).first, out + own.first,
                    own.bytes);
    state_->wait();
    count(1, messages, bytes);
}

bool detail::mpi_may_read_gpu_memory() {
#if defined(__APPLE__)
    return false;
#else
    return !MPIX_Query_cuda_support || MPIX_Query_cuda_support();
#endif
}

}}  // namespace zwalk::v0
