/**
 * @file rewrite.c
 * @brief Runs the passes of umcc in their order.
 */
#include "umcc.h"

int umcc_rewrite(struct umcc_unit *unit, const char *source, size_t length, struct umcc_text *out)
{
    umcc_tokenize(unit, source, length);
    if (unit->errors == 0)
        umcc_parse(unit);
    if (unit->errors == 0)
        umcc_settle_marks(unit);
    if (unit->errors == 0) {
        umcc_analyse_device(unit);
        umcc_refuse_misuse(unit);
        umcc_check_globals(unit);
        umcc_warn_unreachable(unit);
        umcc_rewrite_kernels(unit);
        if (!unit->relocatable)
            umcc_make_static(unit);
        umcc_rewrite_storage(unit);
        umcc_rewrite_launches(unit);
        umcc_replace_new(unit);
        if (!unit->as_written || unit->casts)
            umcc_define_undefined(unit);
        if (unit->keyed)
            umcc_key_values(unit);
    }
    if (unit->errors == 0)
        umcc_emit(unit, out);
    return unit->errors;
}
