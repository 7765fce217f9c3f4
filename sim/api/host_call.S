/**
 * @file host_call.S
 * @brief Calls a host function in a frame that exceptions cannot pass (host_function.h).
 *
 * The frame has no unwind information on purpose. A C++ runtime that looks for a handler stops there, finds that
 * none exists, and calls std::terminate().
 */
    .text
    .globl umsim_call_alone
    .hidden umsim_call_alone
    .type umsim_call_alone, %function
umsim_call_alone:
#if defined(__x86_64__)
    push %rbp
    mov %rsp, %rbp
    mov %rdi, %rax
    mov %rsi, %rdi
    mov %rdx, %rsi
    mov %rcx, %rdx
    call *%rax
    pop %rbp
    ret
#elif defined(__aarch64__)
    stp x29, x30, [sp, #-16]!
    mov x29, sp
    mov x9, x0
    mov x0, x1
    mov x1, x2
    mov x2, x3
    blr x9
    ldp x29, x30, [sp], #16
    ret
#else
#error "umsim_call_alone: write the call for this processor"
#endif
    .size umsim_call_alone, . - umsim_call_alone
    .section .note.GNU-stack, "", %progbits
