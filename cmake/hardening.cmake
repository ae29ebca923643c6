# What WEIR_HARDEN adds to all programs and libraries: checks of sizes in the C library's functions, guards of return
# addresses, addresses that differ from run to run, and tables of addresses that are read-only after loading.
include(CheckCXXCompilerFlag)
# Some distributions' compilers define it on their own.
add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>
                    -fstack-protector-strong)
check_cxx_compiler_flag(-fcf-protection=full WEIR_HAS_CF_PROTECTION)  # x86
if(WEIR_HAS_CF_PROTECTION)
  add_compile_options(-fcf-protection=full)
endif()
check_cxx_compiler_flag(-fstack-clash-protection WEIR_HAS_STACK_CLASH_PROTECTION)
if(WEIR_HAS_STACK_CLASH_PROTECTION)
  add_compile_options(-fstack-clash-protection)
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
endif()
