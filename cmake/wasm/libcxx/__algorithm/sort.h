// libc++'s header for std::sort, which finds a smaller algorithm here: a Shell sort.
//
// WHY    libc++ sorts by a combination of quicksort, heapsort and insertion sort, of 1.5 to 3 KB for each type and order.
//        There were a hundred, an eighth of the module. Most ranges here have few elements; numbers in their usual
//        order are still sorted by libc++, in one function for each type.
// HOW    `__sort_dispatch` is what std::sort and std::ranges::sort call. This overload has a constraint, so it is
//        preferred to libc++'s, which is declared below. libc++ 19 and 22 have the function.
// COST   With Tokuda's distances about n^1.3 steps.
#ifndef WEIR_CMAKE_WASM_LIBCXX_ALGORITHM_SORT_H_
#define WEIR_CMAKE_WASM_LIBCXX_ALGORITHM_SORT_H_

#pragma GCC system_header
#include <__algorithm/iterator_operations.h>
#include <__config>
#include <__iterator/iterator_traits.h>
#include <__utility/move.h>

_LIBCPP_BEGIN_NAMESPACE_STD

inline constexpr unsigned __weir_sort_distances[] = {776591, 345152, 153401, 68178, 30301, 13467, 5985, 2660, 1182,
                                                     525,    233,    103,    46,    20,    9,     4,    1};

template <class _AlgPolicy, class _Iterator, class _Compare>
void __weir_sort(_Iterator __first, _Iterator __last, _Compare& __less) {
  using _Ops = _IterOps<_AlgPolicy>;
  using _Difference = typename iterator_traits<_Iterator>::difference_type;
  const _Difference __size = __last - __first;
  for (const unsigned __listed : __weir_sort_distances) {
    const auto __distance = static_cast<_Difference>(__listed);
    for (_Difference __i = __distance; __i < __size; ++__i) {
      if (!__less(*(__first + __i), *(__first + (__i - __distance)))) continue;
      typename iterator_traits<_Iterator>::value_type __moved(_Ops::__iter_move(__first + __i));
      _Difference __to = __i;
      do {
        *(__first + __to) = _Ops::__iter_move(__first + (__to - __distance));
        __to -= __distance;
      } while (__to >= __distance && __less(__moved, *(__first + (__to - __distance))));
      *(__first + __to) = std::move(__moved);
    }
  }
}

template <class _AlgPolicy, class _Iterator, class _Compare>
  requires true
_LIBCPP_HIDE_FROM_ABI constexpr void __sort_dispatch(_Iterator __first, _Iterator __last, _Compare& __less) {
  std::__weir_sort<_AlgPolicy>(__first, __last, __less);
}

_LIBCPP_END_NAMESPACE_STD

#endif  // WEIR_CMAKE_WASM_LIBCXX_ALGORITHM_SORT_H_

#include_next <__algorithm/sort.h>
