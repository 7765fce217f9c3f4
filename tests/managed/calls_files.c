/**
 * @file calls_files.c
 * @brief Calls about files, streams and sockets. See calls.h.
 */
#include "calls.h"

#include <aio.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

static char scratch[2 * CALL_BYTES];

/* A file of CALL_BYTES bytes that all differ from their neighbours, read from its start. */
static int some_file(void)
{
    const int file = memfd_create("some", MFD_CLOEXEC);
    for (size_t i = 0; i < CALL_BYTES; i++)
        scratch[i] = (char)(i * 7 + i / 256);
    return pwrite(file, scratch, CALL_BYTES, 0) == (ssize_t)CALL_BYTES ? file : -1;
}

static const char *path_of(const char *name)
{
    static char path[4][256];
    static unsigned next;
    char *p = path[next++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", call_folder, name);
    return p;
}

/* What the file holds, as a number. */
static long sum_of(int file)
{
    long sum = 0;
    char part[512];
    for (ssize_t got, at = 0; (got = pread(file, part, sizeof part, at)) > 0; at += got)
        for (ssize_t i = 0; i < got; i++)
            sum = (sum * 31 + part[i]) % 1000003;
    close(file);
    return sum;
}

/* ---- files ---- */

static long reads_in_parts(char *b)
{
    struct iovec parts[500];
    const int file = some_file();
    for (int i = 0; i < 500; i++)
        parts[i] = (struct iovec){i % 3 ? b + 16 * i : scratch + 16 * i, 1 + (size_t)i % 16};
    const long answer = call_answer(preadv(file, parts, 500, 100));
    close(file);
    return answer;
}

static long writes_in_parts(char *b)
{
    struct iovec parts[500];
    const int file = memfd_create("out", MFD_CLOEXEC);
    memset(scratch, 's', sizeof scratch);
    for (int i = 0; i < 500; i++)
        parts[i] = (struct iovec){i % 3 ? b + 16 * i : scratch + 16 * i, 1 + (size_t)i % 16};
    const long answer = call_answer(pwritev2(file, parts, 500, 0, 0));
    return answer < 0 ? answer : answer * 1000003 + sum_of(file);
}

static void fill_offsets(char *b)
{
    memcpy(b, (long[]){100, 3000}, 16);
}

static long copies_a_range(char *b)
{
    const int from = some_file(), to = memfd_create("to", MFD_CLOEXEC);
    const long answer = call_answer(copy_file_range(from, (off_t *)b, to, (off_t *)(b + 8), 500, 0));
    close(from);
    return answer < 0 ? answer : answer * 1000003 + sum_of(to);
}

static long splices(char *b)
{
    int ends[2];
    const int file = some_file();
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    const long answer = call_answer(splice(file, (off_t *)b, ends[1], NULL, 300, 0));
    close(file);
    close(ends[0]);
    close(ends[1]);
    return answer;
}

static long splices_into_memory(char *b)
{
    int ends[2];
    const struct iovec part = {b + 5, 1000};
    if (pipe2(ends, O_CLOEXEC) != 0 || write(ends[1], "0123456789", 10) != 10)
        return -errno;
    const long answer = call_answer(vmsplice(ends[0], &part, 1, 0));
    close(ends[0]);
    close(ends[1]);
    return answer;
}

static long locks(char *b)
{
    const int file = some_file();
    *(struct flock *)b = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 5, .l_len = 10};
    const long set = call_answer(fcntl(file, F_SETLK, call_away(b)));
    const long got = call_answer(fcntl(file, F_GETLK, call_away(b)));
    close(file);
    return set * 1000 + got;
}

static long size_of_a_terminal(char *b)
{
    return call_answer(ioctl(some_file(), TIOCGWINSZ, b));
}

static long attributes(char *b)
{
    const char *path = path_of("file");
    close(open(path, O_CREAT | O_CLOEXEC, 0600));
    strcpy(b, "user.umlab");
    strcpy(b + 4096, "a value");
    call_away(b);
    const long set = call_answer(setxattr(path, b, b + 4096, 7, 0));
    const long got = call_answer(getxattr(path, "user.umlab", call_away(b + 100), 50));
    const long list = call_answer(listxattr(path, call_away(b + 200), 50));
    return set * 10000 + got * 100 + (list > 0); /* the system may have attributes of its own */
}

static long reads_a_folder(char *b)
{
    close(open(path_of("file"), O_CREAT | O_CLOEXEC, 0600));
    const int folder = open(call_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const long answer = call_answer(getdents64(folder, b, CALL_BYTES));
    close(folder);
    return answer;
}

/* Each of these names a file by text in the buffer. */
static char *named(char *b, size_t at, const char *name)
{
    return call_away(strcpy(b + at, path_of(name)));
}

static long makes_links(char *b)
{
    long failures = 0;
    failures +=
        close(open(named(b, 4000, "one"), O_CREAT | O_EXCL | O_CLOEXEC, 0600)) != 0; /* over two pages */
    failures += link(named(b, 0, "one"), named(b, 300, "two")) != 0;
    failures += symlink(named(b, 0, "two"), named(b, 300, "three")) != 0;
    failures += rename(named(b, 0, "one"), named(b, 300, "four")) != 0;
    failures +=
        renameat2(AT_FDCWD, named(b, 0, "four"), AT_FDCWD, named(b, 300, "one"), RENAME_NOREPLACE) != 0;
    failures += readlink(named(b, 0, "three"), b + 300, 100) != (ssize_t)strlen(path_of("two"));
    failures += unlink(named(b, 0, "two")) != 0;
    failures += access(named(b, 0, "two"), F_OK) != -1 || errno != ENOENT;
    failures += unlinkat(AT_FDCWD, named(b, 0, "three"), 0) != 0;
    failures += remove(named(b, 0, "one")) != 0;
    return failures;
}

static long makes_folders(char *b)
{
    long failures = 0;
    failures += mkdir(named(b, 0, "folder"), 0700) != 0;
    failures += mkdirat(AT_FDCWD, named(b, 0, "folder/inner"), 0700) != 0;
    failures += mkfifo(named(b, 0, "fifo"), 0600) != 0;
    failures += chmod(named(b, 0, "fifo"), 0400) != 0;
    failures += truncate(named(b, 0, "nothing"), 1) != -1 || errno != ENOENT;
    failures += rmdir(named(b, 0, "folder/inner")) != 0;
    failures += rmdir(named(b, 0, "folder")) != 0;
    return failures;
}

static long makes_files_of_their_own_name(char *b)
{
    const int one = mkstemp(named(b, 0, "aXXXXXX")), two = mkostemp(named(b, 1000, "bXXXXXX"), O_CLOEXEC);
    const bool named_folder = mkdtemp(named(b, 2000, "cXXXXXX")) == b + 2000;
    const long right = (one >= 0) + (access(b, F_OK) == 0) + (two >= 0) + (access(b + 1000, F_OK) == 0) +
                       named_folder + (rmdir(b + 2000) == 0);
    close(one);
    close(two);
    return right;
}

static long opens_a_folder(char *b)
{
    DIR *folder = opendir(named(b, 0, "."));
    struct dirent **names = NULL;
    const int count = scandir(named(b, 0, "."), &names, NULL, NULL);
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return folder ? closedir(folder) * 100 + count : -errno;
}

static void fill_times(char *b)
{
    memcpy(b, (struct timespec[]){{1000, 5}, {2000, 6}}, 32);
}

static long sets_times(char *b)
{
    struct stat status;
    const char *path = path_of("file");
    close(open(path, O_CREAT | O_CLOEXEC, 0600));
    const long answer = call_answer(utimensat(AT_FDCWD, path, (struct timespec *)b, 0));
    return stat(path, &status) == 0 ? answer + status.st_atime * 10 + status.st_mtime : -errno;
}

/* ---- streams ---- */

static long as_text(char *b)
{
    b[CALL_BYTES - 1] = '\0';
    return 0;
}

/* Longer than a stream's buffer: the C library hands the text on as it is. */
static long prints_long_text(char *b)
{
    const int file = memfd_create("out", MFD_CLOEXEC);
    FILE *stream = fdopen(dup(file), "w");
    const int printed = fprintf(stream, "%s|%d|%s", b, 77, b + 1), put = fputs(call_away(b), stream);
    const bool done = fclose(stream) == 0;
    const int directly = dprintf(file, "%s", (char *)call_away(b + 2));
    return printed * 10 + (put >= 0) + done + directly + sum_of(file);
}

static void fill_text(char *b)
{
    for (size_t i = 0; i < CALL_BYTES; i++)
        b[i] = (char)('a' + i % 26);
    as_text(b);
}

static long reads_whole_items(char *b)
{
    const int file = some_file();
    FILE *stream = fdopen(file, "r");
    if (ftruncate(file, 5000) != 0)
        return -errno;
    const size_t items = fread(b + 3, 600, 13, stream), none = fread(b + 3, 600, 13, stream);
    fclose(stream);
    memset(b + 3 + 600 * items, 0, 600); /* C leaves open what is in a part of an item */
    return (long)(items * 100 + none);
}

static long gives_a_stream_its_buffer(char *b)
{
    const int file = some_file();
    FILE *stream = fdopen(file, "r+");
    setvbuf(stream, b, _IOFBF, 4096);
    long sum = 0;
    for (int c; (c = fgetc(stream)) != EOF;)
        sum = (sum * 31 + c) % 1000003;
    rewind(stream);
    call_away(b);
    for (int i = 0; i < 5000; i++)
        fputc('p', stream);
    call_away(b);
    fflush(stream);
    sum = sum * 31 + sum_of(dup(file));
    return fclose(stream) == 0 ? sum : -errno;
}

/* ---- asynchronous ---- */

static long settles(struct aiocb *block)
{
    const struct aiocb *list[] = {block};
    while (aio_error(block) == EINPROGRESS)
        aio_suspend(list, 1, NULL);
    return aio_error(block) ? -aio_error(block) : aio_return(block);
}

static long lists_of_asynchronous_calls(char *b)
{
    const int file = some_file();
    struct aiocb one = {.aio_fildes = file, .aio_buf = b, .aio_nbytes = 3000, .aio_lio_opcode = LIO_READ},
                 two = {.aio_fildes = file, .aio_buf = b + 3000, .aio_nbytes = 5192, .aio_offset = 3000};
    two.aio_lio_opcode = LIO_READ;
    struct aiocb *list[] = {&one, NULL, &two};
    const long listed = call_answer(lio_listio(LIO_WAIT, list, 3, NULL));
    const long sum = settles(&one) * 10 + settles(&two);
    const bool own = one.aio_buf == b && two.aio_buf == b + 3000;
    one = (struct aiocb){.aio_fildes = file, .aio_buf = b + 1, .aio_nbytes = 100, .aio_offset = 50};
    const long written = call_away(b) && aio_write(&one) == 0 ? settles(&one) : -errno;
    return listed + sum + own + written + (one.aio_buf == b + 1) + sum_of(file);
}

static long submits_to_the_kernel(char *b)
{
    aio_context_t context = 0;
    struct io_event events[2];
    const int file = some_file();
    struct iovec parts[2] = {{b + 5000, 100}, {b + 6000, 100}};
    struct iocb one = {.aio_fildes = (unsigned)file, .aio_lio_opcode = IOCB_CMD_PREAD, .aio_nbytes = 4200},
                two = {.aio_fildes = (unsigned)file, .aio_lio_opcode = IOCB_CMD_PREADV, .aio_nbytes = 2};
    one.aio_buf = (unsigned long)b;
    two.aio_buf = (unsigned long)parts;
    struct iocb *list[] = {&one, &two};
    if (syscall(SYS_io_setup, 4, &context) != 0)
        return -errno;
    const long put = call_answer(syscall(SYS_io_submit, context, 2L, list));
    const long got = call_answer(syscall(SYS_io_getevents, context, 2L, 2L, events, NULL));
    const bool own = one.aio_buf == (unsigned long)b && two.aio_buf == (unsigned long)parts;
    syscall(SYS_io_destroy, context);
    close(file);
    return put * 1000 + got * 100 + own + (got == 2 ? events[0].res + events[1].res : 0);
}

const struct call_case calls_of_files[] = {
    {"preadv: 500 parts, a third of them elsewhere", reads_in_parts, NULL, false},
    {"pwritev2: 500 parts, a third of them elsewhere", writes_in_parts, NULL, false},
    {"copy_file_range: both offsets", copies_a_range, fill_offsets, false},
    {"splice: offset", splices, fill_offsets, false},
    {"vmsplice: out of a pipe", splices_into_memory, NULL, false},
    {"fcntl: a lock", locks, NULL, false},
    {"ioctl: of what is no terminal", size_of_a_terminal, NULL, false},
    {"setxattr, getxattr, listxattr", attributes, NULL, true},
    {"getdents64", reads_a_folder, NULL, true},
    {"link, symlink, rename, readlink, unlink", makes_links, NULL, true},
    {"mkdir, mkfifo, chmod, rmdir", makes_folders, NULL, true},
    {"mkstemp, mkostemp, mkdtemp", makes_files_of_their_own_name, NULL, true},
    {"opendir, scandir", opens_a_folder, NULL, true},
    {"utimensat", sets_times, fill_times, false},
    {"fprintf, fputs, dprintf: 8 KiB of text", prints_long_text, fill_text, false},
    {"fread: whole items", reads_whole_items, NULL, false},
    {"setvbuf: reads and writes through it", gives_a_stream_its_buffer, NULL, true},
    {"lio_listio, aio_write", lists_of_asynchronous_calls, NULL, false},
    {0},
};

/* A graded program gets EFAULT here. */
const struct call_case calls_that_the_kernel_ends[] = {
    {"io_submit", submits_to_the_kernel, NULL, false},
    {0},
};
