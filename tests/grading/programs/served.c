/**
 * @file served.c
 * @brief Runs a program as a client of a server (sim/server/channel.h), and writes down what the ledger says
 * afterwards.
 *
 *     served LIBRARIES LEDGER.json PROGRAM [ARGUMENT...]
 *
 * LIBRARIES has spawns.so, serves.so and client/libumsim.so. The status is the program's, or 128 and the
 * signal that ended it.
 */
#include "ledger_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int status = 0, file = memfd_create("ledger", 0);
    struct umsim_ledger *ledger = MAP_FAILED;
    char preload[8192], number[20];
    if (argc >= 4 && file >= 0 && ftruncate(file, sizeof *ledger) == 0)
        ledger = mmap(NULL, sizeof *ledger, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (ledger == MAP_FAILED)
        return 2;
    ledger->key = (struct umsim_key){{42, 43}};
    snprintf(number, sizeof number, "%d", file);
    snprintf(preload, sizeof preload, "%s/spawns.so:%s/client/libumsim.so", argv[1], argv[1]);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const pid_t client = fork();
    if (client == 0) {
        personality(personality(UINT32_MAX) |
                    ADDR_COMPAT_LAYOUT); /* what it registers is free in the server */
        setenv("SERVED_LIBRARIES", argv[1], 1);
        setenv("SERVED_LEDGER", number, 1);
        setenv("LD_PRELOAD", preload, 1);
        execv(argv[3], argv + 3);
        perror(argv[3]);
        _exit(127);
    }
    waitpid(client, &status, 0);
    while (wait(NULL) > 0)
        ; /* the server ends behind its client */
    FILE *out = fopen(argv[2], "we");
    if (!out)
        return 2;
    write_ledger(out, ledger);
    fclose(out);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
