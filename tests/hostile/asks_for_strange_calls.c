/* hostile: system calls that no exercise needs */
#include "exercise.h"

#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const long calls[] = {SYS_io_uring_setup, SYS_bpf,           SYS_perf_event_open, SYS_userfaultfd,
                          SYS_keyctl,         SYS_add_key,       SYS_init_module,     SYS_kexec_load,
                          SYS_reboot,         SYS_settimeofday,  SYS_pidfd_open,      SYS_shmget,
                          SYS_msgget,         SYS_inotify_init1, SYS_fanotify_init,   SYS_open_by_handle_at,
                          SYS_memfd_secret};
    for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (syscall(calls[i], 1, 0, 0, 0, 0) >= 0 || errno != EPERM)
            printf("HARM: system call %ld\n", calls[i]);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
