// What functions of core/ and plain arithmetic are compiled to, with the flags that users get from zwalk and the
// wish for fast mathematics. ptx.py compares: `has` is in the kernel below it, `lacks` isn't; `nowhere` in none.
//
// nowhere: .ftz .approx call
#include <cmath>

#include "zwalk/core/bits.hpp"
#include "zwalk/core/space.hpp"
#include "zwalk/nearest/detail/counted_radii.hpp"

using namespace zwalk;

// has: brev.b32
// has: bfind.shiftamt.u32
extern "C" __global__ void lowest_bit(int* y, std::uint32_t x) { *y = trailing_zeros(x); }

// has: clz.b32
extern "C" __global__ void width_of_32(int* y, std::uint32_t x) { *y = width_of_bits(x); }

// has: clz.b64
extern "C" __global__ void width_of_64(int* y, std::uint64_t x) { *y = width_of_bits(x); }

// has: popc.b32
extern "C" __global__ void bits(int* y, std::uint32_t x) { *y = count_bits(x); }

// has: st.global
// lacks: cvt.
extern "C" __global__ void bits_of_float(std::uint32_t* y, float x) {
    *y = bit_cast_to<std::uint32_t>(x);
}

// lacks: fma
extern "C" __global__ void not_contracted(float* y, float a, float b, float c) { *y = a * b + c; }

// lacks: fma
extern "C" __global__ void not_contracted_double(double* y, double a, double b, double c) {
    *y = a * b + c;
}

// has: div.rn.f32
extern "C" __global__ void quotient(float* y, float a, float b) { *y = a / b; }

// has: sqrt.rn.f32
extern "C" __global__ void root(float* y, float x) { *y = std::sqrt(x); }

// has: sqrt.rn.f64
extern "C" __global__ void root_double(double* y, double x) { *y = std::sqrt(x); }

// has: fma.rn.f32
// lacks: mul
extern "C" __global__ void distance(float* y, Open<3, float> space, Vec<3, float> p, Vec<3, float> q) {
    *y = distance2(space, p, q);
}

// has: fma.rn.f64
// lacks: mul
extern "C" __global__ void distance_double(double* y, Open<3, double> space, Vec<3, double> p,
                                           Vec<3, double> q) {
    *y = distance2(space, p, q);
}

// What bounds are after each of n groups of points; counted_radii.py runs it.
template <class T, int bins>
__device__ void bounds(T* d2, pos_t* pos, T const* add_d2, pos_t const* add_pos, pos_t const* points,
                       pos_t n, pos_t want) {
    CountedRadii<T, bins> radii(want);
    for (pos_t i = 0; i < n; ++i) {
        radii.add({add_d2[i], add_pos[i]}, points[i]);
        d2[i] = radii.bound().d2;
        pos[i] = radii.bound().pos;
    }
}

// has: selp
extern "C" __global__ void counted_radii_double(double* d2, pos_t* pos, double const* add_d2,
                                                pos_t const* add_pos, pos_t const* points, pos_t n,
                                                pos_t want) {
    bounds<double, 8>(d2, pos, add_d2, add_pos, points, n, want);
}

// has: selp
extern "C" __global__ void counted_radii_float(float* d2, pos_t* pos, float const* add_d2,
                                               pos_t const* add_pos, pos_t const* points, pos_t n,
                                               pos_t want) {
    bounds<float, 16>(d2, pos, add_d2, add_pos, points, n, want);
}
