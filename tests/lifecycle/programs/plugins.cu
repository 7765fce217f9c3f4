/**
 * @file plugins.cu
 * @brief A program that opens and closes libraries with kernels: `plugins MODE [ROUNDS]`. Modes are the
 * functions below.
 *
 * Exit 0 when each round found the library's variables as its file has them, its kernels came to the right
 * numbers, and nothing was left over; else 1, and what did not hold.
 */
#include "../../programs/need.h"

#include <atomic>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static int rounds = 20;

struct plugin {
    void *library;
    cudaError_t (*launch)(int *);
    int (*runs)();
    cudaError_t (*limit)(int);
    int (*limit_now)();
};

static std::string path_of(int number)
{
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    *strrchr(self, '/') = '\0';
    return std::string(self) + "/plugin_" + std::to_string(number) + ".so";
}

static plugin open_file(const std::string &path)
{
    plugin it = {dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL), NULL, NULL, NULL, NULL};
    HOLDS(it.library != NULL, "%s", dlerror());
    *(void **)&it.launch = dlsym(it.library, "plugin_launch");
    *(void **)&it.runs = dlsym(it.library, "plugin_runs");
    *(void **)&it.limit = dlsym(it.library, "plugin_limit");
    *(void **)&it.limit_now = dlsym(it.library, "plugin_limit_now");
    return it;
}

static plugin open_plugin(int number)
{
    return open_file(path_of(number));
}

static void close_plugin(const plugin &it)
{
    HOLDS(dlclose(it.library) == 0, "%s", dlerror());
    HOLDS(!dlopen(path_of(1).c_str(), RTLD_NOW | RTLD_NOLOAD) ||
              !dlopen(path_of(2).c_str(), RTLD_NOW | RTLD_NOLOAD),
          "no library was closed");
}

static int value_of(const int *device)
{
    int value = -1;
    NEED(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

/* Runs the plugin's kernel twice. */
static void use(const plugin &it, int *sum)
{
    HOLDS(it.runs() == 0, "a fresh library's runs: %d", it.runs());
    NEED(it.launch(sum));
    NEED(cudaDeviceSynchronize());
    NEED(it.launch(sum));
    NEED(cudaDeviceSynchronize());
    HOLDS(it.runs() == 2, "runs after two: %d", it.runs());
}

static int *new_sum()
{
    int *sum;
    NEED(cudaMalloc((void **)&sum, sizeof *sum));
    NEED(cudaMemset(sum, 0, sizeof *sum));
    NEED(cudaDeviceSynchronize());
    return sum;
}

/* ---- what may not grow ---- */

struct owned {
    int mappings, descriptors;
};

static owned owned_now()
{
    owned now = {0, 0};
    FILE *maps = fopen("/proc/self/maps", "r");
    for (int c; (c = getc(maps)) != EOF;)
        now.mappings += c == '\n';
    fclose(maps);
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder))
        now.descriptors++;
    closedir(folder);
    return now;
}

/* ---- modes ---- */

static void in_turn()
{
    int *sum = new_sum(), same = 0;
    const void *first = NULL;
    owned before = {0, 0};
    for (int round = 0; round < rounds; round++) {
        for (int number = 1; number <= 2; number++) {
            const plugin it = open_plugin(number);
            first = first ? first : (const void *)it.launch;
            same += (const void *)it.launch == first;
            use(it, sum);
            close_plugin(it);
        }
        if (round == 1)
            before = owned_now();
    }
    const owned after = owned_now();
    HOLDS(value_of(sum) == rounds * 2 * (1 + 2), "the sum is %d", value_of(sum));
    HOLDS(after.mappings == before.mappings, "%d mappings, then %d", before.mappings, after.mappings);
    HOLDS(after.descriptors == before.descriptors, "%d descriptors, then %d", before.descriptors,
          after.descriptors);
    HOLDS(same == rounds, "the library came to the same address %d times", same);
}

/* What lies where a library was keeps the next one from there. */
static void at_other_addresses()
{
    int *sum = new_sum();
    std::vector<const void *> places;
    for (int round = 0; round < rounds; round++) {
        const plugin it = open_plugin(1 + round % 2);
        const void *place = (const void *)it.launch;
        for (const void *other : places)
            HOLDS(place != other, "round %d: the library came to an address again", round);
        places.push_back(place);
        use(it, sum);
        close_plugin(it);
        void *in_the_way = (void *)((uintptr_t)place & ~(uintptr_t)4095);
        HOLDS(mmap(in_the_way, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) ==
                  in_the_way,
              "round %d: the library's place is taken", round);
    }
    HOLDS(value_of(sum) == 2 * (rounds / 2 * 3 + rounds % 2), "the sum is %d", value_of(sum));
}

__global__ void slow(int *steps)
{
    for (int i = 0; i < 200000; i++)
        atomicAdd(steps, 1);
}

/* Under UMSIM_SCHED=eager the kernels of the other stream run while a library comes and goes. */
static void while_others_run()
{
    int *sum = new_sum(), *steps = new_sum();
    cudaStream_t stream;
    NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int round = 0; round < rounds; round++) {
        slow<<<1, 1, 0, stream>>>(steps);
        const plugin it = open_plugin(1 + round % 2);
        slow<<<1, 1, 0, stream>>>(steps);
        use(it, sum);
        slow<<<1, 1, 0, stream>>>(steps);
        close_plugin(it);
    }
    NEED(cudaDeviceSynchronize());
    HOLDS(value_of(steps) == rounds * 600000, "%d steps", value_of(steps));
    HOLDS(value_of(sum) == 2 * (rounds / 2 * 3 + rounds % 2), "the sum is %d", value_of(sum));
}

static void by_two_threads()
{
    int *sums[2] = {new_sum(), new_sum()};
    std::vector<std::thread> threads;
    for (int number = 1; number <= 2; number++)
        threads.emplace_back([=] {
            for (int round = 0; round < rounds; round++) {
                const plugin it = open_plugin(number);
                use(it, sums[number - 1]);
                HOLDS(dlclose(it.library) == 0, "%s", dlerror());
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    for (int number = 1; number <= 2; number++)
        HOLDS(value_of(sums[number - 1]) == 2 * number * rounds, "the sum of %d is %d", number,
              value_of(sums[number - 1]));
}

/* Nobody waits before the library is closed. */
static void with_work_queued()
{
    int *sum = new_sum();
    for (int round = 0; round < rounds; round++) {
        const plugin it = open_plugin(2);
        NEED(it.launch(sum));
        NEED(it.launch(sum));
        close_plugin(it);
    }
    NEED(cudaDeviceSynchronize());
    HOLDS(value_of(sum) == 4 * rounds, "the sum is %d", value_of(sum));
}

/* What was set for a kernel is not a kernel's that later lies at the same address. */
static void settings_end_with_it()
{
    for (int round = 0; round < rounds; round++) {
        const plugin it = open_plugin(1);
        HOLDS(it.limit_now() == 48 << 10, "round %d: %d", round, it.limit_now());
        NEED(it.limit(8192 + round));
        HOLDS(it.limit_now() == 8192 + round, "round %d: %d", round, it.limit_now());
        close_plugin(it);
    }
}

static void close_in_a_host_function(void *library)
{
    dlclose(library);
}

static void in_a_host_function()
{
    int *sum = new_sum();
    for (int round = 0; round < rounds; round++) {
        const plugin it = open_plugin(1 + round % 2);
        use(it, sum);
        NEED(cudaLaunchHostFunc(0, close_in_a_host_function, it.library));
        NEED(cudaStreamSynchronize(0));
    }
    HOLDS(value_of(sum) == 2 * (rounds / 2 * 3 + rounds % 2), "the sum is %d", value_of(sum));
}

/* A forked child that closes the library, and one that exits with it, take nothing from the parent. */
static void in_children()
{
    int *sum = new_sum(), status;
    const plugin it = open_plugin(1);
    use(it, sum);
    for (int child = 0; child < 2; child++) {
        const pid_t pid = fork();
        if (pid == 0) {
            if (child == 0)
                dlclose(it.library);
            exit(0);
        }
        HOLDS(waitpid(pid, &status, 0) == pid && status == 0, "child %d: status %#x", child, status);
    }
    NEED(it.launch(sum));
    NEED(cudaDeviceSynchronize());
    HOLDS(it.runs() == 3, "runs: %d", it.runs());
    const plugin other = open_plugin(2);
    use(other, sum);
    close_plugin(other);
    close_plugin(it);
}

static std::string copy_of(const std::string &path, int number)
{
    const std::string copy =
        "/tmp/umlab-plugin-" + std::to_string(getpid()) + "-" + std::to_string(number) + ".so";
    HOLDS(system(("cp " + path + " " + copy).c_str()) == 0, "cp");
    return copy;
}

/* More modules than there are places: the program ends, with a line. */
static void too_many()
{
    for (int i = 0; i < 70; i++) {
        const std::string copy = copy_of(path_of(1), i);
        const plugin it = open_file(copy);
        unlink(copy.c_str());
        (void)it;
    }
    int *sum = new_sum();
    printf("%p\n", (void *)sum);
}

/* A thread that waits for ever holds up neither the program's end nor the libraries'. */
static void at_the_end()
{
    static std::atomic<bool> waits;
    int *sum = new_sum();
    const plugin it = open_plugin(1);
    use(it, sum);
    cudaStream_t stream;
    NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    NEED(cudaLaunchHostFunc(
        stream,
        [](void *) {
            waits = true;
            for (;;)
                pause();
        },
        NULL));
    std::thread([stream] { (void)cudaStreamSynchronize(stream); }).detach();
    while (!waits)
        std::this_thread::yield();
    exit(0);
}

static const struct {
    const char *name;
    void (*run)();
} modes[] = {
    {"in-turn", in_turn},
    {"at-other-addresses", at_other_addresses},
    {"while-others-run", while_others_run},
    {"by-two-threads", by_two_threads},
    {"with-work-queued", with_work_queued},
    {"settings-end-with-it", settings_end_with_it},
    {"in-a-host-function", in_a_host_function},
    {"in-children", in_children},
    {"too-many", too_many},
    {"at-the-end", at_the_end},
};

int main(int count, char **words)
{
    if (count > 2)
        rounds = atoi(words[2]);
    for (const auto &mode : modes)
        if (count > 1 && strcmp(words[1], mode.name) == 0) {
            mode.run();
            return 0;
        }
    return 3;
}
