/**
 * @file matmul.cu
 * @brief cublasLt's product with an epilogue, by the kernel of cuBLAS's (sim/cublas/product.h), and the
 * heuristic.
 */
#include "descriptors.h"

#include <cstdio>
#include <cstring>

namespace
{
using namespace blas;
using lt::in;

/* A product's arguments. */
struct call {
    const lt::matmul &is;
    const void *alpha, *a, *b, *beta, *c;
    void *d;
    const lt::layout &la, &lb, &lc, &ld;
    cudaStream_t stream;
};

/* Why a product is not computed. Nothing is printed for a heuristic, which asks. */
const char *refusal(const call &it)
{
    for (const lt::layout *one : {&it.la, &it.lb, &it.lc, &it.ld}) {
        if (one->order != CUBLASLT_ORDER_COL && one->order != CUBLASLT_ORDER_ROW)
            return "matrices lie by columns or by rows";
        if (one->batch_mode != CUBLASLT_BATCH_MODE_STRIDED || one->plane)
            return "batches have a stride, and complex numbers are whole";
    }
    for (const void *set : it.is.refused)
        if (set)
            return "scales, auxiliary outputs and D's largest element are not provided";
    if (it.is.op_c != CUBLAS_OP_N || it.is.fill != CUBLAS_FILL_MODE_FULL)
        return "C is not transposed, and all of D is computed";
    if (it.is.pointer_mode != CUBLASLT_POINTER_MODE_HOST &&
        it.is.pointer_mode != CUBLASLT_POINTER_MODE_DEVICE)
        return "alpha and beta are numbers, of the host or of the device";
    if (it.lc.order != it.ld.order || it.lc.type != it.ld.type)
        return "C and D are of one type and one order";
    if (it.is.epilogue & ~(CUBLASLT_EPILOGUE_DEFAULT | CUBLASLT_EPILOGUE_RELU | CUBLASLT_EPILOGUE_BIAS |
                           CUBLASLT_EPILOGUE_GELU))
        return "epilogues are ReLU, GELU and bias";
    if (it.is.bias_type != -1 && it.is.bias_type != it.ld.type && (it.is.epilogue & CUBLASLT_EPILOGUE_BIAS))
        return "a bias is of D's type";
    return nullptr;
}

/* A matrix that lies by rows is its transpose by columns. */
template <class A> operand<A> operand_of(const void *p, const lt::layout &l, int op, bool turned)
{
    const bool by_rows = l.order == CUBLASLT_ORDER_ROW;
    const int of = op_of((cublasOperation_t)op) ^ (by_rows ? TRANSPOSED : 0) ^ (turned ? TRANSPOSED : 0);
    const i64 rows = (i64)(by_rows ? l.columns : l.rows), columns = (i64)(by_rows ? l.rows : l.columns);
    return {dense((matrix_op)of, rows, columns, l.leading), (const A *)p, nullptr, l.stride};
}

template <class W> scalar<W> scalar_of(const call &it, const void *p)
{
    const cublasPointerMode_t mode = (cublasPointerMode_t)it.is.pointer_mode;
    return it.is.scale == CUDA_R_16F ? scalar_from<W>(mode, (const __half *)p, STORED_HALF)
                                     : scalar_from<W>(mode, (const W *)p, STORED_SAME);
}

template <class A, class C, class W> cublasStatus_t run(const call &it, umsim_unit unit)
{
    const bool turned = it.ld.order == CUBLASLT_ORDER_ROW, has_bias = it.is.epilogue & CUBLASLT_EPILOGUE_BIAS;
    const operand<A> a = operand_of<A>(it.a, it.la, it.is.op_a, turned),
                     b = operand_of<A>(it.b, it.lb, it.is.op_b, turned);
    const i64 k = (i64)(it.is.op_a == CUBLAS_OP_N ? it.la.columns : it.la.rows);
    product<A, C, W> p = {};
    p.m = (i64)(turned ? it.ld.columns : it.ld.rows);
    p.n = (i64)(turned ? it.ld.rows : it.ld.columns);
    p.k = k;
    p.batches = it.ld.batches;
    p.a = turned ? b : a;
    p.b = turned ? a : b;
    p.c = {(C *)const_cast<void *>(it.c), nullptr, it.lc.leading, it.lc.stride};
    p.d = {(C *)it.d, nullptr, it.ld.leading, it.ld.stride};
    if (it.is.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE &&
        (!umsim_reaches("cublasLtMatmul", "alpha", it.alpha, 1, it.is.scale == CUDA_R_16F ? 2 : sizeof(W)) ||
         !umsim_reaches("cublasLtMatmul", "beta", it.beta, 1, it.is.scale == CUDA_R_16F ? 2 : sizeof(W))))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    p.alpha = scalar_of<W>(it, it.alpha);
    p.beta = scalar_of<W>(it, it.beta);
    p.then = it.is.epilogue & CUBLASLT_EPILOGUE_RELU   ? RELU
             : it.is.epilogue & CUBLASLT_EPILOGUE_GELU ? GELU
                                                       : NONE;
    p.bias = has_bias ? (const C *)it.is.bias : nullptr;
    p.bias_by_column = turned;
    p.bias_stride = it.is.bias_stride;
    static const char *const names[2][3] = {{"A", "B", "D"}, {"B", "A", "D"}};
    const cublasStatus_t status = check_product("cublasLtMatmul", p, names[turned ? 1 : 0]);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    const uint64_t rows = it.ld.rows,
                   c = extent_of_batch(extent(p.m, p.n, p.c.leading), p.c.stride, p.batches);
    if ((!is_zero(p.beta) && !reaches("cublasLtMatmul", "C", p.c.p, c)) ||
        (has_bias && !reaches("cublasLtMatmul", "the bias", (const C *)it.is.bias,
                              extent_of_batch(rows, it.is.bias_stride, p.batches))))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    return launch_product(p, unit, it.stream);
}

const struct combination {
    cublasComputeType_t compute;
    cudaDataType scale, ab, cd;
    cublasStatus_t (*run)(const call &, umsim_unit);
    umsim_unit unit;
    bool activates;
} combinations[] = {
    {CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, run<__half, __half, float>,
     UMSIM_UNIT_TENSOR_HALF, true},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F, run<__half, __half, float>,
     UMSIM_UNIT_TENSOR_HALF, true},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F, run<__half, float, float>,
     UMSIM_UNIT_TENSOR_HALF, true},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF, run<__nv_bfloat16, __nv_bfloat16, float>,
     UMSIM_UNIT_TENSOR_HALF, true},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F, run<__nv_bfloat16, float, float>,
     UMSIM_UNIT_TENSOR_HALF, true},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, run<float, float, float>, UMSIM_UNIT_SINGLE,
     true},
    {CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, run<double, double, double>,
     UMSIM_UNIT_TENSOR_DOUBLE, true},
    {CUBLAS_COMPUTE_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F,
     run<complex<float>, complex<float>, complex<float>>, UMSIM_UNIT_SINGLE, false},
    {CUBLAS_COMPUTE_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F,
     run<complex<double>, complex<double>, complex<double>>, UMSIM_UNIT_TENSOR_DOUBLE, false},
    {CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I, run<int8_t, int, int>, UMSIM_UNIT_TENSOR_INT8,
     false},
};

const combination *find(const call &it)
{
    for (const combination &c : combinations)
        if (c.compute == plain_compute((cublasComputeType_t)it.is.compute) && c.scale == it.is.scale &&
            c.ab == it.la.type && c.ab == it.lb.type && c.cd == it.ld.type &&
            (c.activates || it.is.epilogue == CUBLASLT_EPILOGUE_DEFAULT))
            return &c;
    return nullptr;
}

bool is_valid(const lt::layout &l)
{
    const uint64_t along = l.order == CUBLASLT_ORDER_ROW ? l.columns : l.rows;
    return l.batches >= 1 && l.leading > 0 && (uint64_t)l.leading >= along && l.rows <= INT64_MAX &&
           l.columns <= INT64_MAX;
}

/* Whether sizes belong to one product. */
bool fits(const call &it)
{
    if (!is_valid(it.la) || !is_valid(it.lb) || !is_valid(it.lc) || !is_valid(it.ld) ||
        !is_operation((cublasOperation_t)it.is.op_a) || !is_operation((cublasOperation_t)it.is.op_b))
        return false;
    const bool ta = it.is.op_a != CUBLAS_OP_N, tb = it.is.op_b != CUBLAS_OP_N;
    const uint64_t m = ta ? it.la.columns : it.la.rows, k = ta ? it.la.rows : it.la.columns;
    const uint64_t n = tb ? it.lb.rows : it.lb.columns;
    return (tb ? it.lb.columns : it.lb.rows) == k && it.ld.rows == m && it.ld.columns == n &&
           it.lc.rows == m && it.lc.columns == n && it.la.batches == it.ld.batches &&
           it.lb.batches == it.ld.batches && it.lc.batches == it.ld.batches;
}

umsim_unit unit_for(const call &it, const combination &c)
{
    const bool fast = it.is.compute == CUBLAS_COMPUTE_32F_FAST_TF32 ||
                      it.is.compute == CUBLAS_COMPUTE_32F_FAST_16F ||
                      it.is.compute == CUBLAS_COMPUTE_32F_FAST_16BF;
    return fast && c.unit == UMSIM_UNIT_SINGLE ? UMSIM_UNIT_TENSOR_TF32 : c.unit;
}

cublasStatus_t judge(const call &it, const char **why)
{
    *why = nullptr;
    if (!fits(it))
        return CUBLAS_STATUS_INVALID_VALUE;
    *why = refusal(it);
    if (!*why && !find(it))
        *why = "there is no product of these types (cudaDataType) with this epilogue";
    return *why ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_SUCCESS;
}
} // namespace

extern "C" cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                         const void *alpha, const void *A, cublasLtMatrixLayout_t Adesc,
                                         const void *B, cublasLtMatrixLayout_t Bdesc, const void *beta,
                                         const void *C, cublasLtMatrixLayout_t Cdesc, void *D,
                                         cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t *,
                                         void *workspace, size_t size, cudaStream_t stream)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!desc || !Adesc || !Bdesc || !Cdesc || !Ddesc || !alpha || !beta)
        return CUBLAS_STATUS_INVALID_VALUE;
    const call it = {in<lt::matmul>(desc),
                     alpha,
                     A,
                     B,
                     beta,
                     C,
                     D,
                     in<lt::layout>(Adesc),
                     in<lt::layout>(Bdesc),
                     in<lt::layout>(Cdesc),
                     in<lt::layout>(Ddesc),
                     stream};
    const char *why;
    const cublasStatus_t status = judge(it, &why);
    if (why)
        fprintf(stderr, "cublasLtMatmul: %s (the simulator's cublasLt; docs/libraries.md)\n", why);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (workspace && !umsim_reaches("cublasLtMatmul", "workspace", workspace, size, 1))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    const combination *found = find(it);
    return found->run(it, unit_for(it, *found));
}

extern "C" cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                                  cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                                                  cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                                                  const cublasLtMatmulAlgo_t *algo,
                                                  cublasLtMatmulHeuristicResult_t *result)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!desc || !Adesc || !Bdesc || !Cdesc || !Ddesc || !algo || !result)
        return CUBLAS_STATUS_INVALID_VALUE;
    const call it = {in<lt::matmul>(desc),
                     nullptr,
                     nullptr,
                     nullptr,
                     nullptr,
                     nullptr,
                     nullptr,
                     in<lt::layout>(Adesc),
                     in<lt::layout>(Bdesc),
                     in<lt::layout>(Cdesc),
                     in<lt::layout>(Ddesc),
                     nullptr};
    const char *why;
    const double tiles = (double)((it.ld.rows + 127) / 128 * ((it.ld.columns + 63) / 64)) * it.ld.batches;
    *result = {*algo, 0, judge(it, &why), (float)(tiles / (double)multiprocessors()), {}};
    return result->state;
}

extern "C" cublasStatus_t
cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                               cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                               cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                               cublasLtMatmulPreference_t preference, int requested,
                               cublasLtMatmulHeuristicResult_t results[], int *returned)
{
    if (!returned || !results || !preference || requested <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    *returned = 0;
    const cublasLtMatmulAlgo_t only = {};
    const cublasStatus_t status =
        cublasLtMatmulAlgoCheck(handle, desc, Adesc, Bdesc, Cdesc, Ddesc, &only, &results[0]);
    *returned = status == CUBLAS_STATUS_SUCCESS ? 1 : 0;
    return status;
}

extern "C" cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t, cublasLtMatrixTransformDesc_t,
                                                  const void *, const void *, cublasLtMatrixLayout_t,
                                                  const void *, const void *, cublasLtMatrixLayout_t, void *,
                                                  cublasLtMatrixLayout_t, cudaStream_t)
{
    fprintf(stderr,
            "cublasLtMatrixTransform: the simulator's cublasLt does not have it; cublas<t>geam adds and "
            "transposes matrices\n");
    return CUBLAS_STATUS_NOT_SUPPORTED;
}
