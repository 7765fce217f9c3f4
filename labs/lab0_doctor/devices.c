/**
 * @file devices.c
 * @brief Implementation of devices.h: asks the runtime about each device and each pair.
 */
#include "devices.h"

/* Wider tables do not fit beside the text. */
#define SHOWN_MAX 8

int device_count(void)
{
    int count = 0;

    if (cudaGetDeviceCount(&count) != cudaSuccess)
        (void)cudaGetLastError();
    return count;
}

cudaError_t reach(int to, int of, bool on)
{
    cudaError_t error = cudaSetDevice(to), back;

    if (error == cudaSuccess)
        error = on ? cudaDeviceEnablePeerAccess(of, 0) : cudaDeviceDisablePeerAccess(of);
    back = cudaSetDevice(0);
    return error != cudaSuccess ? error : back;
}

static void report_one(FILE *out, int device)
{
    struct cudaDeviceProp is;
    char total[UM_SIZE_TEXT], free_text[UM_SIZE_TEXT], place[32] = "?";
    size_t free_bytes = 0, all_bytes = 0;

    if (!UM_CHECK(cudaGetDeviceProperties(&is, device)) || !UM_CHECK(cudaSetDevice(device)))
        return;
    (void)cudaMemGetInfo(&free_bytes, &all_bytes);
    (void)cudaDeviceGetPCIBusId(place, (int)sizeof place, device);
    um_print(out, 10, "device %d  %s, %d multiprocessors, %s, %s of it free, at PCI %s\n", device, is.name,
             is.multiProcessorCount, um_size_text((double)is.totalGlobalMem, total),
             um_size_text((double)free_bytes, free_text), place);
}

static int of_pair(enum cudaDeviceP2PAttr attribute, int device, int peer)
{
    int value = 0;

    if (cudaDeviceGetP2PAttribute(&value, attribute, device, peer) != cudaSuccess)
        (void)cudaGetLastError();
    return value;
}

static const char *what_reaches(int device, int peer)
{
    int may = 0;

    if (device == peer)
        return "its own";
    (void)cudaDeviceCanAccessPeer(&may, device, peer);
    return !may ? "no" : of_pair(cudaDevP2PAttrNativeAtomicSupported, device, peer) ? "yes, atomics" : "yes";
}

/* @return whether any device may reach another one's memory */
static bool report_pairs(FILE *out, int count)
{
    bool some = false;

    fprintf(out, "\n%-30s", "may reach the memory of");
    for (int peer = 0; peer < count; peer++)
        fprintf(out, "  device %d%s", peer, peer < count - 1 ? "    " : "\n");
    for (int device = 0; device < count; device++) {
        fprintf(out, "kernels and copies of device %d", device);
        for (int peer = 0; peer < count; peer++) {
            const char *what = what_reaches(device, peer);

            some |= *what == 'y';
            fprintf(out, "  %-*s%s", peer < count - 1 ? 12 : 0, what, peer < count - 1 ? "" : "\n");
        }
    }
    return some;
}

void report_devices(FILE *out)
{
    const int count = device_count(), shown = count < SHOWN_MAX ? count : SHOWN_MAX;

    if (count < 2)
        return;
    fprintf(out, "%d devices; above and in the table below where nothing else is said: device 0\n", count);
    for (int device = 0; device < shown; device++)
        report_one(out, device);
    (void)UM_CHECK(cudaSetDevice(0));
    if (report_pairs(out, shown))
        um_print(out, 0,
                 "once cudaDeviceEnablePeerAccess() allows it. Before that a kernel that follows another "
                 "device's pointer fails with cudaErrorIllegalAddress, and copies go through the host "
                 "(lab10)\n\n");
    else
        um_print(out, 0,
                 "so a kernel that follows another device's pointer fails with cudaErrorIllegalAddress, and "
                 "copies go through the host (lab10)\n\n");
}
