/**
 * @file model_fixture.h
 * @brief For tests of sim/model: the project's profiles, whatever folder the test runs in.
 */
#ifndef MODEL_FIXTURE_H
#define MODEL_FIXTURE_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/model/profile.h"
#include "um_test.h"

static inline const char *profiles_dir(void)
{
    static char dir[1024];
    const char *slash = strrchr(__FILE__, '/');

    if (access("profiles/h200-pcie5.json", R_OK) == 0)
        return "profiles";
    snprintf(dir, sizeof dir, "%.*s/../../profiles", slash ? (int)(slash - __FILE__) : 1,
             slash ? __FILE__ : ".");
    return dir;
}

/** The test fails when it does not load, and ends when it is another. */
static inline void profile_of(const char *name, struct umsim_profile *profile)
{
    const char *dirs[] = {profiles_dir()};
    char error[512];

    if (umsim_profile_load(name, dirs, 1, profile, error, sizeof error))
        UM_FAIL("%s", error);
    CU_ASSERT_STRING_EQUAL_FATAL(profile->name, name);
}

#endif
