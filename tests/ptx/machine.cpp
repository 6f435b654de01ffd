#include "ptx/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda/fake_machine.hpp"
#include "ptx/fat_binary.hpp"
#include "ptx/fault.hpp"
#include "ptx/launch.hpp"
#include "ptx/module.hpp"

namespace ptx {
namespace {

char const* variable(char const* name) {
    char const* const value = std::getenv(name);
    return value ? value : "";
}

/// What environment variables ask for. Throws Fault where they ask for what there isn't.
Options options() {
    Options asked;
    char const* const seed = variable("ZWALK_PTX_SEED");
    char* end = nullptr;
    asked.seed = std::strtoull(seed, &end, 10);
    if (*end != 0) throw Fault(fmt::format("ZWALK_PTX_SEED={} is no number", seed));
    for (std::string_view rest = variable("ZWALK_PTX_CHECKS"); !rest.empty();) {
        std::string_view const check = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), check.size() + 1));
        if (check == "races") asked.races = true;
        else if (check == "unwritten") asked.unwritten = true;
        else throw Fault(fmt::format("ZWALK_PTX_CHECKS: {} is neither races nor unwritten", check));
    }
    return asked;
}

/// What nvcc made of a file: its module is parsed when something of it is asked for first.
class Binary {
  public:
    explicit Binary(void const* wrapper) : wrapper_(wrapper) {}
    std::string const& text() {
        if (text_.empty()) text_ = ptx_of(wrapper_);
        return text_;
    }
    Program const& program(std::string const& kernel, Memory& memory) {
        if (!module_) module_.emplace(text(), memory);
        return module_->program(kernel);
    }

  private:
    void const* wrapper_;
    std::string text_{};
    std::optional<Module> module_{};
};

struct Kernel {
    Binary* binary;
    std::string name;
    u64 launches = 0, instructions = 0;
    std::map<u32, u64> by_line{};  ///< instructions by their lines in the PTX
};

/// Memory that was given back isn't given to others at once: so an access to it is found.
class Retired {
  public:
    Retired() = default;
    Retired(Retired const&) = delete;
    Retired& operator=(Retired const&) = delete;
    ~Retired() {
        for (auto const& [memory, bytes] : all_) std::free(memory);
    }
    void add(void* memory, std::size_t bytes) {
        constexpr std::size_t most = 64 << 20;
        std::memset(memory, 0x5c, bytes);
        all_.emplace_back(memory, bytes);
        for (bytes_ += bytes; bytes_ > most; all_.pop_front()) {
            std::free(all_.front().first);
            bytes_ -= all_.front().second;
        }
    }

  private:
    std::deque<std::pair<void*, std::size_t>> all_{};
    std::size_t bytes_ = 0;
};

class Device final : public fake_cuda::Machine {
  public:
    ~Device() override { end(); }

    [[nodiscard]] int devices() const override { return problem().empty() ? 1 : 0; }
    [[nodiscard]] std::string name() const override { return "PTX on the CPU"; }
    [[nodiscard]] int attribute(cudaDeviceAttr which, int device) override;
    [[nodiscard]] std::size_t free_bytes(int) const override {
        constexpr std::size_t all = std::size_t(8) << 30;
        return all - std::min(all, memory_.bytes());
    }
    [[nodiscard]] char const* words(cudaError_t error) const override;

    void* allocate(std::size_t bytes, Owner owner) override;
    void deallocate(void* memory) override;
    void copied(void* to, void const* from, std::size_t bytes) override {
        memory_.copied(to, from, bytes);
    }

    void** add_binary(void const* wrapper) override {
        binaries_.push_back(std::make_unique<Binary>(wrapper));
        return reinterpret_cast<void**>(binaries_.back().get());
    }
    void add_kernel(void** binary, void const* kernel, char const* name) override {
        kernels_.insert({kernel, {reinterpret_cast<Binary*>(binary), name}});
    }
    cudaError_t attributes(cudaFuncAttributes& attributes, void const* kernel) override;
    cudaError_t launch(fake_cuda::Launch const& launch) override;

    std::map<std::string, u64> take_findings() { return std::exchange(findings_, {}); }

  private:
    [[nodiscard]] std::string problem() const;
    void execute(fake_cuda::Launch const& launch);
    cudaError_t failed(Fault const& fault);
    void write_coverage(char const* file) const;
    void write_lines(char const* file) const;
    void end() const;

    Memory memory_{};  // outlives modules, whose variables are in it
    std::map<void const*, std::size_t> bytes_{};
    Retired retired_{};
    std::vector<std::unique_ptr<Binary>> binaries_{};
    std::map<void const*, Kernel> kernels_{};
    std::string fault_{};
    std::map<std::string, u64> findings_{};
};

/// Why kernels can't be executed; empty: they can.
std::string Device::problem() const {
    try {
        for (auto const& [host, kernel] : kernels_) (void)kernel.binary->text();
    } catch (Fault const& fault) {
        return fault.what();
    }
    return kernels_.empty() ? "there are no kernels" : "";
}

/// A small GPU of the architecture that the PTX is for.
int Device::attribute(cudaDeviceAttr which, int) {
    int const capability = target_of(kernels_.begin()->second.binary->text());
    switch (which) {
        case cudaDevAttrComputeCapabilityMajor:
            return capability / 10;
        case cudaDevAttrComputeCapabilityMinor:
            return capability % 10;
        case cudaDevAttrMultiProcessorCount:
            return 8;
        case cudaDevAttrWarpSize:
            return 32;
        case cudaDevAttrMaxThreadsPerBlock:
            return 1024;
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            return 2048;
        case cudaDevAttrMaxSharedMemoryPerBlock:
            return 48 << 10;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            return 100 << 10;
        case cudaDevAttrMaxGridDimX:
            return 0x7fffffff;
        case cudaDevAttrMaxGridDimY:
        case cudaDevAttrMaxGridDimZ:
            return 65535;
        case cudaDevAttrPageableMemoryAccess:
        case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
            return 0;
        default:
            return 1;  // yes
    }
}

char const* Device::words(cudaError_t error) const {
    switch (error) {
        case cudaSuccess:
            return "no error";
        case cudaErrorNoDevice:
            static std::string reason;
            reason = problem();
            return reason.c_str();
        case cudaErrorLaunchFailure:
            return fault_.c_str();
        case cudaErrorInvalidDevice:
            return "invalid device";
        case cudaErrorInvalidValue:
            return "memory that isn't, or isn't any more";
        case cudaErrorMemoryAllocation:
            return "out of memory";
        default:
            return "an error of the runtime that executes PTX";
    }
}

void* Device::allocate(std::size_t bytes, Owner owner) {
    // Addresses behind an allocation belong to none. What nobody wrote is no number that works by chance.
    void* const memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256 + 512);
    if (!memory) return nullptr;
    std::memset(memory, 0xa5, bytes);
    memory_.add(memory, bytes, owner == Owner::host);
    bytes_[memory] = bytes;
    return memory;
}

void Device::deallocate(void* memory) {
    memory_.remove(memory);
    auto const found = bytes_.find(memory);
    retired_.add(memory, found->second);
    bytes_.erase(found);
}

cudaError_t Device::failed(Fault const& fault) {
    fault_ = fault.what();
    ++findings_[fault_];
    return cudaErrorLaunchFailure;
}

cudaError_t Device::attributes(cudaFuncAttributes& attributes, void const* kernel) {
    auto const found = kernels_.find(kernel);
    if (found == kernels_.end()) return cudaErrorInvalidDeviceFunction;
    try {
        Binary& binary = *found->second.binary;
        Program const& program = binary.program(found->second.name, memory_);
        attributes.ptxVersion = attributes.binaryVersion = target_of(binary.text());
        attributes.sharedSizeBytes = program.shared_bytes;
        attributes.localSizeBytes = program.local_bytes;
        return cudaSuccess;
    } catch (Fault const& fault) {
        return failed(fault);
    }
}

cudaError_t Device::launch(fake_cuda::Launch const& launch) {
    if (!kernels_.contains(launch.kernel)) return cudaErrorInvalidDeviceFunction;
    try {
        execute(launch);
        return cudaSuccess;
    } catch (Fault const& fault) {
        return failed(fault);
    }
}

void Device::execute(fake_cuda::Launch const& launch) {
    Kernel& kernel = kernels_.find(launch.kernel)->second;
    Program const& program = kernel.binary->program(kernel.name, memory_);
    auto const size = [](dim3 of) { return Size{of.x, of.y, of.z}; };
    std::span<void const* const> const arguments(launch.arguments, program.parameters.size());
    ++kernel.launches;
    Report const report = ptx::launch(program, memory_, size(launch.grid), size(launch.block), arguments,
                                      u32(launch.dynamic_shared_bytes), options());
    kernel.instructions += report.instructions;
    for (std::size_t i = 0; i < report.executed.size(); ++i)
        if (report.executed[i] > 0) kernel.by_line[program.code[i].line] += report.executed[i];
    // CUB's merges read one element behind the last, and don't look at it then.
    bool const of_cub = kernel.name.find("3cub") != std::string::npos;
    for (auto const& [finding, times] : report.findings)
        if (!of_cub || !finding.starts_with("read of what nobody wrote"))
            findings_[fmt::format("kernel {}: {}", kernel.name, finding)] += times;
}

/// A line for each kernel of the program: how often it was launched, what warps executed of it, and its name.
void Device::write_coverage(char const* file) const {
    std::map<std::string, std::pair<u64, u64>> by_name;
    for (auto const& [host, kernel] : kernels_) {
        by_name[kernel.name].first += kernel.launches;
        by_name[kernel.name].second += kernel.instructions;
    }
    std::FILE* const out = std::fopen(file, "a");
    if (!out) {
        std::fprintf(stderr, "ZWALK_PTX_COVERAGE: cannot write to %s\n", file);
        return;
    }
    for (auto const& [name, counts] : by_name)
        std::fprintf(out, "%llu %llu %s\n", static_cast<unsigned long long>(counts.first),
                     static_cast<unsigned long long>(counts.second), name.c_str());
    std::fclose(out);
}

/// A line for each instruction of the PTX that was executed: how often by warps, its line in its file's PTX, and its kernel's name.
void Device::write_lines(char const* file) const {
    std::FILE* const out = std::fopen(file, "a");
    if (!out) {
        std::fprintf(stderr, "ZWALK_PTX_LINES: cannot write to %s\n", file);
        return;
    }
    for (auto const& [host, kernel] : kernels_)
        for (auto const& [line, times] : kernel.by_line)
            std::fprintf(out, "%llu %u %s\n", static_cast<unsigned long long>(times), line,
                         kernel.name.c_str());
    std::fclose(out);
}

void Device::end() const {
    char const* const file = variable("ZWALK_PTX_COVERAGE");
    if (*file != 0 && problem().empty()) write_coverage(file);
    char const* const lines = variable("ZWALK_PTX_LINES");
    if (*lines != 0) write_lines(lines);
    if (findings_.empty()) return;
    for (auto const& [finding, times] : findings_)
        std::fprintf(stderr, "PTX: %llu times: %s\n", static_cast<unsigned long long>(times),
                     finding.c_str());
    std::fflush(nullptr);  // which _Exit() leaves out
    std::_Exit(EXIT_FAILURE);
}

Device& device() {
    static Device the;
    return the;
}

}  // namespace

std::map<std::string, std::uint64_t> take_findings() { return device().take_findings(); }

}  // namespace ptx

fake_cuda::Machine& fake_cuda::machine() { return ptx::device(); }
