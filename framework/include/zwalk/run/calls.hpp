// For the file that compiles the calls of an algorithm in one process: what stands between its public function (where.hpp) and its
// driver. Include compiled_dims.hpp first.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include "zwalk/run/call.hpp"
#include "zwalk/run/where.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class C, class Source, class Where>
typename Returned<C, Source, Where>::type Called<C, Source, Where>::run(
    Source const& source, OthersIn<C, Source> others, typename C::Options const& options,
    [[maybe_unused]] Where const& where) {
    using A = typename C::Algorithm;
    auto const& o = [&]() -> decltype(auto) {
        if constexpr (requires { A::among(std::size_t(0), options); })
            return A::among(set_of(source).size, options);
        else return (options);
    }();
    using R = typename Returned<C, Source, Where>::type;
    if constexpr (std::is_same_v<Where, Kept>) {
        auto const f = [&]<class T, class P>(Index<T, P> const& index) {
            constexpr CompiledDims<A, T, P> dims;
            auto found = call<A>(dims, index, others, o);
            if constexpr (std::is_same_v<decltype(found), R>) return found;
            else
                return on_index<R>(dims, index,
                                   [&](auto& place) { return to_host<R>(place, std::move(found)); });
        };
        return f(source);
    } else if constexpr (std::is_same_v<Where, Cpu>) {
        Cpu place = where;
        return call<A>(CompiledDims<A, RealIn<Source>, Cpu>{}, place, source, others, o);
    } else {
        constexpr CompiledDims<A, RealIn<Source>, CudaDevice> dims;
        return on_cuda<R>(dims, where, [&](auto& device) {
            auto result = call<A>(dims, device, source, others, o);
            if constexpr (std::is_same_v<decltype(result), R>) return result;
            else return to_host<R>(device, std::move(result));
        });
    }
}

/// Compiles the calls of C for points of type T, and the check of its options, which ranks call, too; without those for an index.
#define ZWALK_CALLS_OF_POINTS(C, T)                                           \
    template void C::Algorithm::check<T>(C::Options const&, CallSets const&); \
    template struct Called<C, Points<T>, Cpu>;                                \
    template struct Called<C, Points<T>, Cuda>;                               \
    template struct Called<C, DevicePoints<T>, Cuda>;
/// All of them.
#define ZWALK_CALLS(C, T)                      \
    ZWALK_CALLS_OF_POINTS(C, T)                \
    template struct Called<C, Index<T>, Kept>; \
    template struct Called<C, CudaIndex<T>, Kept>;

}}}  // namespace zwalk::v0::detail
