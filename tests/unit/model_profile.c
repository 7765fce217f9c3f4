/**
 * @file model_profile.c
 * @brief Tests of sim/model/profile.h: the project's profiles load, and a wrong one gets one clear line.
 */
#include "model_fixture.h"
#include "um_test.h"
#include "sim/model/profile.h"
#include "sim/model/profile_fields.h"
#include "sim/model/profile_known.h"
#include "sim/model/profile_parse.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char error[512];
static struct umsim_profile profile;

static int load(const char *name)
{
    const char *dirs[] = {"/nonexistent", profiles_dir()};
    return umsim_profile_load(name, dirs, 2, &profile, error, sizeof error);
}

static void every_profile_of_the_project_loads(void)
{
    static const char *const names[] = {"h200-pcie5", "limited",   "tiny",      "h200-nvlink2",
                                        "h200-pair",  "h200-half", "h200-mixed"};
    for (int i = 0; i < 5; i++) {
        if (load(names[i]))
            UM_FAIL("%s", error);
        UM_STRING_EQUAL(profile.name, names[i]);
    }
}

static void h200_pcie5_answers_what_the_device_answers(void)
{
    CU_ASSERT_EQUAL_FATAL(load("h200-pcie5"), 0);
    const struct umsim_attributes *a = &profile.attributes;
    UM_STRING_EQUAL(profile.device, "NVIDIA H200");
    UM_CONTAINS(profile.conditions, "580.159.04");
    UM_EQUAL(a->compute_capability_major, 9);
    UM_EQUAL(a->multiprocessor_count, 132);
    UM_EQUAL(a->l2_cache_size, 62914560);
    UM_EQUAL(a->memory_clock_rate_khz, 3201000);
    UM_EQUAL(a->global_memory_bus_width, 6016);
    UM_EQUAL(a->async_engine_count, 3);
    UM_EQUAL(a->concurrent_managed_access, 1);
    UM_EQUAL(a->pageable_memory_access, 0);
    UM_EQUAL(a->max_shared_memory_per_block_optin, 232448);
    UM_EQUAL(a->greatest_stream_priority, -5);
    UM_EQUAL(profile.capacity.total_global_memory, 150109880320);
    CU_ASSERT_DOUBLE_EQUAL(profile.costs.mapped_latency_ns, 1171, 0);
}

static void a_derived_profile_changes_only_its_own_figures(void)
{
    CU_ASSERT_EQUAL_FATAL(load("h200-pcie5"), 0);
    struct umsim_profile h200 = profile;
    CU_ASSERT_EQUAL_FATAL(load("tiny"), 0);
    UM_EQUAL(profile.capacity.total_global_memory, 64 << 20);
    UM_EQUAL(memcmp(&profile.costs, &h200.costs, sizeof h200.costs), 0);
    UM_EQUAL(memcmp(&profile.attributes, &h200.attributes, sizeof h200.attributes), 0);
    CU_ASSERT_EQUAL_FATAL(load("limited"), 0);
    UM_EQUAL(profile.attributes.concurrent_managed_access, 0);
    UM_EQUAL(profile.attributes.managed_memory, 1);
    UM_EQUAL(profile.attributes.warp_size, 32);
}

static void a_profile_says_how_many_devices_there_are(void)
{
    CU_ASSERT_EQUAL_FATAL(load("h200-pcie5"), 0);
    UM_EQUAL(umsim_profile_devices(&profile), 1);
    struct umsim_figure figure;
    for (size_t i = 0; umsim_profile_figure(&profile, i, &figure); i++)
        CU_ASSERT_STRING_NOT_EQUAL(figure.group, "peers"); /* of one device there are none */
    CU_ASSERT_EQUAL_FATAL(load("h200-nvlink2"), 0);
    UM_EQUAL(umsim_profile_devices(&profile), 2);
    UM_EQUAL(profile.peers.access, 1);
}

static void every_member_of_the_structures_is_one_figure(void)
{
    size_t figures = 0, bytes = 0,
           members = sizeof(struct umsim_attributes) + sizeof(struct umsim_capacity) +
                     sizeof(struct umsim_costs) + sizeof(struct umsim_peers);
    CU_ASSERT_EQUAL_FATAL(load("h200-nvlink2"), 0);
    struct umsim_figure figure;
    while (umsim_profile_figure(&profile, figures, &figure)) {
        bytes += figure.curve ? sizeof *figure.curve : 8;
        if (!figure.curve && strcmp(figure.key, "greatest_stream_priority") != 0)
            CU_ASSERT_TRUE(figure.value >= 0);
        int found = umsim_profile_field_find(figure.group, figure.key, 0);
        UM_EQUAL(found, figures); /* no key twice */
        figures++;
    }
    UM_EQUAL(bytes, members); /* members are 8-byte numbers and curves, so no padding */
    UM_EQUAL(figures, umsim_profile_field_count);
}

static void a_figures_source_is_kept_inherited_or_not(void)
{
    CU_ASSERT_EQUAL_FATAL(load("limited"), 0);
    struct umsim_figure figure;
    for (size_t i = 0; umsim_profile_figure(&profile, i, &figure); i++) {
        if (strcmp(figure.key, "concurrent_managed_access") == 0)
            UM_EQUAL(figure.source, UMSIM_SOURCE_ASSUMED);
        if (strcmp(figure.key, "warp_size") == 0)
            UM_EQUAL(figure.source, UMSIM_SOURCE_DOCUMENTED);
        if (strcmp(figure.key, "malloc_host") == 0)
            UM_EQUAL(figure.source, UMSIM_SOURCE_MEASURED);
    }
}

/** Parses `text` into the draft, single quotes standing for double ones. */
static int parse_into(const char *text, struct umsim_profile_draft *draft)
{
    char json[2048];
    snprintf(json, sizeof json, "%s", text);
    for (char *p = json; *p; p++)
        if (*p == '\'')
            *p = '"';
    error[0] = '\0';
    return umsim_profile_parse(json, strlen(json), draft, error, sizeof error);
}

/** ... of a whole profile. */
static int parse(const char *text)
{
    static struct umsim_profile parsed;
    struct umsim_profile_draft draft = {.profile = &parsed};
    int bad = parse_into(text, &draft);
    return bad ? bad : umsim_profile_check(&draft, error, sizeof error);
}

#define HEAD "{'schema':'umsim-profile/1','name':'x',"
#define WARP HEAD "'attributes':{'warp_size':"
#define SOURCE ",'unit':'count','source':'measured'"
#define CURVE HEAD "'costs':{'dtod':{'unit':'us','source':'measured','points':"

static void a_wrong_file_gets_one_line_that_names_the_key(void)
{
    static const struct {
        const char *text, *line;
    } cases[] = {
        {"", "line 1: not valid JSON"},
        {"{\n'name': }", "line 2: not valid JSON"},
        {"[]", "a profile is a JSON object, not an array"},
        {"{'schema':'umsim-profile/1','name':'x'} {", "something follows the JSON object"},
        {"{'name':'x'}", "schema: missing"},
        {"{'schema':'umsim-profile/2','name':'x'}", "schema: must be \"umsim-profile/1\""},
        {"{'schema':'umsim-profile/1'}", "name: missing"},
        {"{'schema':'umsim-profile/1','name':7}", "name: must be a string, not a number"},
        {"{'schema':'umsim-profile/1','name':''}", "name: must have 1 to 63 characters, has 0"},
        {HEAD "'colour':1}", "colour: unknown key"},
        {HEAD "'name':'y'}", "name: given twice"},
        {HEAD "'costs':[]}", "costs: must be an object, not an array"},
        {HEAD "'attributes':{'warps':{}}}", "attributes.warps: unknown key"},
        {HEAD "'attributes':{'Warp_size':{}}}", "attributes.Warp_size: unknown key"},
        {WARP "32}}", "attributes.warp_size: must be an object, not a number"},
        {WARP "{'value':32" SOURCE "},'warp_size':{}}}", "attributes.warp_size: given twice"},
        {WARP "{'unit':'count','source':'measured'}}}", "attributes.warp_size.value: missing"},
        {WARP "{'value':32,'source':'measured'}}}", "attributes.warp_size.unit: missing"},
        {WARP "{'value':32,'unit':'count'}}}", "attributes.warp_size.source: missing"},
        {WARP "{'value':'32'" SOURCE "}}}", "attributes.warp_size.value: must be a number, not a string"},
        {WARP "{'value':-32" SOURCE "}}}", "attributes.warp_size.value: must not be negative: -32"},
        {WARP "{'value':0" SOURCE "}}}", "attributes.warp_size.value: must be at least 1, is 0"},
        {WARP "{'value':32.5" SOURCE "}}}", "must be a whole number of at most 2147483647, is 32.5"},
        {WARP "{'value':2147483648" SOURCE "}}}",
         "must be a whole number of at most 2147483647, is 2147483648"},
        {WARP "{'value':1e999" SOURCE "}}}", "attributes.warp_size.value: number out of range"},
        {WARP "{'value':32,'unit':'threads','source':'measured'}}}",
         "attributes.warp_size.unit: must be \"count\""},
        {WARP "{'value':32,'unit':'count','source':'guessed'}}}",
         "attributes.warp_size.source: must be \"measured\""},
        {WARP "{'value':32,'note':1" SOURCE "}}}",
         "attributes.warp_size.note: must be a string, not a number"},
        {WARP "{'points':[]" SOURCE "}}}", "attributes.warp_size.points: unknown key"},
        {WARP "{'value':32,'value':64" SOURCE "}}}", "attributes.warp_size.value: given twice"},
        {CURVE "3}}}", "costs.dtod.points: must be an array, not a number"},
        {CURVE "[[1,1]]}}}", "costs.dtod.points: must have 2 to 16 points, has 1"},
        {CURVE "[[1,1],[2]]}}}", "costs.dtod.points: point 2: must be [bytes, microseconds]"},
        {CURVE "[[1,1],[1,2]]}}}", "costs.dtod.points: point 2: sizes must rise"},
        {CURVE "[[1,1],[2,-2]]}}}", "costs.dtod.points: point 2: must not be negative: -2"},
        {CURVE "[[1,null],[2,2]]}}}", "costs.dtod.points: point 1: must be a number, not null"},
        {HEAD "'costs':{'device_read_gbs':{'value':0,'unit':'GB/s','source':'measured'}}}",
         "costs.device_read_gbs.value: must be at least 1e-06, is 0"},
        {HEAD "'device':'d'}", "conditions: missing"},
        {HEAD "'device':'d','conditions':'c'}", "attributes.compute_capability_major: missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (parse(cases[i].text) != -1)
            UM_FAIL("accepted: %s", cases[i].text);
        UM_CONTAINS(error, cases[i].line);
        CU_ASSERT_PTR_NULL(strchr(error, '\n'));
    }
}

#define VALUE HEAD "'costs':{'call_us':{'value':2,'unit':'us','source':'measured',"
#define POINTS CURVE "[[1,1],[2,2]],"

static void a_wrong_range_is_refused_with_the_reason(void)
{
    static const struct {
        const char *text, *line;
    } cases[] = {
        {VALUE "'range':[1,3]}}}",
         "costs.call_us.machines: missing (a range says of how many machines it is)"},
        {VALUE "'machines':3}}}", "costs.call_us.range: missing"},
        {VALUE "'range':[1,3],'machines':1}}}",
         "costs.call_us.machines: must be a whole number from 2 to 255"},
        {VALUE "'range':[1,3],'machines':2.5}}}", "costs.call_us.machines: must be a whole number"},
        {VALUE "'range':[1,3],'machines':'3'}}}", "costs.call_us.machines: must be a whole number"},
        {VALUE "'range':[1,3],'machines':256}}}", "costs.call_us.machines: must be a whole number"},
        {VALUE "'range':2,'machines':3}}}", "costs.call_us.range: must be [least, most]"},
        {VALUE "'range':[2],'machines':3}}}", "costs.call_us.range: must be [least, most]"},
        {VALUE "'range':[1,'3'],'machines':3}}}", "costs.call_us.range: must be two numbers"},
        {VALUE "'range':[1,1e999],'machines':3}}}", "costs.call_us.range: must be two numbers"},
        {VALUE "'range':[3,1],'machines':3}}}", "costs.call_us.range: the least, 3, is above the most, 1"},
        {VALUE "'range':[-1,3],'machines':3}}}", "costs.call_us.range: must be at least 0, is -1"},
        {VALUE "'range':[2.5,3],'machines':3}}}", "costs.call_us.range: 2.5 to 3, but the figure is 2"},
        {VALUE "'range':[1,1.5],'machines':3}}}", "costs.call_us.range: 1 to 1.5, but the figure is 2"},
        {POINTS "'range':[1,3],'machines':3}}}", "costs.dtod.range: point 1: must be [least, most]"},
        {POINTS "'range':[[1,3]],'machines':3}}}",
         "costs.dtod.range: must be an array with a [least, most] for each of 2 points"},
        {POINTS "'range':[[1,3],[3,4]],'machines':3}}}",
         "costs.dtod.range: point 2: 3 to 4, but the figure is 2"},
        {WARP "{'value':32,'unit':'count','source':'documented','range':[32,64],'machines':2}}}",
         "attributes.warp_size.range: a documented figure was seen on no machine"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (parse(cases[i].text) != -1)
            UM_FAIL("accepted: %s", cases[i].text);
        UM_CONTAINS(error, cases[i].line);
        CU_ASSERT_PTR_NULL(strchr(error, '\n'));
    }
}

static const struct umsim_figure *figure_called(const char *key)
{
    static struct umsim_figure figure;
    for (size_t i = 0; umsim_profile_figure(&profile, i, &figure); i++)
        if (strcmp(figure.key, key) == 0)
            return &figure;
    UM_FAIL("no figure %s", key);
    return &figure;
}

static void a_range_is_kept_and_goes_with_the_figure_that_it_is_of(void)
{
    const char *with = VALUE "'range':[1.5,3],'machines':3},'dtod':{'unit':'us','source':'measured',"
                             "'points':[[1,1],[2,2]],'range':[[1,1.5],[1.25,2]],'machines':2}}}";
    struct umsim_profile_draft draft = {.profile = &profile};
    memset(&profile, 0, sizeof profile);
    UM_EQUAL(parse_into(with, &draft), 0);
    const struct umsim_figure *figure = figure_called("call_us");
    UM_EQUAL(figure->machines, 3);
    CU_ASSERT_DOUBLE_EQUAL(figure->value, 2, 0);
    CU_ASSERT_DOUBLE_EQUAL(figure->range.least, 1.5, 0);
    CU_ASSERT_DOUBLE_EQUAL(figure->range.most, 3, 0);
    figure = figure_called("dtod");
    UM_EQUAL(figure->machines, 2);
    CU_ASSERT_DOUBLE_EQUAL(figure->curve->most_us[0], 1.5, 0);
    CU_ASSERT_DOUBLE_EQUAL(figure->curve->least_us[1], 1.25, 0);
    /* a profile that stands on this one and says one figure anew does not inherit its range */
    UM_EQUAL(parse_into(HEAD "'costs':{'call_us':{'value':9,'unit':'us','source':'measured'}}}", &draft), 0);
    figure = figure_called("call_us");
    UM_EQUAL(figure->machines, 0);
    CU_ASSERT_DOUBLE_EQUAL(figure->range.most, 0, 0);
    UM_EQUAL(figure_called("dtod")->machines, 2);
}

/** Writes a file into `dir` and returns its path. */
static const char *write_file(const char *dir, const char *name, const char *text)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void files_and_bases_are_found_and_errors_name_the_file(void)
{
    char dir[] = "/tmp/umsim-profile-XXXXXX";
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
    const char *dirs[] = {dir, profiles_dir()};
    /* A base is looked for beside the file, then in the folders: h200-pcie5 is only in the second. */
    const char *own =
        "{\"schema\":\"umsim-profile/1\",\"name\":\"own\",\"base\":\"h200-pcie5\",\"costs\":{\"call_us\":"
        "{\"value\":9,\"unit\":\"us\",\"source\":\"assumed\"}}}";
    write_file(dir, "own.json", own);
    if (umsim_profile_load("own", dirs, 2, &profile, error, sizeof error))
        UM_FAIL("%s", error);
    CU_ASSERT_DOUBLE_EQUAL(profile.costs.call_us, 9, 0);
    UM_STRING_EQUAL(profile.device, "NVIDIA H200");
    UM_EQUAL(umsim_profile_load("own", dirs, 1, &profile, error, sizeof error), -1);
    UM_CONTAINS(error, "own.json: no profile named \"h200-pcie5\"");
    const char *path = write_file(dir, "circle.json",
                                  "{\"schema\":\"umsim-profile/1\",\"name\":\"circle\",\"base\":\"circle\"}");
    UM_EQUAL(umsim_profile_load(path, NULL, 0, &profile, error, sizeof error), -1);
    UM_CONTAINS(error, "circle.json: base: profiles that are each other's base");
    path = write_file(dir, "broken.json", "{\"name\":");
    UM_EQUAL(umsim_profile_load(path, NULL, 0, &profile, error, sizeof error), -1);
    UM_STRING_EQUAL(error, "broken.json: line 1: not valid JSON");
    UM_EQUAL(umsim_profile_load("absent", dirs, 2, &profile, error, sizeof error), -1);
    UM_CONTAINS(error, "no profile named \"absent\"");
    UM_EQUAL(umsim_profile_load("/nonexistent/p.json", dirs, 2, &profile, error, sizeof error), -1);
    UM_STRING_EQUAL(error, "/nonexistent/p.json: No such file or directory");
    UM_EQUAL(umsim_profile_load(dir, dirs, 2, &profile, error, sizeof error), -1);
    UM_CONTAINS(error, "Is a directory");
    UM_EQUAL(umsim_profile_load("", dirs, 2, &profile, error, sizeof error), -1);
    char small[8];
    UM_EQUAL(umsim_profile_load("absent", dirs, 2, &profile, small, sizeof small), -1);
    UM_EQUAL(strlen(small), 7);
    static const char *const names[] = {"own.json", "circle.json", "broken.json"};
    for (int i = 0; i < 3; i++) {
        char made[512];
        snprintf(made, sizeof made, "%s/%s", dir, names[i]);
        unlink(made);
    }
    rmdir(dir);
}

/* Start takes it over without parsing: it has to be what parsing makes of the same text, and the file's text.
 */
static void the_default_profile_is_known_as_it_is_parsed(void)
{
    const struct umsim_known_profile *known = &umsim_known_profile;
    CU_ASSERT_PTR_NOT_NULL_FATAL(known);
    struct umsim_profile_draft draft = {.profile = &profile};
    memset(&profile, 0, sizeof profile);
    if (umsim_profile_parse((const char *)known->text, known->length, &draft, error, sizeof error))
        UM_FAIL("%s", error);
    UM_EQUAL(known->size, sizeof profile);
    UM_EQUAL(memcmp(&profile, known->figures, sizeof profile), 0);
    char path[1100], text[64 << 10];
    snprintf(path, sizeof path, "%s/h200-pcie5.json", profiles_dir());
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    const size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    UM_EQUAL(length, known->length);
    UM_EQUAL(memcmp(text, known->text, length), 0);
}

static void a_text_that_differs_by_one_character_is_read(void)
{
    char dir[] = "/tmp/umlab-known-XXXXXX", text[64 << 10];
    const struct umsim_known_profile *known = &umsim_known_profile;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
    snprintf(text, sizeof text, "%.*s", (int)known->length, (const char *)known->text);
    char *figure = strstr(text, "\"multiprocessor_count\": {\"value\": 132");
    CU_ASSERT_PTR_NOT_NULL_FATAL(figure);
    memcpy(strstr(figure, "132"), "131", 3);
    const char *path = write_file(dir, "h200-pcie5.json", text);
    if (umsim_profile_load(path, NULL, 0, &profile, error, sizeof error))
        UM_FAIL("%s", error);
    UM_EQUAL(profile.attributes.multiprocessor_count, 131);
    unlink(path);
    rmdir(dir);
}

UM_TESTS("model: profile", {"every profile of the project loads", every_profile_of_the_project_loads},
         {"h200-pcie5 answers what the device answers", h200_pcie5_answers_what_the_device_answers},
         {"a derived profile changes only its own figures", a_derived_profile_changes_only_its_own_figures},
         {"a profile says how many devices there are", a_profile_says_how_many_devices_there_are},
         {"every member of the structures is one figure", every_member_of_the_structures_is_one_figure},
         {"a figure's source is kept, inherited or not", a_figures_source_is_kept_inherited_or_not},
         {"a wrong file gets one line that names the key", a_wrong_file_gets_one_line_that_names_the_key},
         {"a wrong range is refused with the reason", a_wrong_range_is_refused_with_the_reason},
         {"a range is kept, and goes with the figure that it is of",
          a_range_is_kept_and_goes_with_the_figure_that_it_is_of},
         {"files and bases are found, and errors name the file",
          files_and_bases_are_found_and_errors_name_the_file},
         {"the default profile is known as it is parsed", the_default_profile_is_known_as_it_is_parsed},
         {"a text that differs by one character is read", a_text_that_differs_by_one_character_is_read});
