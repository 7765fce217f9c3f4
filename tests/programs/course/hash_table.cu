// A hash table with open addressing: compare-and-swap claims a slot, threads insert, look up and count words
// at once.
#include "common.h"
#include <cstdint>
#include <unordered_map>

struct KeyValue {
    uint32_t key;
    uint32_t value;
};

const uint32_t kEmpty = 0xffffffff;
const uint32_t kHashTableCapacity = 1 << 12;

__device__ uint32_t hash(uint32_t k)
{
    k ^= k >> 16;
    k *= 0x85ebca6b;
    k ^= k >> 13;
    k *= 0xc2b2ae35;
    k ^= k >> 16;
    return k & (kHashTableCapacity - 1);
}

__global__ void gpu_hashtable_count(KeyValue *hashtable, const uint32_t *keys, unsigned int numkvs)
{
    unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadid < numkvs) {
        uint32_t key = keys[threadid];
        uint32_t slot = hash(key);
        while (true) {
            uint32_t prev = atomicCAS(&hashtable[slot].key, kEmpty, key);
            if (prev == kEmpty || prev == key) {
                atomicAdd(&hashtable[slot].value, 1);
                return;
            }
            slot = (slot + 1) & (kHashTableCapacity - 1);
        }
    }
}

__global__ void gpu_hashtable_lookup(const KeyValue *hashtable, KeyValue *kvs, unsigned int numkvs)
{
    unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadid < numkvs) {
        uint32_t key = kvs[threadid].key;
        uint32_t slot = hash(key);
        for (;; slot = (slot + 1) & (kHashTableCapacity - 1)) {
            if (hashtable[slot].key == key) {
                kvs[threadid].value = hashtable[slot].value;
                return;
            }
            if (hashtable[slot].key == kEmpty) {
                kvs[threadid].value = kEmpty;
                return;
            }
        }
    }
}

__global__ void init(KeyValue *table)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kHashTableCapacity)
        table[i] = {kEmpty, 0};
}

int main()
{
    const unsigned n = 10000;
    std::vector<uint32_t> keys(n);
    std::unordered_map<uint32_t, uint32_t> expected;
    Random random(77);
    for (auto &k : keys) {
        k = random.next() % 3000 * 7;
        expected[k]++;
    }
    KeyValue *table;
    uint32_t *d_keys;
    CHECK(cudaMalloc(&table, sizeof(KeyValue) * kHashTableCapacity));
    CHECK(cudaMalloc(&d_keys, n * sizeof(uint32_t)));
    CHECK(cudaMemcpy(d_keys, keys.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice));
    init<<<kHashTableCapacity / 256, 256>>>(table);

    int mingridsize, threadblocksize;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&mingridsize, &threadblocksize, gpu_hashtable_count, 0, 0));
    int gridsize = ((uint32_t)n + threadblocksize - 1) / threadblocksize;
    gpu_hashtable_count<<<gridsize, threadblocksize>>>(table, d_keys, n);
    CHECK_KERNEL();

    std::vector<KeyValue> queries;
    for (uint32_t k = 0; k < 21000; k += 5)
        queries.push_back({k, 0});
    KeyValue *d_queries;
    CHECK(cudaMalloc(&d_queries, queries.size() * sizeof(KeyValue)));
    CHECK(cudaMemcpy(d_queries, queries.data(), queries.size() * sizeof(KeyValue), cudaMemcpyHostToDevice));
    gpu_hashtable_lookup<<<blocks_for(queries.size(), 128), 128>>>(table, d_queries,
                                                                   (unsigned)queries.size());
    CHECK_KERNEL();
    CHECK(cudaMemcpy(queries.data(), d_queries, queries.size() * sizeof(KeyValue), cudaMemcpyDeviceToHost));
    int wrong = 0, found = 0;
    for (const auto &q : queries) {
        auto it = expected.find(q.key);
        wrong += q.value != (it == expected.end() ? kEmpty : it->second);
        found += q.value != kEmpty;
    }
    CHECK(cudaFree(table));
    CHECK(cudaFree(d_keys));
    CHECK(cudaFree(d_queries));
    printf("%d of %zu found\n", found, queries.size());
    return report(wrong == 0 && found > 100);
}
