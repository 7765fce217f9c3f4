/**
 * @file nvToolsExt.h
 * @brief NVTX: names for parts of a program, which a profiler shows.
 *
 * No profiler listens here, so nothing is recorded. Without a profiler NVIDIA's functions do nothing
 * either, and return what these do: pushing and popping a range returns NVTX_NO_PUSH_POP_TRACKING, and
 * handles are NULL.
 */
#ifndef UMSIM_NVTOOLSEXT_H
#define UMSIM_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;

typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;

typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

/** The attributes of an event: colour, message, a number. */
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size; /**< NVTX_VERSION, NVTX_EVENT_ATTRIB_STRUCT_SIZE */
    uint32_t category;
    int32_t colorType; /**< nvtxColorType_t */
    uint32_t color;
    int32_t payloadType; /**< nvtxPayloadType_t */
    int32_t reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType; /**< nvtxMessageType_t */
    nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef struct nvtxEventAttributes_v2 nvtxEventAttributes_t;

/* One definition for each function: its parameters, and what it returns when no profiler listens. */
#define UMSIM_NVTX(name, takes, type, value)                                                                 \
    static inline __attribute__((__unused__)) type name takes                                                \
    {                                                                                                        \
        return value;                                                                                        \
    }
#define UMSIM_NVTX_NOTHING(name, takes)                                                                      \
    static inline __attribute__((__unused__)) void name takes                                                \
    {                                                                                                        \
    }
#define UMSIM_UNUSED __attribute__((__unused__))

UMSIM_NVTX_NOTHING(nvtxInitialize, (UMSIM_UNUSED const void *__reserved))

/** @name Marks and ranges @{ */
UMSIM_NVTX_NOTHING(nvtxMarkEx, (UMSIM_UNUSED const nvtxEventAttributes_t *__attributes))
UMSIM_NVTX_NOTHING(nvtxMarkA, (UMSIM_UNUSED const char *__message))
UMSIM_NVTX_NOTHING(nvtxMarkW, (UMSIM_UNUSED const wchar_t *__message))
UMSIM_NVTX(nvtxRangeStartEx, (UMSIM_UNUSED const nvtxEventAttributes_t *__attributes), nvtxRangeId_t, 0)
UMSIM_NVTX(nvtxRangeStartA, (UMSIM_UNUSED const char *__message), nvtxRangeId_t, 0)
UMSIM_NVTX(nvtxRangeStartW, (UMSIM_UNUSED const wchar_t *__message), nvtxRangeId_t, 0)
UMSIM_NVTX_NOTHING(nvtxRangeEnd, (UMSIM_UNUSED nvtxRangeId_t __id))
UMSIM_NVTX(nvtxRangePushEx, (UMSIM_UNUSED const nvtxEventAttributes_t *__attributes), int,
           NVTX_NO_PUSH_POP_TRACKING)
UMSIM_NVTX(nvtxRangePushA, (UMSIM_UNUSED const char *__message), int, NVTX_NO_PUSH_POP_TRACKING)
UMSIM_NVTX(nvtxRangePushW, (UMSIM_UNUSED const wchar_t *__message), int, NVTX_NO_PUSH_POP_TRACKING)
UMSIM_NVTX(nvtxRangePop, (void), int, NVTX_NO_PUSH_POP_TRACKING)
/** @} */

/** @name Names @{ */
UMSIM_NVTX_NOTHING(nvtxNameCategoryA, (UMSIM_UNUSED uint32_t __category, UMSIM_UNUSED const char *__name))
UMSIM_NVTX_NOTHING(nvtxNameCategoryW, (UMSIM_UNUSED uint32_t __category, UMSIM_UNUSED const wchar_t *__name))
UMSIM_NVTX_NOTHING(nvtxNameOsThreadA, (UMSIM_UNUSED uint32_t __thread_, UMSIM_UNUSED const char *__name))
UMSIM_NVTX_NOTHING(nvtxNameOsThreadW, (UMSIM_UNUSED uint32_t __thread_, UMSIM_UNUSED const wchar_t *__name))
/** @} */

/** @name Domains @{ */
UMSIM_NVTX(nvtxDomainCreateA, (UMSIM_UNUSED const char *__name), nvtxDomainHandle_t, NULL)
UMSIM_NVTX(nvtxDomainCreateW, (UMSIM_UNUSED const wchar_t *__name), nvtxDomainHandle_t, NULL)
UMSIM_NVTX_NOTHING(nvtxDomainDestroy, (UMSIM_UNUSED nvtxDomainHandle_t __domain))
UMSIM_NVTX(nvtxDomainRegisterStringA,
           (UMSIM_UNUSED nvtxDomainHandle_t __domain, UMSIM_UNUSED const char *__text), nvtxStringHandle_t,
           NULL)
UMSIM_NVTX(nvtxDomainRegisterStringW,
           (UMSIM_UNUSED nvtxDomainHandle_t __domain, UMSIM_UNUSED const wchar_t *__text), nvtxStringHandle_t,
           NULL)
UMSIM_NVTX_NOTHING(nvtxDomainMarkEx, (UMSIM_UNUSED nvtxDomainHandle_t __domain,
                                      UMSIM_UNUSED const nvtxEventAttributes_t *__attributes))
UMSIM_NVTX(nvtxDomainRangeStartEx,
           (UMSIM_UNUSED nvtxDomainHandle_t __domain, UMSIM_UNUSED const nvtxEventAttributes_t *__attributes),
           nvtxRangeId_t, 0)
UMSIM_NVTX_NOTHING(nvtxDomainRangeEnd,
                   (UMSIM_UNUSED nvtxDomainHandle_t __domain, UMSIM_UNUSED nvtxRangeId_t __id))
UMSIM_NVTX(nvtxDomainRangePushEx,
           (UMSIM_UNUSED nvtxDomainHandle_t __domain, UMSIM_UNUSED const nvtxEventAttributes_t *__attributes),
           int, NVTX_NO_PUSH_POP_TRACKING)
UMSIM_NVTX(nvtxDomainRangePop, (UMSIM_UNUSED nvtxDomainHandle_t __domain), int, NVTX_NO_PUSH_POP_TRACKING)
/** @} */

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#endif

#endif
