/**
 * @file symbol.c
 * @brief Variables of device code: copies to and from them, their addresses and sizes, what kernels see.
 */
#include <string.h>

#include "behaviour.h"
#include "launchers.h"
#include "um_test.h"

static int host[CONF_COUNT], back[CONF_COUNT];

static void after(void)
{
    (void)cudaGetLastError();
}

static void fill(int first)
{
    for (int i = 0; i < CONF_COUNT; i++)
        host[i] = first + i;
}

static void bytes_get_to_a_variable_and_back(void)
{
    fill(100);
    UM_RETURNS("cudaMemcpyToSymbol: __device__",
               cudaMemcpyToSymbol(conf_device_symbol(), host, sizeof host, 0, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaMemcpyFromSymbol: __device__",
               cudaMemcpyFromSymbol(back, conf_device_symbol(), sizeof back, 0, cudaMemcpyDeviceToHost));
    UM_BEHAVIOUR("__device__ variable: what came back", "%s",
                 memcmp(host, back, sizeof host) ? "other" : "the same");
    fill(200);
    UM_RETURNS("cudaMemcpyToSymbol: __constant__",
               cudaMemcpyToSymbol(conf_constant_symbol(), host, sizeof host, 0, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaMemcpyFromSymbol: __constant__",
               cudaMemcpyFromSymbol(back, conf_constant_symbol(), sizeof back, 0, cudaMemcpyDeviceToHost));
    UM_BEHAVIOUR("__constant__ variable: what came back", "%s",
                 memcmp(host, back, sizeof host) ? "other" : "the same");
    fill(300);
    UM_RETURNS("cudaMemcpyToSymbol: __managed__",
               cudaMemcpyToSymbol(conf_managed_variable(), host, sizeof host, 0, cudaMemcpyHostToDevice));
    after();
}

static void a_copy_may_begin_at_an_offset_and_not_go_past_the_end(void)
{
    fill(0);
    CU_ASSERT_EQUAL(cudaMemcpyToSymbol(conf_device_symbol(), host, sizeof host, 0, cudaMemcpyHostToDevice),
                    cudaSuccess);
    host[0] = 77;
    UM_RETURNS("cudaMemcpyToSymbol: offset 8",
               cudaMemcpyToSymbol(conf_device_symbol(), host, sizeof *host, 8, cudaMemcpyHostToDevice));
    CU_ASSERT_EQUAL(cudaMemcpyFromSymbol(back, conf_device_symbol(), sizeof back, 0, cudaMemcpyDeviceToHost),
                    cudaSuccess);
    UM_BEHAVIOUR("cudaMemcpyToSymbol: offset 8: elements 0 to 3", "%d %d %d %d", back[0], back[1], back[2],
                 back[3]);
    UM_RETURNS("cudaMemcpyToSymbol: past the end",
               cudaMemcpyToSymbol(conf_device_symbol(), host, sizeof host, 8, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaMemcpyFromSymbol: past the end",
               cudaMemcpyFromSymbol(back, conf_device_symbol(), sizeof back, 8, cudaMemcpyDeviceToHost));
    after();
}

static void directions_are_looked_at(void)
{
    int *d_x = NULL;

    fill(400);
    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, sizeof host), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpy(d_x, host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
    UM_RETURNS("cudaMemcpyToSymbol: DeviceToDevice",
               cudaMemcpyToSymbol(conf_device_symbol(), d_x, sizeof host, 0, cudaMemcpyDeviceToDevice));
    UM_RETURNS("cudaMemcpyFromSymbol: Default",
               cudaMemcpyFromSymbol(back, conf_device_symbol(), sizeof back, 0, cudaMemcpyDefault));
    UM_BEHAVIOUR("cudaMemcpyToSymbol: DeviceToDevice: what came back", "%s",
                 memcmp(host, back, sizeof host) ? "other" : "the same");
    UM_RETURNS("cudaMemcpyToSymbol: DeviceToHost",
               cudaMemcpyToSymbol(conf_device_symbol(), host, sizeof host, 0, cudaMemcpyDeviceToHost));
    UM_RETURNS("cudaMemcpyFromSymbol: HostToDevice",
               cudaMemcpyFromSymbol(back, conf_device_symbol(), sizeof back, 0, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaMemcpyToSymbol: kind 9",
               cudaMemcpyToSymbol(conf_device_symbol(), host, sizeof host, 0, (enum cudaMemcpyKind)9));
    after();
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
}

static void what_is_no_symbol_is_refused(void)
{
    void *address = NULL;
    size_t size = 0;

    UM_RETURNS("cudaMemcpyToSymbol: a variable of the host",
               cudaMemcpyToSymbol(host, back, sizeof host, 0, cudaMemcpyHostToDevice));
    UM_RETURNS("cudaGetSymbolAddress: a variable of the host", cudaGetSymbolAddress(&address, host));
    UM_RETURNS("cudaGetSymbolSize: a variable of the host", cudaGetSymbolSize(&size, host));
    UM_RETURNS("cudaGetSymbolAddress: NULL as the symbol", cudaGetSymbolAddress(&address, NULL));
    after();
}

static void a_symbol_has_an_address_and_a_size(void)
{
    int *address = NULL;
    size_t size = 0;

    fill(500);
    UM_RETURNS("cudaGetSymbolSize: __device__", cudaGetSymbolSize(&size, conf_device_symbol()));
    UM_BEHAVIOUR("cudaGetSymbolSize: 16 ints", "%zu", size);
    UM_RETURNS("cudaGetSymbolAddress: __device__",
               cudaGetSymbolAddress((void **)&address, conf_device_symbol()));
    UM_RETURNS("cudaMemcpy: to a __device__ variable's address",
               cudaMemcpy(address, host, sizeof host, cudaMemcpyHostToDevice));
    CU_ASSERT_EQUAL(cudaMemcpyFromSymbol(back, conf_device_symbol(), sizeof back, 0, cudaMemcpyDeviceToHost),
                    cudaSuccess);
    UM_BEHAVIOUR("cudaMemcpy: to a __device__ variable's address: what came back", "%s",
                 memcmp(host, back, sizeof host) ? "other" : "the same");
    UM_RETURNS("cudaGetSymbolAddress: __managed__",
               cudaGetSymbolAddress((void **)&address, conf_managed_variable()));
    after();
}

static void kernels_read_them(void)
{
    int *out = NULL, *variable = conf_managed_variable();

    CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&out, sizeof host), cudaSuccess);
    fill(1000);
    CU_ASSERT_EQUAL(cudaMemcpyToSymbol(conf_device_symbol(), host, sizeof host, 0, cudaMemcpyHostToDevice),
                    cudaSuccess);
    fill(20000);
    CU_ASSERT_EQUAL(cudaMemcpyToSymbol(conf_constant_symbol(), host, sizeof host, 0, cudaMemcpyHostToDevice),
                    cudaSuccess);
    for (int i = 0; i < CONF_COUNT; i++)
        variable[i] = 300000;
    UM_RETURNS("kernel reads device, constant and managed variables: launch", conf_sum_variables(out, 0));
    UM_RETURNS("kernel reads device, constant and managed variables: synchronise", cudaDeviceSynchronize());
    UM_BEHAVIOUR("kernel reads device, constant and managed variables: their sums, first and last", "%d %d",
                 out[0], out[CONF_COUNT - 1]);
    CU_ASSERT_EQUAL(cudaFreeHost(out), cudaSuccess);
}

static void kernels_change_them(void)
{
    int *variable = conf_managed_variable();

    fill(0);
    CU_ASSERT_EQUAL(cudaMemcpyToSymbol(conf_device_symbol(), host, sizeof host, 0, cudaMemcpyHostToDevice),
                    cudaSuccess);
    for (int i = 0; i < CONF_COUNT; i++)
        variable[i] = i;
    CU_ASSERT_EQUAL(conf_add_to_variables(5, 0), cudaSuccess);
    CU_ASSERT_EQUAL(conf_add_to_variables(5, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpyFromSymbol(back, conf_device_symbol(), sizeof back, 0, cudaMemcpyDeviceToHost),
                    cudaSuccess);
    UM_BEHAVIOUR("kernel adds 5 twice to a __device__ variable: elements 0 and 15", "%d %d", back[0],
                 back[15]);
    UM_BEHAVIOUR("kernel adds 5 twice to a __managed__ variable: elements 0 and 15", "%d %d", variable[0],
                 variable[15]);
}

UM_TESTS("device variables", {"bytes get to a variable and back", bytes_get_to_a_variable_and_back},
         {"a copy may begin at an offset, and not go past the end",
          a_copy_may_begin_at_an_offset_and_not_go_past_the_end},
         {"directions are looked at", directions_are_looked_at},
         {"what is no symbol is refused", what_is_no_symbol_is_refused},
         {"a symbol has an address and a size", a_symbol_has_an_address_and_a_size},
         {"kernels read them", kernels_read_them}, {"kernels change them", kernels_change_them});
