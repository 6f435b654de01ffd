// The same lines on places of all kinds.
#pragma once
#include <doctest/doctest.h>

#include <string>

#include "zwalk/core/error.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/run/host_device.hpp"

namespace test {

/// f(place) for places of all kinds.
template <class F>
void on_places(F const& f) {
    for (int threads : {1, 3}) {
        zwalk::Cpu cpu(threads);
        f(cpu);
    }
    zwalk::HostDevice<true> device;
    f(device);
    CHECK(device.run.races == 0);
}

/// What E says, "" if nothing.
template <class E = zwalk::InputError, class F>
std::string refusal_of(F const& f) {
    try {
        f();
    } catch (E const& error) {
        return error.what();
    }
    return "";
}

}  // namespace test
