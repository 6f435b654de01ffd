#include "warp/machine.hpp"

#include <boost/context/fixedsize_stack.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <sstream>
#include <utility>

namespace warp {
namespace {

constexpr std::size_t stack_bytes = 256 << 10;

std::vector<std::span<unsigned char>>& shared_arrays() {
    static std::vector<std::span<unsigned char>> all;
    return all;
}

void fill(std::span<unsigned char> bytes, std::mt19937_64& random) {
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
        std::uint64_t const word = random();
        std::memcpy(&bytes[i], &word, std::min<std::size_t>(8, bytes.size() - i));
    }
}

/// Makes a machine the current one while it runs.
struct Current {
    Machine*& place;
    Machine* before;
    ~Current() { place = before; }
};

}  // namespace

Machine* Machine::current_ = nullptr;

void Machine::add_shared(unsigned char* bytes, std::size_t size) {
    shared_arrays().push_back({bytes, size});
    if (current_) fill(shared_arrays().back(), current_->random_);
}

void Machine::fail(std::string const& what) const {
    std::ostringstream s;
    s << what << " (block " << block_ << " of " << blocks_ << ", launch " << launches_ << ", seed "
      << seed_ << ")";
    for (Thread const& t : threads_) s << "\n  thread " << t.number << place(t);
    throw Misuse(s.str());
}

std::string Machine::place(Thread const& t) const {
    std::ostringstream s;
    if (t.state == State::ended) s << " has left the kernel";
    else if (t.state == State::waiting) s << " waits";
    else s << (&t == running_ ? " runs" : " can go on");
    if (t.operation.name.empty()) return s.str();
    s << (t.state == State::waiting ? " at " : ", last at ") << t.operation.name;
    if (t.operation.mask) s << " of lanes " << std::hex << t.operation.mask << std::dec;
    if (t.operation.bytes) s << ", " << t.operation.bytes << " bytes, width " << t.operation.width;
    return s.str();
}

void Machine::launch(unsigned blocks, unsigned threads, std::function<void()> const& kernel) {
    Current const restore{current_, current_};
    current_ = this;
    ++launches_;
    blocks_ = blocks;
    kernel_ = &kernel;
    if (pool_.size() < threads) make_threads(threads);
    threads_ = std::span(pool_).first(threads);
    bool const backwards = launches_ % 2 == 0;
    try {
        for (unsigned b = 0; b < blocks; ++b) {
            block_ = backwards ? blocks - 1 - b : b;
            run_block();
        }
    } catch (...) {
        threads_ = {};
        pool_.clear();  // unwinds the stacks of those that are inside the kernel
        throw;
    }
}

void Machine::make_threads(unsigned threads) {
    using boost::context::fiber;
    pool_.clear();
    pool_.resize(threads);
    for (unsigned i = 0; i < threads; ++i) {
        pool_[i].number = i;
        pool_[i].fiber = fiber(std::allocator_arg, boost::context::fixedsize_stack(stack_bytes),
                               [this](fiber&& scheduler) { return live(std::move(scheduler)); });
    }
}

/// The life of a fiber: a thread of one block after the other, until the machine ends it.
boost::context::fiber Machine::live(boost::context::fiber&& scheduler) {
    scheduler_ = std::move(scheduler);
    for (;;) {
        try {
            (*kernel_)();
            running_->state = State::ended;
        } catch (boost::context::detail::forced_unwind const&) {
            throw;
        } catch (...) {
            failure_ = std::current_exception();
        }
        scheduler_ = std::move(scheduler_).resume();
    }
}

void Machine::run_block() {
    for (auto const& array : shared_arrays()) fill(array, random_);
    for (Thread& t : threads_) {
        t.state = State::ready;
        t.operation = {};
    }
    auto const is = [](State state) { return [state](Thread const& t) { return t.state == state; }; };
    while (!std::all_of(threads_.begin(), threads_.end(), is(State::ended))) {
        if (std::none_of(threads_.begin(), threads_.end(), is(State::ready))) explain_standstill();
        take_turn();
    }
}

void Machine::take_turn() {
    std::vector<unsigned> order(threads_.size());
    std::iota(order.begin(), order.end(), 0U);
    unsigned long const kind = turn_++ % 4;
    if (kind == 1) std::reverse(order.begin(), order.end());
    if (kind == 2) {
        std::shuffle(order.begin(), order.end(), random_);
        order.resize((order.size() + 1) / 2);
    }
    if (kind == 3) {
        unsigned const width = 8U << random_() % 3;
        std::erase_if(order, [width, one = random_() % order.size() / width](unsigned number) {
            return number / width != one;
        });
    }
    bool went_on = true;
    while (went_on) {
        went_on = false;
        for (unsigned number : order) {
            if (threads_[number].state != State::ready) continue;
            resume(threads_[number]);
            went_on = kind == 3;
        }
    }
}

void Machine::resume(Thread& t) {
    running_ = &t;
    t.fiber = std::move(t.fiber).resume();
    running_ = nullptr;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

Machine::Values const& Machine::meet_warp(Operation const& operation, std::uint64_t value) {
    if ((operation.mask >> lane() & 1U) == 0)
        fail("the caller of " + std::string(operation.name) + " is not one of the lanes that it names");
    wait_at(operation, value);
    return running_->seen;
}

unsigned Machine::meet_block(std::string_view operation, bool value) {
    wait_at({0, 0, 32, operation}, value);
    return running_->count;
}

void Machine::wait_at(Operation const& operation, std::uint64_t value) {
    running_->operation = operation;
    running_->value = value;
    running_->state = State::waiting;
    release_if_met();
    scheduler_ = std::move(scheduler_).resume();
}

/// The threads that t's operation may be about: those of its warp or block.
std::span<Machine::Thread> Machine::near(Thread const& t) {
    if (t.operation.mask == 0) return threads_;
    std::size_t const first = t.number / 32 * 32;
    return threads_.subspan(first, std::min<std::size_t>(32, threads_.size() - first));
}

/// Whether an operation needs a thread that is near to it.
bool Machine::needs(Operation const& operation, Thread const& t) {
    return operation.mask == 0 || (operation.mask >> t.number % 32 & 1U) != 0;
}

/// The running thread has come: all go on if it was the last one.
void Machine::release_if_met() {
    Operation const operation = running_->operation;
    std::span<Thread> const all = near(*running_);
    for (Thread const& t : all)
        if (needs(operation, t) && (t.state != State::waiting || t.operation != operation)) return;
    Values values{};
    unsigned count = 0;
    for (Thread const& t : all) {
        if (!needs(operation, t)) continue;
        values[t.number % 32] = t.value;
        count += t.value != 0;
    }
    for (Thread& t : all) {
        if (!needs(operation, t)) continue;
        t.seen = values;
        t.count = count;
        t.state = State::ready;
    }
}

/// All threads that are left wait for others. Those that wait in vain do so until now, so this is early enough.
void Machine::explain_standstill() {
    for (Thread const& t : threads_) {
        if (t.state != State::waiting) continue;
        std::string const name(t.operation.name);
        for (Thread const& other : near(t)) {
            if (!needs(t.operation, other)) continue;
            if (other.state == State::ended) fail(name + " waits for a thread that has left the kernel");
            bool const mutual = other.operation.mask == 0 ||
                                (other.number / 32 == t.number / 32 && needs(other.operation, t));
            if (mutual && other.operation != t.operation)
                fail(name + " waits for a thread that waits for it at another operation");
        }
    }
    fail("threads wait for each other in a circle");
}

}  // namespace warp
