// Where lanes wait for each other: shuffles, votes, matches, reductions and barriers. Each operation is called for all that take part.
#include <array>
#include <bit>

#include "ptx/block.hpp"
#include "ptx/table.hpp"

namespace ptx {
namespace {

enum class Shuffle : u8 { up, down, butterfly, index };

/// The clamp has the last lane of a segment in its low bits, and which bits of a lane's number tell its segment from bit 8 on.
template <Shuffle mode>
void shuffle(Warp& warp, Instruction const& i, u32 lanes) {
    u64 *const result = warp.slot(i.result), *const value = warp.slot(i.source[0]);
    std::array<u64, 32> found{};
    u32 inside = 0;
    for_each(lanes, [&](int l) {
        int const by = int(warp.slot(i.source[1])[l] & 31);
        u32 const clamp = u32(warp.slot(i.source[2])[l]);
        int const segment = int(clamp >> 8 & 31), first = l & segment,
                  last = first | (int(clamp & 31) & ~segment);
        int from = mode == Shuffle::up          ? l - by
                   : mode == Shuffle::down      ? l + by
                   : mode == Shuffle::butterfly ? l ^ by
                                                : first | (by & ~segment);
        bool const in = mode == Shuffle::up ? from >= last : from <= last;
        if (!in) from = l;
        if ((lanes >> from & 1) == 0)
            fail(
                warp, i, l,
                fmt::format("shuffle from lane {}, which doesn't take part (mask {:08x})", from, lanes));
        found[std::size_t(l)] = value[from];
        inside |= u32(in) << l;
    });
    for_each(lanes, [&](int l) { result[l] = found[std::size_t(l)]; });
    warp.put(i.predicate_result[0], lanes, inside);
}

enum class Vote : u8 { all, any, uniform, ballot };
template <Vote kind>
void vote(Warp& warp, Instruction const& i, u32 lanes) {
    u32 const yes = warp.get(i.predicate[0]) & lanes;
    if (kind == Vote::ballot) {
        for_each(lanes, [&](int l) { warp.slot(i.result)[l] = yes; });
        return;
    }
    bool const result = (kind != Vote::any && yes == lanes) || (kind == Vote::any && yes != 0) ||
                        (kind == Vote::uniform && yes == 0);
    warp.put(i.predicate_result[0], lanes, result ? ~0U : 0U);
}

template <class T, bool all>
void match(Warp& warp, Instruction const& i, u32 lanes) {
    u64 const* const value = warp.slot(i.source[0]);
    std::array<u32, 32> found{};
    bool one = true;
    for_each(lanes, [&](int l) {
        u32 const like = those(lanes, [&](int other) { return T(value[other]) == T(value[l]); }) & lanes;
        found[std::size_t(l)] = like;
        one = one && like == lanes;
    });
    for_each(lanes, [&](int l) {
        warp.slot(i.result)[l] = !all ? found[std::size_t(l)] : one ? lanes : 0U;
    });
    if (all) warp.put(i.predicate_result[0], lanes, one ? ~0U : 0U);
}

struct Sum {
    u32 operator()(u32 a, u32 b) const { return a + b; }
};
template <class T>
struct Least {
    u32 operator()(u32 a, u32 b) const { return T(b) < T(a) ? b : a; }
};
template <class T>
struct Greatest {
    u32 operator()(u32 a, u32 b) const { return T(b) > T(a) ? b : a; }
};
struct All {
    u32 operator()(u32 a, u32 b) const { return a & b; }
};
struct Any {
    u32 operator()(u32 a, u32 b) const { return a | b; }
};
struct Odd {
    u32 operator()(u32 a, u32 b) const { return a ^ b; }
};
template <class F>
void reduce(Warp& warp, Instruction const& i, u32 lanes) {
    u64 const* const value = warp.slot(i.source[0]);
    u32 result = u32(value[std::countr_zero(lanes)]);
    for_each(lanes & (lanes - 1), [&](int l) { result = F{}(result, u32(value[l])); });
    for_each(lanes, [&](int l) { warp.slot(i.result)[l] = result; });
}

void elect(Warp& warp, Instruction const& i, u32 lanes) {
    u32 const first = u32(std::countr_zero(lanes));
    for_each(lanes, [&](int l) { warp.slot(i.result)[l] = first; });
    warp.put(i.predicate_result[0], lanes, 1U << first);
}

void active(Warp& warp, Instruction const& i, u32 lanes) {
    for_each(lanes, [&](int l) { warp.slot(i.result)[l] = lanes; });
}
void nothing(Warp&, Instruction const&, u32) {}
void fence(Warp& warp, Instruction const&, u32 lanes) {
    Block& block = *warp.block;
    if (!block.launch->races) return;
    for_each(lanes, [&](int l) { block.clocks.fence(32 * warp.index + u32(l)); });
}

void add_meeting(Table& table, std::string const& name, Operation operation, Parts const& parts,
                 bool any_place = false) {
    Form known = form(operation, parts);
    known.model.control = Control::meet_warp;
    known.model.any_place = any_place;
    table.emplace(name, known);
}
void add_barrier(Table& table, std::string const& name, Agreement agreement, Parts const& parts) {
    Form known = form(&nothing, parts);
    known.model.control = Control::meet_block;
    known.model.agreement = agreement;
    table.emplace(name, known);
}

constexpr Part members{Role::members, 32}, word{Role::source, 32}, result{Role::result, 32},
    predicate{Role::predicate}, to_predicate{Role::predicates}, number{Role::immediate};

void add_reductions(Table& table) {
    auto const add_one = [&](std::string const& name, Operation operation) {
        add_meeting(table, "redux.sync." + name, operation, {{result, word, members}});
    };
    for (std::string const type : {".u32", ".s32"}) add_one("add" + type, &reduce<Sum>);
    add_one("min.u32", &reduce<Least<u32>>);
    add_one("min.s32", &reduce<Least<s32>>);
    add_one("max.u32", &reduce<Greatest<u32>>);
    add_one("max.s32", &reduce<Greatest<s32>>);
    add_one("and.b32", &reduce<All>);
    add_one("or.b32", &reduce<Any>);
    add_one("xor.b32", &reduce<Odd>);
}

}  // namespace

void add_meetings(Table& table) {
    add_meeting(table, "shfl.sync.up.b32", &shuffle<Shuffle::up>, {{result, word, word, word, members}});
    add_meeting(table, "shfl.sync.down.b32", &shuffle<Shuffle::down>,
                {{result, word, word, word, members}});
    add_meeting(table, "shfl.sync.bfly.b32", &shuffle<Shuffle::butterfly>,
                {{result, word, word, word, members}});
    add_meeting(table, "shfl.sync.idx.b32", &shuffle<Shuffle::index>,
                {{result, word, word, word, members}});
    add_meeting(table, "vote.sync.all.pred", &vote<Vote::all>, {{to_predicate, predicate, members}});
    add_meeting(table, "vote.sync.any.pred", &vote<Vote::any>, {{to_predicate, predicate, members}});
    add_meeting(table, "vote.sync.uni.pred", &vote<Vote::uniform>, {{to_predicate, predicate, members}});
    for (std::string const name : {"vote.sync.ballot.b32", "vote.ballot.sync.b32"})  // CUB's spelling
        add_meeting(table, name, &vote<Vote::ballot>, {{result, predicate, members}});
    add_meeting(table, "match.any.sync.b32", &match<u32, false>, {{result, word, members}});
    add_meeting(table, "match.all.sync.b32", &match<u32, true>, {{result, word, members}});
    add_meeting(table, "match.any.sync.b64", &match<u64, false>,
                {{result, {Role::source, 64}, members}});
    add_meeting(table, "match.all.sync.b64", &match<u64, true>, {{result, {Role::source, 64}, members}});
    add_meeting(table, "elect.sync", &elect, {{result, members}});
    add_meeting(table, "bar.warp.sync", &nothing, {{members}}, true);
    add_reductions(table);
    table.emplace("activemask.b32", form(&active, {{result}}));
    for (std::string const name : {"bar", "barrier", "bar.cta", "barrier.cta"})
        for (std::string const aligned : {"", ".aligned"}) {
            add_barrier(table, name + ".sync" + aligned, Agreement::nothing, {{number}});
            add_barrier(table, name + ".red.popc" + aligned + ".u32", Agreement::count,
                        {{result, number, predicate}});
            add_barrier(table, name + ".red.and" + aligned + ".pred", Agreement::all,
                        {{to_predicate, number, predicate}});
            add_barrier(table, name + ".red.or" + aligned + ".pred", Agreement::any,
                        {{to_predicate, number, predicate}});
        }
    for (std::string const scope : {".cta", ".cluster", ".gpu", ".gl", ".sys"}) {
        Operation const operation = scope == ".cta" || scope == ".cluster" ? &nothing : &fence;
        table.emplace("membar" + scope, form(operation, {}));
        for (std::string const order : {"", ".sc", ".acq_rel"})
            table.emplace("fence" + order + scope, form(operation, {}));
    }
    table.emplace("nanosleep.u32", form(&nothing, {{word}}));
    // The kernel before has ended, and the next one waits for this one's end.
    for (std::string const name : {"wait", "launch_dependents"})
        table.emplace("griddepcontrol." + name, form(&nothing, {}));
}

}  // namespace ptx
