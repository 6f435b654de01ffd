// For the file that compiles the calls of an algorithm on ranks: what stands between its public function (where.hpp) and its driver,
// as calls.hpp has it for one process. Include compiled_dims.hpp first.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/run/call.hpp"
#include "zwalk/run/driver.hpp"
#include "zwalk/run/rank_call_points.hpp"
#include "zwalk/run/rank_place.hpp"
#include "zwalk/run/where.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// How many rows this rank passes.
template <class T>
CallSets::Set set_of(RankInput<T> const& input) {
    return {input.rows, input.dim};
}

/// Begins a call of A on ranks: all have the same options, which are good ones. The next step of the call has to be collective.
/// @returns the columns of the trees that they sort and import in
template <class A, class T, class Where, class Check>
int begin_on_ranks(Comm& comm, Where const& where, RankInput<T> const& input,
                   OthersIn<A, RankInput<T>> others, typename A::Options const& o, Check const& check) {
    auto options = [&] {
        if constexpr (TakesOthers<A>) return A::agreed(o, where.option(), others != nullptr);
        else return A::agreed(o, where.option());
    }();
    // On the stack: memory that there isn't would leave other ranks waiting.
    auto const all = std::apply(
        [&](auto&... one) {
            return std::array{std::move(one)..., Option("gpu_aware", comm.gpu_aware())};
        },
        options);
    agree_on(comm, std::span<Option const>(all));
    return comm.attempt([&] {
        auto sets = sets_of(input, others);
        sets.on_ranks = true;
        A::template check<T>(o, sets);
        check_on<A, typename Where::Type>(o);
        check();
        return where.tree_columns(input.dim);
    });
}
/// A on ranks that walk there. All ranks call it, with the same options.
template <class A, class T, class Where>
auto run_on_ranks(Comm& comm, Cpu const& cpu, Where const& where, RankInput<T> const& input,
                  OthersIn<A, RankInput<T>> others, typename A::Options const& o) {
    int const columns = begin_on_ranks<A>(comm, where, input, others, o, [] {});
    using Points = RankCallPoints<T, Where>;
    Points points(std::type_identity<A>{}, comm, cpu, where, input, columns, o);
    if constexpr (TakesOthers<A>) {
        std::optional<Points> met;
        if (others) met.emplace(points, *others);
        return A::run(points, met ? &*met : nullptr, o);
    } else {
        return A::run(points, o);
    }
}

/// The call of C on ranks; see where.hpp.
#define ZWALK_RANK_CALL(C, T)                                                                      \
    template <>                                                                                    \
    C::Result<T, Mpi> Called<C, RankInput<T>, RankCall>::run(                                      \
        RankInput<T> const& input, OthersIn<C, RankInput<T>> others, C::Options const& options,    \
        RankCall const& call) {                                                                    \
        using A = C::Algorithm;                                                                    \
        return on_ranks(call, CompiledDims<A, T, CudaDevice>{}, CompiledDims<A, T, Cpu>{},         \
                        [&](Comm& comm, auto const& where) {                                       \
                            return run_on_ranks<A>(comm, call.cpu, where, input, others, options); \
                        });                                                                        \
    }

}}}  // namespace zwalk::v0::detail
