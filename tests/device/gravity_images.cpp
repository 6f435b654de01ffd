// Images of points in a periodic box, made on a device, against those that threads make: the same tree, bit for bit.
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include "device/failing_memory.hpp"
#include "device/gravity_images.hpp"
#include "device/run.hpp"
#include "gravity/ewald.hpp"
#include "gravity/src/algorithm.hpp"
#include "support/sanitized.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/run/index.hpp"

using namespace test;
using namespace zwalk::detail;

namespace {

/// A device that counts what it passes to the host, and gets from there.
struct CountingDevice : HostDevice<> {
    std::uint64_t passed = 0;
    template <class T>
    void upload(T* to, T const* from, std::size_t n) {
        passed += n * sizeof(T);
        HostDevice<>::upload(to, from, n);
    }
    template <class T>
    void download(T* to, T const* from, std::size_t n) {
        passed += n * sizeof(T);
        HostDevice<>::download(to, from, n);
    }
};

/// What a call has of points, masses and a box before it makes images.
template <int order, class T>
struct Given {
    Index<T> index;
    Gravity<order, T> trait;
    std::vector<PointMass<T>> masses;  ///< by position
    ImageBox box;

    Given(Rows<3, T> const& rows, BoxSides const& sides, GravityOptions const& o)
        : index(Points<T>(rows.front().data(), rows.size(), 3),
                {.box = {sides[0], sides[1], sides[2]}, .tree = o.tree}),
          trait(gravity_trait<order, T>(o, unit_of_length(sides[0]))),
          box(index.points().period) {
        for (std::size_t i = 0; i < rows.size(); ++i) masses.push_back({T(1 + i % 7)});
    }
    [[nodiscard]] GravitySources<order, T> on_threads() const {
        Cpu const threads(2);
        return threads.run([&] {
            return with_images(threads, trait, index.points().tree,
                               std::span<PointMass<T> const>(masses), box);
        });
    }
    template <class Device>
    DeviceSources<order, T, PlaceOf<Device>> on(Device& device) const {
        Cpu here(1);
        auto const there = copy_tree(device, here, index.points().tree);
        ColumnsOn<PointMass<T>, Device> const columns(device, std::span<PointMass<T> const>(masses));
        return DeviceImages<order, T, Device>(device, trait, there, {{}, columns.view()}, box).run();
    }
};

/// Whether `input` names the points that a tree with images has: own ones as they were and, behind these, each moved by whole periods.
template <class T>
bool names_points(Tree<T, Cpu> const& tree, Tree<T, Cpu> const& own, ImageBox const& box) {
    std::vector<pos_t> position(own.size());
    for (pos_t i = 0; i < own.size(); ++i) position[own.input[i]] = i;
    bool right = std::equal(own.input.begin(), own.input.end(), tree.input.begin());
    for (pos_t i = own.size(); right && i < tree.size(); ++i) {
        right = tree.input[i] < own.size();
        bool is_image = false;
        for (std::size_t j = 0; right && j < 3; ++j) {
            T const from = own.x[j * own.stride + position[tree.input[i]]],
                    at = tree.x[j * tree.stride + i];
            double const periods = std::round((double(at) - double(from)) / box.sides[j]);
            right = at == from + T(periods * box.sides[j]) && std::abs(periods) <= box.shells[j];
            is_image = is_image || periods != 0;
        }
        right = right && is_image;
    }
    return right;
}

/// @return how many nodes and points images have
template <int order, class T>
std::pair<std::size_t, std::size_t> check_images(Rows<3, T> const& rows, BoxSides const& sides,
                                                 GravityOptions const& o) {
    CAPTURE(order);
    CAPTURE(sizeof(T));
    CAPTURE(rows.size());
    CAPTURE(sides[0]);
    CAPTURE(o.opening);
    CAPTURE(o.softening);
    CAPTURE(o.tree.leaf_size);
    CAPTURE(o.tree.top_nodes);
    Given<order, T> const given(rows, sides, o);
    auto const expected = given.on_threads();
    HostDevice<> device;
    auto const tree = check_same_images(device, given.on(device), expected);
    auto const& own = given.index.points().tree;
    CHECK(names_points(tree, own, given.box));
    return {tree.planes[0].nodes() - own.planes[0].nodes(), tree.size() - own.size()};
}

/// What is felt by a walk of these sources on a device.
template <class T>
struct FeltThere {
    DeviceBuffer<Vec<3, T>> acceleration;
    DeviceBuffer<T> potential;
    WalkCounts counts;

    /// @param period  of the box whose images the walk makes; none: they are among the sources
    template <int order>
    FeltThere(HostDevice<>& device, Gravity<order, T> trait, std::size_t targets,
              std::vector<T> const& period, Tree<T, HostDevice<>> const& sources,
              WalkInputs<Gravity<order, T>> const& inputs, std::vector<PointMass<T>> const& masses)
        : acceleration(device.buffer<Vec<3, T>>(targets)), potential(device.buffer<T>(targets)) {
        trait.acceleration = acceleration.data();
        trait.potential = potential.data();
        counts = CompiledWalk<Gravity<order, T>, HostDevice<>>::run(device, trait, period, sources,
                                                                    sources, inputs, masses);
    }
};

/// Points on the faces of a box, also on opposite ones, on edges and in corners.
template <class T>
Rows<3, T> on_faces(std::size_t n, BoxSides const& box) {
    auto rows = stretched(make_points<3, T>("uniform", n, 7), box);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            if (i % 8 & 1U << j) rows[i][j] = i % 16 < 8 ? T(0) : T(box[j]);
    return rows;
}

}  // namespace

TEST_CASE(
    "gravity on a device: what lies in the middle of a box of many ranks needs little memory for "
    "images") {
    GravityOptions const o{.accuracy = 1e-3, .box = {1.}};
    auto const needed = [&](TreeNodes nodes, double lo, double hi) {
        nodes.lo.fill(lo);
        nodes.hi.fill(hi);
        return double(device_gravity_memory_of(nodes, 1'000'000, sizeof(float), o));
    };
    TreeNodes const nodes{.all = 200'000, .tops = 32'768, .planes = 6};
    double const all = needed(nodes, 0, 1), corner = needed(nodes, 0, .125),
                 middle = needed(nodes, .4, .525);
    CHECK(corner < all / 2);
    CHECK(middle < all / 4);
    CHECK(middle > needed({}, .4, .525));
}

TEST_CASE_TEMPLATE("device gravity, images: every kind of points, as on threads", T, float, double) {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        if (kind == "huge" || kind == "subnormal") continue;  // stretched they are others
        for (BoxSides const& box : {BoxSides{1.6, 1.6, 1.6}, BoxSides{2, 3, 4}}) {
            auto const rows = stretched(make_points<3, T>(kind, fewer(700, 4), 3), box);
            check_images<4>(rows, box, {.softening = .01, .opening = .9, .tree = {.coarsening = 2}});
        }
    }
}

TEST_CASE_TEMPLATE("device gravity, images: boxes, openings and trees, as on threads", T, float,
                   double) {
    std::size_t without_points = 0, with_points = 0;
    for (BoxSides const& box : {BoxSides{.1, .1, .1}, BoxSides{2.7, 2.7, 2.7}, BoxSides{1, 2, 1}})
        for (double const opening : {.4, 1.3, 6.})
            for (TreeOptions const& tree :
                 {TreeOptions{.coarsening = 2}, TreeOptions{.leaf_size = 4, .coarsening = 2},
                  TreeOptions{.leaf_size = 8, .top_nodes = 1},
                  TreeOptions{.leaf_size = 8, .coarsening = 3, .top_nodes = 500}}) {
                auto const* const kind = opening > 1 ? "clustered" : "uniform";
                auto const rows = stretched(make_points<3, T>(kind, fewer(200, 4), 5), box);
                auto const [nodes, points] =
                    check_images<5>(rows, box, {.opening = opening, .tree = tree});
                CHECK(nodes > 0);
                (points > 0 ? with_points : without_points) += 1;
            }
    CHECK(with_points > 4);
    if (!sanitized) CHECK(without_points > 0);
}

TEST_CASE_TEMPLATE("device gravity, images: few points, at one place or on the faces, as on threads", T,
                   float, double) {
    for (BoxSides const& box : {BoxSides{1, 1, 1}, BoxSides{.1, .1, .1}})
        for (double const softening : {0., .01})
            for (std::size_t n : {1, 2, 3, 9, 100}) {
                GravityOptions const o{.softening = softening * box[0],
                                       .opening = .7,
                                       .tree = {.leaf_size = 4, .coarsening = 2}};
                check_images<4>(on_faces<T>(n, box), box, o);
                check_images<4>(Rows<3, T>(n, {T(.3 * box[0]), T(box[1]), T(0)}), box, o);
                check_images<5>(stretched(make_points<3, T>("uniform", n, 1), box), box, o);
            }
}

TEST_CASE_TEMPLATE("device gravity, images: what is felt, as of images that threads have made", T, float,
                   double) {
    for (auto const* kind : {"uniform", "clustered", "sites40"})
        for (double const side : {1.6, .1}) {
            CAPTURE(kind);
            CAPTURE(side);
            BoxSides const box{side, side, side};
            auto const rows = stretched(make_points<3, T>(kind, fewer(900, 4), 2), box);
            Given<5, T> const given(rows, box,
                                    {.softening = .01 * side, .opening = .9, .tree = {.coarsening = 2}});
            auto const& own = given.index.points();
            auto const images = given.on_threads();
            Cpu here(1);
            HostDevice<> device;
            WalkInputs<Gravity<5, T>> of_threads;
            of_threads.targets = images.targets;
            of_threads.known = &images.known;
            FeltThere<T> const expected(device, given.trait, rows.size(), {},
                                        copy_tree(device, here, images.tree), of_threads, images.masses),
                got(device, given.trait, rows.size(), own.period, copy_tree(device, here, own.tree), {},
                    given.masses);
            auto const equal = [&](auto const& a, auto const& b) {
                std::vector<std::remove_cvref_t<decltype(*a.data())>> x(a.size());
                device.download(x.data(), a.data(), x.size());
                return same_there(device, b, x);
            };
            CHECK(equal(got.acceleration, expected.acceleration));
            CHECK(equal(got.potential, expected.potential));
            CHECK(got.counts.leaf_entries == expected.counts.leaf_entries);
            CHECK(got.counts.node_entries == expected.counts.node_entries);
        }
}

TEST_CASE("device gravity, images: what the host gets and waits for, to the byte, whatever the points") {
    for (std::size_t const n : {std::size_t(1000), fewer(20000, 4)}) {
        GravityOptions const o{.opening = 1, .tree = {.coarsening = 2, .top_nodes = 20}};
        Given<1, float> const given(make_points<3, float>("uniform", n, 1), {1, 1, 1}, o);
        Cpu here(1);
        CountingDevice device;
        auto const there = copy_tree(device, here, given.index.points().tree);
        ColumnsOn<PointMass<float>, CountingDevice> const columns(
            device, std::span<PointMass<float> const>(given.masses));
        auto const before = device.stats();
        device.passed = 0;
        auto const made = DeviceImages<1, float, CountingDevice>(device, given.trait, there,
                                                                 {{}, columns.view()}, given.box)
                              .run();
        auto const now = device.stats();
        // Numbers that the points' number doesn't change, but for that of planes.
        std::size_t const images = image_shifts(given.box).size(), planes = there.planes.size(),
                          tops = there.planes.back().nodes(),
                          image_tops = made.tree.planes.back().nodes() - tops;
        std::size_t canopies = tops;
        for (std::size_t above = tops; above > 1; canopies += above) above = (above + 7) / 8;
        using Masses = Multipole<1, float>;
        using Where = Vec<3, double>;
        std::size_t const up = images * sizeof(Where) + canopies * sizeof(Masses) +
                               canopies * sizeof(pos_t) + (planes + 1) * sizeof(ImagedPlane<1, float>) +
                               (images + 1) * sizeof(pos_t) +
                               image_tops * (sizeof(ImageNode) + sizeof(pos_t)) +
                               planes * (sizeof(ImageLevel) + images * sizeof(ImagePart)),
                          down = tops * sizeof(Masses) + tops * sizeof(pos_t) +
                                 images * tops * sizeof(pos_t) +
                                 (planes - 1) * (images + 1) * sizeof(pos_t) + sizeof(pos_t);
        CAPTURE(planes);
        CHECK(device.passed == up + down);
        CHECK(now.launches - before.launches == 10 * planes - 2);
        CHECK(now.waits - before.waits == planes + 3);
    }
}

TEST_CASE("device gravity, images: where an allocation fails, at whichever, nothing is left") {
    GravityOptions const o{.opening = 1, .tree = {.coarsening = 2, .top_nodes = 20}};
    Given<4, float> const given(make_points<3, float>("uniform", 2000, 1), {1, 1, 1}, o);
    std::uint64_t made = 0;
    for (std::uint64_t left = 0; made == 0 && left < 1000; ++left) {
        CAPTURE(left);
        auto const memory = std::make_shared<FailingMemory>();
        HostDevice<> device(memory);
        {
            Cpu here(1);
            auto const there = copy_tree(device, here, given.index.points().tree);
            ColumnsOn<PointMass<float>, HostDevice<>> const columns(
                device, std::span<PointMass<float> const>(given.masses));
            auto const before = device.bytes_in_use();
            memory->left = left;
            memory->as_standard = left % 2;
            std::string error;
            try {
                (void)DeviceImages<4, float, HostDevice<>>(device, given.trait, there,
                                                           {{}, columns.view()}, given.box)
                    .run();
                made = left;
            } catch (DeviceMemoryError const&) {
                error = "of the device";
            } catch (std::bad_alloc const&) {
                error = "standard";
            }
            CHECK(error == (made > 0 ? "" : left % 2 ? "standard" : "of the device"));
            CHECK(device.bytes_in_use() == before);
        }
        CHECK(device.bytes_in_use() == 0);
    }
    CHECK(made > 40);
}

TEST_CASE("device gravity, images: more than positions can tell apart are refused") {
    CHECK(checked_with_images(no_pos - 1) == no_pos - 1);
    for (std::uint64_t const n : {std::uint64_t(no_pos), std::uint64_t(1) << 32, ~std::uint64_t(0)})
        CHECK_THROWS_AS(checked_with_images(n), Error);
    // Numbers that kernels narrow are refused, too, when they arrive.
    size_type const child[]{7, (size_type(1) << 32) + 7};
    pos_t const begin[]{0, 1};
    pos_t below[2], first[2];
    BeginBelow const begin_below{child, begin, below};
    SetFirst const set_first{child, 5, first};
    for (std::size_t i = 0; i < 2; ++i) begin_below(i), set_first(i);
    CHECK(below[0] == 7);
    CHECK(first[0] == 12);
    CHECK(below[1] == no_pos);
    CHECK(first[1] == no_pos);
}

TEST_CASE("device gravity, images: only of a tree whose points are the targets, all at once") {
    GravityOptions const o{.opening = 1, .tree = {.coarsening = 2, .top_nodes = 20}};
    auto const rows = make_points<3, float>("uniform", 400, 1);
    Given<4, float> const given(rows, {1, 1, 1}, o);
    auto const& own = given.index.points();
    Cpu here(1);
    HostDevice<> device;
    auto const there = copy_tree(device, here, own.tree), other = copy_tree(device, here, own.tree);
    using Walk = CompiledWalk<Gravity<4, float>, HostDevice<>>;
    auto const refused = [&](auto const& targets, WalkInputs<Gravity<4, float>> const& inputs) {
        CHECK_THROWS_AS(Walk::run(device, given.trait, own.period, targets, there, inputs, given.masses),
                        Error);
    };
    WalkInputs<Gravity<4, float>> chunks, none;
    chunks.after_chunk = [](pos_t, pos_t) {};
    refused(there, chunks);
    refused(other, {});
    none.targets = {2, 2};
    CHECK(Walk::run(device, given.trait, own.period, there, there, none, given.masses).node_entries ==
          0);
    CHECK(device.stats().launches == 0);
}
