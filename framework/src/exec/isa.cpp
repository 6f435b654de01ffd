#include "zwalk/exec/isa.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 {
namespace {

Isa isa_of_cpu() {
#if ZWALK_X86_KERNELS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("bmi2"))
        return Isa::avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
        return Isa::avx2;
#endif
    return Isa::baseline;
}

Isa isa_asked_for() {
    char const* const value = std::getenv("ZWALK_ISA");
    std::string_view const name = value ? value : "";
    for (Isa isa : {Isa::baseline, Isa::avx2})
        if (name == name_of(isa)) return isa;
    return Isa::avx512;
}

// Where cmake/ZwalkKernels.cmake sets this, the library has no kernels for others.
#if defined(ZWALK_KERNELS_FOR)
Isa only_isa() {
    constexpr Isa only = Isa::ZWALK_KERNELS_FOR;
    Isa const of_cpu = isa_of_cpu(), asked = isa_asked_for();
    if (std::min(of_cpu, asked) < only)
        throw Error(detail::text(
            "this build of zwalk has kernels for {} alone, and {} {}: build it on this machine, or "
            "for all with -DZWALK_KERNELS=all (pip install: -Ccmake.define.ZWALK_KERNELS=all)",
            name_of(only), of_cpu < only ? "this CPU has no more than" : "ZWALK_ISA asks for",
            name_of(std::min(of_cpu, asked))));
    return only;
}
#endif

}  // namespace

Isa best_isa() {
#if defined(ZWALK_KERNELS_FOR)
    static Isa const isa = only_isa();
#else
    static Isa const isa = std::min(isa_of_cpu(), isa_asked_for());
#endif
    return isa;
}

char const* name_of(Isa isa) {
    switch (isa) {
        case Isa::avx512:
            return "avx512";
        case Isa::avx2:
            return "avx2";
        default:
            return "baseline";
    }
}

}}  // namespace zwalk::v0
