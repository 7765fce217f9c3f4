/**
 * @file source.c
 * @brief Takes the files from a submission, and builds its library in the sandbox.
 */
#include "library.h"
#include "sandbox.h"
#include "grade.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/** The largest source file that a student may hand in. */
#define SOURCE_MAX ((size_t)1 << 20)
/**
 * What a compilation may take, in seconds of processor time, and of real time, times GRADE_TIMEOUT_SCALE. 0.2
 * s is usual.
 */
#define BUILD_CPU_SECONDS 10
#define BUILD_SECONDS 20.0
/** The compiler's path in the sandbox, where PATH is not the grader's. */
#define COMPILER "/usr/bin/gcc"
#define BUILD_MEMORY ((size_t)2 << 30)
#define BUILD_FILE ((size_t)64 << 20)
#define BUILD_FILES 16
#define WORKSPACE "umgrade-"
/** What a workspace is called until it is locked; one that is older than this will not be locked any more. */
#define UNLOCKED "umgrade.new-"
#define JUST_MADE_SECONDS 60

static void make_folder(const char *name, mode_t mode)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", um_job.workspace, name);
    if (mkdir(path, mode) != 0)
        um_cannot("cannot make %s: %s", path, strerror(errno));
    um_sandbox_give(path);
}

/* Reads a whole file, which has to be regular and of a sane size. A link is refused: the grader may be
 * able to read its target when the student may not. */
static char *read_source(const char *folder, const char *name, size_t *length, const char **why)
{
    char *text = NULL;
    struct stat what;
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int fd = at < 0 ? -1 : openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    *why = fd < 0 ? errno == ELOOP ? "is a symbolic link" : strerror(errno) : NULL;
    if (fd >= 0 && (fstat(fd, &what) != 0 || !S_ISREG(what.st_mode)))
        *why = "is not a plain file";
    else if (fd >= 0 && (size_t)what.st_size > SOURCE_MAX)
        *why = "is longer than 1 MiB";
    else if (fd >= 0 && (text = malloc(SOURCE_MAX + 1))) {
        ssize_t got;
        for (*length = 0; *length < SOURCE_MAX && (got = read(fd, text + *length, SOURCE_MAX - *length)) > 0;)
            *length += (size_t)got;
    }
    if (fd >= 0)
        close(fd);
    if (at >= 0)
        close(at);
    return text;
}

static void write_source(const char *name, const char *text, size_t length)
{
    char path[300];
    snprintf(path, sizeof path, "%s/src/%s", um_job.workspace, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, text, length) != (ssize_t)length)
        um_cannot("cannot write %s: %s", path, strerror(errno));
    close(fd);
    um_sandbox_give(path);
}

static void take(const char *folder, const char *name)
{
    const char *why;
    size_t length;
    char *text = read_source(folder, name, &length, &why);
    if (!text)
        um_cannot("%s/%s %s", folder, name, why);
    write_source(name, text, length);
    free(text);
}

/* Takes all headers of a folder. */
static void take_headers(const char *from)
{
    DIR *folder = opendir(from);
    if (!folder)
        um_cannot("cannot read %s: %s", from, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (length <= 2 || strcmp(entry->d_name + length - 2, ".h") != 0)
            continue;
        take(from, entry->d_name);
    }
    closedir(folder);
}

static char refused[300]; /* why exercise.c was not taken */

const char *um_scratch(void)
{
    const char *wanted = getenv("TMPDIR");
    return wanted && *wanted ? wanted : "/tmp";
}

static int forget(const char *path, const struct stat *what, int type, struct FTW *at)
{
    (void)what, (void)type, (void)at;
    return remove(path);
}

/* A grader locks its workspace as long as it lives, so an unlocked workspace was left by a grader that was
 * killed. The owner is checked because any user can make such a name in /tmp. */
static void remove_if_abandoned(int scratch, const char *name, time_t older_than)
{
    char path[4200];
    struct stat what;
    int fd = openat(scratch, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &what) == 0 && (what.st_uid == geteuid() || um_sandbox_is_own(what.st_uid)) &&
        time(NULL) - what.st_mtime >= older_than && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        snprintf(path, sizeof path, "%s/%s", um_scratch(), name);
        nftw(path, forget, 16, FTW_DEPTH | FTW_PHYS);
    }
    close(fd);
}

static void remove_abandoned(void)
{
    DIR *folder = opendir(um_scratch());
    if (!folder)
        return;
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (strncmp(entry->d_name, WORKSPACE, strlen(WORKSPACE)) == 0)
            remove_if_abandoned(dirfd(folder), entry->d_name, 0);
        else if (strncmp(entry->d_name, UNLOCKED, strlen(UNLOCKED)) == 0)
            remove_if_abandoned(dirfd(folder), entry->d_name, JUST_MADE_SECONDS);
    closedir(folder);
}

/* It gets its name when it is locked, so that whatever has such a name and no lock was left behind. */
static void make_workspace(void)
{
    char *unlocked = um_text("%s/" UNLOCKED "XXXXXX", um_scratch());
    if (!mkdtemp(unlocked))
        um_cannot("cannot make %s: %s", unlocked, strerror(errno));
    int fd = open(unlocked, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || flock(fd, LOCK_SH | LOCK_NB) != 0)
        um_cannot("cannot lock %s: %s", unlocked, strerror(errno));
    /* cut off, it would be another folder's name */
    if (snprintf(um_job.workspace, sizeof um_job.workspace, "%s/" WORKSPACE "%s", um_scratch(),
                 strrchr(unlocked, '-') + 1) >= (int)sizeof um_job.workspace) {
        um_job.workspace[0] = '\0';
        rmdir(unlocked);
        um_cannot("TMPDIR's name has %zu bytes, which is too long", strlen(um_scratch()));
    }
    if (rename(unlocked, um_job.workspace) != 0)
        um_cannot("cannot make %s: %s", um_job.workspace, strerror(errno));
    free(unlocked);
}

void um_source_check_limits(void)
{
    struct rlimit most;
    if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < BUILD_FILE)
        um_cannot("the limit on the size of files (ulimit -f) is %llu KiB, and a build may need %zu MiB; "
                  "raise it, or "
                  "have none: memory that the GPU shares comes under it, too",
                  (unsigned long long)most.rlim_cur >> 10, BUILD_FILE >> 20);
}

void um_source_take(void)
{
    const char *why;
    size_t length;
    remove_abandoned();
    make_workspace();
    um_sandbox_give(um_job.workspace);
    make_folder("src", 0700);
    make_folder("lib", 0700);
    take_headers(um_job.lab_dir);
    char *text = read_source(um_job.submission, "exercise.c", &length, &why);
    if (text)
        write_source("exercise.c", text, length);
    else
        snprintf(refused, sizeof refused, "exercise.c: %s", why);
    free(text);
}

void um_workspace_remove(void)
{
    if (um_job.workspace[0])
        nftw(um_job.workspace, forget, 16, FTW_DEPTH | FTW_PHYS);
    um_job.workspace[0] = '\0';
}

int um_said_read(struct um_said *said, int fd)
{
    char rest[4096];
    size_t capacity = UM_SAID_MAX - said->length;
    ssize_t got = read(fd, capacity ? said->text + said->length : rest, capacity ? capacity : sizeof rest);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    if (got == 0)
        return -1;
    if (!capacity)
        said->cut = true;
    for (; capacity && got > 0; got--, said->length++)
        if (!said->text[said->length])
            said->text[said->length] = '\1'; /* the text does not end here; um_clean() shows either alike */
    return 1;
}

/* @return whether the compiler ended by itself, and well */
static bool watch(pid_t pid, int output, struct um_said *said)
{
    struct um_deadline deadline = um_deadline(0, BUILD_SECONDS * um_job.timeout_scale);
    int status = 0;
    bool open = true, ended = false;
    while (open && um_in_time(&deadline, pid)) {
        struct pollfd ready = {output, POLLIN, 0};
        poll(&ready, 1, 100);
        open = um_said_read(said, output) >= 0;
    }
    while (!ended && um_in_time(&deadline, pid)) {
        ended = waitpid(pid, &status, WNOHANG) == pid;
        if (!ended)
            usleep(500);
    }
    if (!ended)
        um_sandbox_stop(pid);
    said->text[said->length] = '\0';
    said->too_much = !ended || WIFSIGNALED(status);
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Makes a library of exercise.c, or, where `headers_only`, of the course's exercise.h. It is linked alone,
 * and without the compiler's start files (start.c says why): library.c has to find in it nothing but what
 * exercise.c brought. */
static bool compile(bool headers_only, size_t memory_bytes, struct um_said *said)
{
    int output[2];
    char *src = um_text("%s/src", um_job.workspace), *lib = um_text("%s/lib", um_job.workspace);
    char *sandbox_dir = um_text("%s/grade/sandbox", um_job.build),
         *libumsim = um_text("%s/lib", um_job.build);
    char *sim = um_text("%s/sim/include", um_job.root), *kernels = um_text("%s/kernels", um_job.root);
    char *common = um_text("%s/common", um_job.root);
    char *argv[] = {COMPILER,
                    "-std=gnu11",
                    "-D_GNU_SOURCE=",
                    "-DUMLAB_SIM",
                    "-O2",
                    "-g",
                    "-fcallgraph-info", /* um_source_line() reads it */
                    "-pipe",
                    "-Wall",
                    "-fPIC",
                    "-shared",
                    "-nostartfiles",
                    "-Wl,-z,now",
                    "-Wl,-z,relro",
                    "-Wl,--hash-style=gnu",
                    "-Wl,--no-undefined",
                    "-I.",
                    um_text("-I%s", sim),
                    um_text("-I%s", kernels),
                    um_text("-I%s", common),
                    "-o",
                    um_text("%s/%s.so", lib, headers_only ? "headers" : "submission"),
                    um_text("%s/start.o", sandbox_dir),
                    "-x",
                    "c",
                    headers_only ? "exercise.h" : "exercise.c",
                    um_text("-L%s", sandbox_dir),
                    um_text("-L%s", libumsim),
                    "-lumlab",
                    "-lumsim",
                    "-lm",
                    NULL};
    if (pipe2(output, O_CLOEXEC) != 0)
        um_cannot("no pipe: %s", strerror(errno));
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    const struct um_sandbox_plan plan = {.read = {"/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache",
                                                  "/etc/alternatives", src, sandbox_dir, libumsim, sim,
                                                  kernels, common},
                                         .write = lib,
                                         .folder = src,
                                         .argv = argv,
                                         .input = -1,
                                         .output = output[1],
                                         .fork_server = -1,
                                         .memory_bytes = memory_bytes,
                                         .file_bytes = BUILD_FILE,
                                         .cpu_seconds = BUILD_CPU_SECONDS};
    pid_t pid = um_sandbox_start(&plan);
    close(output[1]);
    const bool ok = watch(pid, output[0], said);
    close(output[0]);
    return ok;
}

/* The same compiler on the course's own part alone, with half of the memory: where that fails, or where a
 * build has no room, it is the machine that failed. */
static void blame_the_machine(void)
{
    static struct um_said said;
    struct statvfs disk;
    struct rlimit memory = {BUILD_MEMORY, BUILD_MEMORY};
    if (statvfs(um_job.workspace, &disk) != 0 || disk.f_bavail < BUILD_FILE / disk.f_frsize ||
        (disk.f_files && disk.f_favail < BUILD_FILES))
        um_cannot("a build fails, and %s has not the %zu MiB and %d files free that a build may need",
                  um_scratch(), BUILD_FILE >> 20, BUILD_FILES);
    getrlimit(RLIMIT_AS, &memory);
    if (!compile(true, (memory.rlim_max < BUILD_MEMORY ? memory.rlim_max : BUILD_MEMORY) / 2, &said))
        um_cannot("the compiler fails on the course's own exercise.h, too (memory? processes?): %s",
                  said.length ? said.text : "it says nothing");
}

/* A file of the grader's own, or one that the compiler made: mapped, for reading. NULL when it is not there.
 */
static const void *map_file(const char *path, size_t *size)
{
    struct stat what;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    void *bytes = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &what) == 0 && S_ISREG(what.st_mode)) {
        *size = (size_t)what.st_size;
        bytes = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    if (fd >= 0)
        close(fd);
    return bytes == MAP_FAILED ? NULL : bytes;
}

static struct {
    const void *bytes;
    size_t size;
} ours[3]; /* CUDA's and the simulator's names first */

static void open_ours(void)
{
    if (!ours[0].bytes) {
        const char *const path[] = {um_text("%s/lib/libumsim.so", um_job.build),
                                    um_text("%s/grade/sandbox/libumlab.so", um_job.build),
                                    um_text("%s/grade/sandbox/%s.so", um_job.build, um_job.lab)};
        for (int i = 0; i < 3; i++)
            if (!(ours[i].bytes = map_file(path[i], &ours[i].size)))
                um_cannot("cannot read %s: %s", path[i], strerror(errno));
    }
}

/* Names of CUDA's, the simulator's, the kernels' and of calls.c. The simulator also stands in for functions
 * of the C library; those names are nobody's, and whoever defines one has it for himself. */
static bool is_ours(const char *name)
{
    static void *libc, *libm;
    open_ours();
    if (!libc) {
        libc = dlopen("libc.so.6", RTLD_NOW);
        libm = dlopen("libm.so.6", RTLD_NOW);
    }
    if ((libc && dlsym(libc, name)) || (libm && dlsym(libm, name)))
        return false;
    for (int i = 0; i < 3; i++)
        if (um_library_defines(ours[i].bytes, ours[i].size, name))
            return true;
    return false;
}

/* What was built is looked through before anything loads it. */
static bool is_plain(struct um_build *build, const char *const *functions)
{
    struct um_library library = {.is_ours = is_ours};
    char why[400] = "";
    char *path = um_text("%s/lib/submission.so", um_job.workspace);
    library.bytes = map_file(path, &library.size);
    if (!library.bytes)
        um_cannot("cannot read %s: %s", path, strerror(errno));
    for (int i = 0; i + 1 < UM_LIBRARY_NEEDS && functions[i]; i++)
        library.needs[i] = functions[i];
    const bool plain = um_library_is_plain(&library, why, sizeof why);
    if (!plain) {
        char *said = um_text("%s\n%s", why, build->log);
        snprintf(build->log, sizeof build->log, "%s", said);
        free(said);
    }
    munmap((void *)(uintptr_t)library.bytes, library.size);
    free(path);
    return plain;
}

/* Of the compiler's own list: `node: { title: "f" label: "f\nexercise.c:7:13" }`. What it says is the
 * student's where a #line directive says so, and only shown. */
unsigned um_source_line(const char *function)
{
    unsigned line = 0;
    size_t size;
    char *path = um_text("%s/lib/submission.so-exercise.ci", um_job.workspace);
    char *node = um_text("node: { title: \"%s\" label: \"%s\\nexercise.c:", function, function);
    const char *list = map_file(path, &size);
    const char *found = list ? memmem(list, size, node, strlen(node)) : NULL;
    for (const char *at = found ? found + strlen(node) : NULL;
         at && at < list + size && *at >= '0' && *at <= '9' && line < SOURCE_MAX; at++) {
        line = 10 * line + (unsigned)(*at - '0');
    }
    if (list)
        munmap((void *)(uintptr_t)list, size);
    free(node);
    free(path);
    return line;
}

void um_source_build(struct um_build *build, const char *const *functions)
{
    static struct um_said said;
    const double before = um_now();
    if (refused[0]) {
        snprintf(build->log, sizeof build->log, "%s", refused);
        return;
    }
    if (access(COMPILER, X_OK) != 0)
        um_cannot("there is no compiler: %s: %s", COMPILER, strerror(errno));
    build->ok = compile(false, BUILD_MEMORY, &said);
    if (!build->ok)
        blame_the_machine();
    snprintf(build->log, sizeof build->log, "%.*s%s", (int)sizeof build->log - 200, said.text,
             said.too_much ? "\nThe compiler was stopped: it took too much time or memory.\n" : "");
    if (build->ok)
        build->ok = is_plain(build, functions);
    build->seconds = um_now() - before;
}
