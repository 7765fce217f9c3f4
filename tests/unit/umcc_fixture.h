/**
 * @file umcc_fixture.h
 * @brief For tests of umcc's passes: a unit, what umcc makes of a source, and its declarations.
 */
#ifndef UMCC_FIXTURE_H
#define UMCC_FIXTURE_H

#include "um_test.h"

#include "sim/umcc/umcc.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>

static struct umcc_unit unit;
static char shown[8192];

static void read_source(const char *source)
{
    umcc_unit_free(&unit);
    umcc_tokenize(&unit, source, strlen(source));
}

/* What umcc makes of it, without line markers and with single blanks; its messages when it refuses.
 * @param options what the command line says */
static inline const char *rewritten_with(struct umcc_unit options, const char *source)
{
    struct umcc_text out = {0};
    size_t used = 0;
    bool blank = true, line_start = true;
    umcc_unit_free(&unit);
    unit = options;
    umcc_text_add(&out, "", 0);
    if (umcc_rewrite(&unit, source, strlen(source), &out) > 0) {
        snprintf(shown, sizeof shown, "%s", unit.messages.data);
        umcc_text_free(&out);
        return shown;
    }
    for (const char *p = out.data; *p != '\0' && used < sizeof shown - 1; p++) {
        if (*p == '#' && line_start) {
            p += strcspn(p, "\n");
            if (*p == '\0')
                break;
        }
        const bool space = isspace((unsigned char)*p) != 0;
        line_start = *p == '\n';
        if (!space || !blank)
            shown[used++] = space ? ' ' : *p;
        blank = space;
    }
    while (used > 0 && shown[used - 1] == ' ')
        used--;
    shown[used] = '\0';
    umcc_text_free(&out);
    return shown;
}

static inline const char *rewritten(const char *source)
{
    return rewritten_with((struct umcc_unit){0}, source);
}

/* The declaration that begins `which` places behind the first one. */
static inline const struct umcc_decl *declaration(const char *source, int which)
{
    read_source(source);
    umcc_parse(&unit);
    const struct umcc_decl *d = unit.decls;
    while (d && which-- > 0)
        d = d->next;
    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    return d;
}

#endif
