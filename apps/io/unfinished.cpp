#include "unfinished.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>

#include "output.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

enum Kind : int { none, file, directory };

struct Slot {
    std::atomic<int> kind{none};
    char path[PATH_MAX];
};

std::array<Slot, 16> slots;
std::atomic<int> held{0}, waiting{0};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

void erase(Slot& slot) {
    int const kind = slot.kind.exchange(none);
    if (kind == file) unlink(slot.path);
    if (kind == directory) rmdir(slot.path);
}

extern "C" void on_signal(int signal) {
    if (held.load() > 0) {
        waiting.store(signal);
        return;
    }
    // Only async-signal-safe calls. Files stand behind their directory in the list.
    for (auto slot = slots.rbegin(); slot != slots.rend(); ++slot) erase(*slot);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace

void remove_unfinished_on_signals() {
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction old = {}, action = {};
        sigaction(signal, nullptr, &old);
        if (old.sa_handler == SIG_IGN) continue;  // nohup, or a shell's background job
        action.sa_handler = on_signal;
        sigfillset(&action.sa_mask);
        sigaction(signal, &action, nullptr);
    }
}

namespace unfinished {

std::size_t add(char const* path, bool is_directory) {
    if (std::strlen(path) >= PATH_MAX) throw InputError("the output path is too long");
    // Behind the last one in use, so that the order of the list is the order of creation.
    std::size_t free = slots.size();
    while (free > 0 && slots[free - 1].kind.load() == none) --free;
    if (free == slots.size()) throw Error("internal: too many output files");
    std::strcpy(slots[free].path, path);
    slots[free].kind.store(is_directory ? directory : file);
    return free;
}

void drop(std::size_t slot) { slots[slot].kind.store(none); }

void remove(std::size_t slot) { erase(slots[slot]); }

Hold::Hold() { ++held; }

Hold::~Hold() {
    if (--held == 0)
        if (int const signal = waiting.exchange(0)) std::raise(signal);
}

}  // namespace unfinished
}  // namespace zwalk::io
