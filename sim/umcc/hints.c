/**
 * @file hints.c
 * @brief Explains which library a missing header belongs to.
 *
 * g++ says only that there is no such file; this adds whose header it is, and that the simulator does not
 * have that library.
 */
#include "driver.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *header; /* how the names of its headers begin */
    const char *library, *instead;
} libraries[] = {
    {"thrust/", "Thrust", "the simulator's small Thrust does not have it"},
    {"cub/", "CUB", "the simulator's small CUB does not have it"},
    {"cusparse", "cuSPARSE", "the simulator does not have it"},
    {"cusolver", "cuSOLVER", "the simulator does not have it"},
    {"cublasLt", "cuBLASLt", "the simulator does not have it"},
    {"cudnn", "cuDNN", "the simulator does not have it"},
    {"cutlass/", "CUTLASS", "the simulator does not have it"},
    {"npp", "NPP", "the simulator does not have it"},
    {"nvrtc", "NVRTC", "kernels are compiled by umcc, before the program runs"},
    {"nvml.h", "NVML", "the simulator does not have it"},
    {"nccl", "NCCL", "the simulator does not have it"},
    {"cuda_gl_interop.h", "OpenGL interoperation", "the simulator has no pictures on a screen"},
    {"helper_", "NVIDIA's samples",
     "-I with the folder Common of a copy of github.com/NVIDIA/cuda-samples finds it"},
};

/* `source` includes `header`. @return whether the header is found beside it, in a folder of -I, or among
 * `ours` */
static bool is_found(const struct umcc_list *preprocess, const char *ours, const char *source,
                     const char *header)
{
    const char *slash = strrchr(source, '/');
    char beside[4096];
    snprintf(beside, sizeof beside, "%.*s%s", !slash ? 0 : (int)(slash - source + 1), source, header);
    if (access(beside, R_OK) == 0)
        return true;
    for (int i = 0; i < preprocess->count; i++) {
        char path[4096];
        const char *folder = preprocess->items[i];
        if (strncmp(folder, "-I", 2) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder + 2, header);
        if (access(path, R_OK) == 0)
            return true;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", ours, header);
    return access(path, R_OK) == 0;
}

/* Reads `#include <header>` or `#include "header"`. @return whether `line` is one */
static bool read_include(const char *line, char *header, size_t size)
{
    while (isspace((unsigned char)*line))
        line++;
    if (*line++ != '#')
        return false;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0)
        return false;
    line += 7 + strspn(line + 7, " \t");
    if (*line != '<' && *line != '"')
        return false;
    const size_t length = strcspn(line + 1, ">\"\n");
    snprintf(header, size, "%.*s", (int)length, line + 1);
    return true;
}

void umcc_hint_at_libraries(const struct umcc_options *o, const char *include, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[1024], header[256];
    unsigned said = 0; /* a bit for each library */
    while (file && fgets(line, sizeof line, file))
        for (size_t l = 0; l < sizeof libraries / sizeof *libraries; l++) {
            if ((said >> l & 1) != 0 || !read_include(line, header, sizeof header) ||
                strncmp(header, libraries[l].header, strlen(libraries[l].header)) != 0 ||
                is_found(&o->preprocess, include, path, header))
                continue;
            fprintf(stderr, "umcc: %s belongs to %s: %s\n", header, libraries[l].library,
                    libraries[l].instead);
            said |= 1u << l;
        }
    if (file)
        fclose(file);
}
