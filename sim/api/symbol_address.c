/**
 * @file symbol_address.c
 * @brief Implementation of symbol_address.h: looks for addresses of variables in what is copied to the host.
 */
#include "symbol_address.h"
#include "../base/mode.h"
#include "../check/check.h"
#include "../space/classify.h"

#include <string.h>

static bool may_be_known;

void umsim_symbol_address_given(void)
{
    may_be_known = true;
}

static bool is_variables(const void *p)
{
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    return allocation && allocation->memory == UMSIM_DEVICE_VARIABLE;
}

void umsim_symbol_address_copied(const struct umsim_copy *copy)
{
    struct umsim_classified to;
    if (may_be_known || !(umsim_checks & UMSIM_CHECK_API) || copy->width < sizeof(void *) ||
        !umsim_classify(copy->to, 1, &to) || to.kind != UMSIM_CLASS_PAGEABLE)
        return;
    may_be_known = copy->async || copy->rows != 1 || copy->slices > 1; /* these are not looked at */
    for (size_t i = 0; !may_be_known && i <= copy->width - sizeof(void *); i += sizeof(void *)) {
        const void *word;
        memcpy(&word, (const char *)copy->to + i, sizeof word);
        may_be_known = word && is_variables(word);
    }
}

static void look_for_shared(struct umsim_alloc *allocation, void *found)
{
    *(bool *)found |= allocation->memory == UMSIM_MANAGED || allocation->memory == UMSIM_MANAGED_VARIABLE ||
                      allocation->memory == UMSIM_PINNED || allocation->memory == UMSIM_REGISTERED;
}

bool umsim_symbol_address_is_unknown(const void *p)
{
    if (may_be_known || !(umsim_checks & UMSIM_CHECK_API) || !is_variables(p))
        return false;
    umsim_registry_each(look_for_shared, &may_be_known);
    return !may_be_known;
}
