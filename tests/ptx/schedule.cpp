// How the lanes of a warp run: each has a program counter of its own, and those that are at the same instruction do it together.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "ptx/block.hpp"

namespace ptx {
namespace {

/// After so many instructions lanes let others go first, which they may be waiting for in a loop.
constexpr u64 fair_turn = 1 << 14;

class Runner {
  public:
    explicit Runner(Warp& warp)
        : warp_(warp), launch_(*warp.block->launch), code_(launch_.program.code) {}

    /// One turn of some lanes; returns how many instructions it took.
    u64 turn(u64 budget) {
        if ((ready(warp_) & ~warp_.turn_over) == 0) warp_.turn_over = 0;
        u32 const candidates = ready(warp_) & ~warp_.turn_over;
        if (launch_.options.seed != 0)
            return run_together(random_group(candidates), ~0U,
                                std::min<u64>(budget, 1 + launch_.one_of(48)));
        u32 first = ~0U, second = ~0U, lanes = 0;
        for_each(candidates, [&](int l) { first = std::min(first, at(l)); });
        for_each(candidates, [&](int l) {
            if (at(l) == first) lanes |= 1U << l;
            else second = std::min(second, at(l));
        });
        return run_together(lanes, second, std::min(budget, fair_turn));
    }

  private:
    [[nodiscard]] u32& at(int lane) { return warp_.at[std::size_t(lane)]; }
    void put(u32 lanes, u32 place) {
        for_each(lanes, [&](int l) { at(l) = place; });
    }

    /// Lanes at the same instruction, now and then not all of them.
    u32 random_group(u32 candidates) {
        for (u32 skip = launch_.one_of(u64(std::popcount(candidates))); skip > 0; --skip)
            candidates &= candidates - 1;
        int const one = std::countr_zero(candidates);
        u32 lanes = those(ready(warp_), [&](int l) { return at(l) == at(one); }) & ready(warp_);
        if (launch_.one_of(8) == 0) lanes &= u32(launch_.random()) | 1U << one;
        return lanes;
    }

    /// Runs lanes that are at the same instruction until they part, wait, or come to `until`, where others are.
    u64 run_together(u32 lanes, u32 until, u64 budget) {
        u32 place = at(std::countr_zero(lanes));
        for (u64 done = 1;; ++done) {
            Instruction const& i = code_[place];
            u32 const active = lanes & warp_.get(i.guard);
            ++launch_.report.executed[place];
            if (i.control == Control::compute) {
                if (active != 0) i.operation(warp_, i, active);
                ++place;
            } else if (active == 0) {
                ++place;
            } else if (i.control == Control::branch && active == lanes) {
                place = i.target;
            } else if (i.control == Control::meet_warp && complete(i, active)) {
                meet(i, active);
                ++place;
            } else {
                put(lanes & ~active, place + 1);
                put(active, place);
                part(i, place, active);
                return done;
            }
            if (place >= until || done >= budget) {
                put(lanes, place);
                if (place < until) warp_.turn_over |= lanes;
                return done;
            }
        }
    }

    // What isn't done on all lanes together.

    /// Active lanes, all of them at `place`, go their own way.
    void part(Instruction const& i, u32 place, u32 active) {
        switch (i.control) {
            case Control::branch:
                return put(active, i.target);
            case Control::branch_indexed:
                return for_each(active, [&](int l) { branch(i, l); });
            case Control::call:
                return for_each(active, [&](int l) { call(i, place, l); });
            case Control::leave:
            case Control::exit:
                return leave(i, active);
            case Control::meet_warp:
                return wait(i, active);
            case Control::meet_block:
                warp_.at_block |= active;
                return;
            case Control::trap:
            case Control::compute:
                fail(warp_, i, std::countr_zero(active), "trap");
        }
    }
    void branch(Instruction const& i, int lane) {
        std::vector<u32> const& targets = launch_.program.targets[i.target];
        u32 const index = u32(warp_.slot(i.source[0])[lane]);
        if (index >= targets.size())
            fail(warp_, i, lane, fmt::format("branch to target {} of {}", index, targets.size()));
        at(lane) = targets[index];
    }
    void copy(std::vector<Copy> const& copies, int lane) {
        Own& local = warp_.block->local;
        std::size_t const begin =
            std::size_t(32 * warp_.index + u32(lane)) * launch_.program.local_bytes;
        for (Copy const& one : copies) {
            std::memcpy(local.begin() + begin + one.to, local.begin() + begin + one.from, one.bytes);
            std::copy_n(local.written.begin() + long(begin + one.from), one.bytes,
                        local.written.begin() + long(begin + one.to));
        }
    }
    /// The variables of a function are there once, so it can't call itself.
    void call(Instruction const& i, u32 place, int lane) {
        Call const& call = launch_.program.calls[i.target];
        std::vector<u32>& callers = warp_.callers[std::size_t(lane)];
        if (callers.size() > launch_.program.calls.size()) fail(warp_, i, lane, "unknown: recursion");
        copy(call.before, lane);
        callers.push_back(place);
        at(lane) = call.target;
    }
    void leave(Instruction const& i, u32 active) {
        for_each(active, [&](int l) {
            std::vector<u32>& callers = warp_.callers[std::size_t(l)];
            if (i.control == Control::exit || callers.empty()) {
                warp_.alive &= ~(1U << l);
                return;
            }
            copy(launch_.program.calls[code_[callers.back()].target].after, l);
            at(l) = callers.back() + 1;
            callers.pop_back();
        });
        release();
    }

    // Lanes that wait for each other.

    /// Whether these lanes, all of them at one instruction, are all that they wait for.
    bool complete(Instruction const& i, u32 active) {
        u64 const* const members = warp_.slot(i.source.back());
        u32 const first = u32(members[std::countr_zero(active)]);
        return (first & warp_.alive) == active &&
               (those(active, [&](int l) { return u32(members[l]) != first; }) & active) == 0;
    }
    void meet(Instruction const& i, u32 lanes) {
        if (i.any_place && launch_.races) {
            std::vector<u32> all(warp_.block->warps.size(), 0);
            all[warp_.index] = lanes;
            warp_.block->clocks.join(all);
        }
        i.operation(warp_, i, lanes);
    }
    void wait(Instruction const& i, u32 active) {
        for_each(active, [&](int l) {
            u32 const members = u32(warp_.slot(i.source.back())[l]);
            if ((members >> l & 1) == 0)
                fail(warp_, i, l, fmt::format("mask {:08x} lacks the lane itself", members));
            warp_.members[std::size_t(l)] = members;
        });
        warp_.at_warp |= active;
        release();
    }
    /// Lets all go on that wait for nobody any more. Lanes that have left the kernel aren't waited for.
    void release() {
        for_each(warp_.at_warp, [&](int l) {
            if ((warp_.at_warp >> l & 1) == 0) return;  // has just gone on with others
            Instruction const& i = code_[at(l)];
            u32 const members = warp_.members[std::size_t(l)];
            u32 together = 0;
            for_each(warp_.at_warp, [&](int other) {
                bool const here = at(other) == at(l) || (i.any_place && code_[at(other)].any_place);
                together |= u32(here && warp_.members[std::size_t(other)] == members) << other;
            });
            if ((members & warp_.alive) != together) return;
            meet(i, together);
            for_each(together, [&](int other) { ++at(other); });
            warp_.at_warp &= ~together;
        });
    }

    Warp& warp_;
    Launch& launch_;
    std::vector<Instruction> const& code_;
};

}  // namespace

void run(Warp& warp, u64 budget) {
    Launch& launch = *warp.block->launch;
    Runner runner(warp);
    while (budget > 0 && ready(warp) != 0) {
        u64 const done = runner.turn(budget);
        budget -= done;
        launch.report.instructions += done;
    }
}

}  // namespace ptx
