"""Every public header includes the headers of the standard library that it names something of, so that it compiles wherever it is
included first, and whatever others stop including. Of the names in `names` and no others."""
import pathlib
import re
import sys

# Names by header; of several headers, one is enough.
names = {
    "algorithm": "all_of any_of clamp copy copy_n count count_if equal fill fill_n find find_if for_each is_sorted lower_bound max"
                 " max_element merge min min_element minmax none_of nth_element partition reverse rotate sort stable_partition"
                 " stable_sort transform unique upper_bound",
    "array": "array", "atomic": "atomic atomic_ref", "bit": "bit_cast bit_ceil bit_width countl_zero countr_zero has_single_bit popcount",
    "chrono": "chrono", "cmath": "ceil cos exp floor fma frexp hypot isfinite isinf isnan ldexp log log2 nextafter pow sin sqrt",
    "concepts": "convertible_to floating_point integral invocable same_as",
    "cstdint": "int16_t int32_t int64_t int8_t uint16_t uint32_t uint64_t uint8_t uintptr_t",
    "cstdio": "FILE fopen fwrite", "cstdlib": "abort aligned_alloc free getenv", "cstring": "memcmp memcpy memset strlen",
    "exception": "current_exception exception_ptr rethrow_exception", "filesystem": "filesystem",
    "functional": "equal_to function greater hash less minus multiplies plus ref reference_wrapper",
    "initializer_list": "initializer_list", "iterator": "back_inserter forward_iterator_tag random_access_iterator_tag",
    "limits": "numeric_limits", "map": "map", "memory": "make_shared make_unique shared_ptr unique_ptr weak_ptr",
    "mutex": "lock_guard mutex unique_lock", "new": "align_val_t bad_alloc", "numeric": "accumulate exclusive_scan iota partial_sum",
    "optional": "nullopt optional", "ranges": "ranges", "set": "set", "span": "span", "stdexcept": "invalid_argument logic_error"
    " out_of_range runtime_error", "string": "getline stod stoi string to_string", "string_view": "string_view",
    "tuple": "make_tuple tie tuple", "type_traits": "bool_constant conditional_t decay_t false_type invoke_result_t is_aggregate_v"
    " is_base_of_v is_const_v is_empty_v is_floating_point_v is_integral_v is_same_v is_trivially_copyable_v is_void_v remove_const_t"
    " remove_cvref_t true_type void_t", "utility": "declval exchange forward in_place index_sequence integer_sequence"
    " make_index_sequence move pair", "variant": "holds_alternative variant visit", "vector": "vector",
}
header_of = {name: header for header, words in names.items() for name in words.split()}
# Standard headers that are said to have the names of another one, too.
brings = {"algorithm": {"initializer_list"}, "array": {"initializer_list"}, "memory": {"utility"}, "span": {"array"},
          "string": {"initializer_list", "string_view"}, "tuple": {"utility"}, "vector": {"initializer_list"}}

root = pathlib.Path(__file__).resolve().parents[2]
headers = [*root.glob("framework/include/**/*.hpp"), *root.glob("algorithms/*/include/**/*.hpp")]
assert headers, root
missing = []
for path in sorted(headers):
    text = re.sub(r"//.*", "", path.read_text())
    included = set(re.findall(r"#include <(\w+)>", text))
    for header in tuple(included):
        included |= brings.get(header, set())
    used = {header_of[name] for name in re.findall(r"\bstd::(\w+)", text) if name in header_of}
    missing += [f"{path.relative_to(root)}: needs #include <{header}>" for header in sorted(used - included)]
print("\n".join(missing) or f"{len(headers)} headers include what they use")
sys.exit(bool(missing))
