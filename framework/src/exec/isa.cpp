#include "zwalk/exec/isa.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace zwalk { inline namespace v0 {
namespace {

Isa isa_of_cpu() {
#if ZWALK_ISA_DISPATCH
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

}  // namespace

Isa best_isa() {
    static Isa const isa = std::min(isa_of_cpu(), isa_asked_for());
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
