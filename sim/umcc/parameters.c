/**
 * @file parameters.c
 * @brief The names of a kernel's parameters.
 */
#include "parameters.h"

bool umcc_find_parameters(const struct umcc_unit *unit, const struct umcc_decl *d,
                          struct umcc_parameters *found)
{
    struct umcc_parameter list[UMCC_PARAMETERS_MAX];
    const int count = umcc_read_parameters(unit, d, list, UMCC_PARAMETERS_MAX);
    found->count = 0;
    for (int p = 0; p < count; p++)
        if (list[p].name >= 0)
            found->names[found->count++] = list[p].name;
    return count >= 0;
}

bool umcc_is_parameter(const struct umcc_unit *unit, const struct umcc_parameters *parameters, int i)
{
    for (int p = 0; p < parameters->count; p++)
        if (umcc_same_text(unit, parameters->names[p], i))
            return true;
    return false;
}

int umcc_chain_end(const struct umcc_unit *unit, int i)
{
    while (umcc_is(unit, i + 1, ".") && umcc_is_name(unit, i + 2)) {
        const int behind = umcc_is(unit, i + 3, "<") ? umcc_skip_angles(unit, i + 3) : i + 3;
        if (umcc_is(unit, behind, "("))
            break;
        i += 2;
    }
    return i;
}
