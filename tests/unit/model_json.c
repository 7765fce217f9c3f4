/**
 * @file model_json.c
 * @brief Tests of sim/model/json.h: what is JSON is read as it says, and nothing else is.
 */
#include "model/json.h"
#include "um_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct umsim_json *parse(const char *text)
{
    const char *end;
    struct umsim_json *root = umsim_json_parse(text, strlen(text), &end);
    if (root && *end != '\0') {
        free(root);
        return NULL;
    }
    return root;
}

static void numbers(void)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0},
        {"-7", -7},
        {"1.5", 1.5},
        {"0.1", 0.1},
        {"123456789012345", 123456789012345.0},
        {"9007199254740993", 9007199254740992.0},
        {"2.5e3", 2500},
        {"25E-1", 2.5},
        {"1e+22", 1e22},
        {"1e23", 1e23},
        {"4.35", 4.35},
        {"0.000001", 1e-6},
        {"5e-324", 5e-324},
        {"1e999", INFINITY},
        {"1e-9999999", 0},
        {"3.141592653589793238462643383279502884", 3.141592653589793},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct umsim_json *root = parse(cases[i].text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(root);
        if (root->type != UMSIM_JSON_NUMBER || root->number != cases[i].value)
            UM_FAIL("%s is read as %.17g", cases[i].text, root->number);
        free(root);
    }
}

static void strings(void)
{
    struct umsim_json *root =
        parse("[\"\", \"a\\\"\\\\\\/b\", \"\\n\\t\", \"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"]");
    static const char *const expected[] = {"", "a\"\\/b", "\n\t", "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"};
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    UM_EQUAL(umsim_json_count(root), 4);
    const struct umsim_json *item = root->child;
    for (int i = 0; i < 4; i++, item = item->next)
        UM_STRING_EQUAL(item->text, expected[i]);
    free(root);
}

static void members(void)
{
    struct umsim_json *root = parse(" {\"a\" : {\"b\":[true,false,null, {}]}, \"c\\u0064\": [] }");
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    const struct umsim_json *inner = umsim_json_member(umsim_json_member(root, "a"), "b");
    CU_ASSERT_PTR_NOT_NULL_FATAL(inner);
    UM_EQUAL(umsim_json_count(inner), 4);
    UM_EQUAL(inner->child->type, UMSIM_JSON_TRUE);
    UM_EQUAL(inner->child->next->type, UMSIM_JSON_FALSE);
    UM_EQUAL(inner->child->next->next->type, UMSIM_JSON_NULL);
    UM_EQUAL(umsim_json_member(root, "cd")->type, UMSIM_JSON_ARRAY);
    CU_ASSERT_PTR_NULL(umsim_json_member(root, "b"));
    CU_ASSERT_PTR_NULL(umsim_json_member(inner, "a"));
    free(root);
}

static void what_is_no_json(void)
{
    static const char *const texts[] = {
        "",          " ",          "{",           "[",           "[1,]",        "[1 2]",
        "{\"a\"}",   "{\"a\":1,}", "{a:1}",       "'a'",         "\"a",         "\"\\x\"",
        "\"\\u12\"", "\"\n\"",     "\"\\ud800\"", "\"\\udc00\"", "\"\\u0000\"", "01",
        "+1",        ".5",         "1.",          "1e",          "-",           "0x10",
        "nul",       "True",       "NaN",         "[1]]",        "1 2",         "{\"a\":1}}",
        "//",        "[1,,2]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct umsim_json *root = parse(texts[i]);
        CU_PASS("counted");
        if (root)
            UM_FAIL("%s was taken", texts[i]);
        free(root);
    }
}

static void depth_is_limited(void)
{
    char text[4000];
    memset(text, '[', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    CU_ASSERT_PTR_NULL(parse(text));
    CU_ASSERT_PTR_NULL(
        parse("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"));
    CU_ASSERT_PTR_NULL(parse("[[[[[[["));
}

static void the_end_is_told(void)
{
    const char *text = "{\"a\": [1, 2, x]}", *end;
    CU_ASSERT_PTR_NULL(umsim_json_parse(text, strlen(text), &end));
    UM_EQUAL(end - text, 13);
    text = "[1] tail";
    struct umsim_json *root = umsim_json_parse(text, strlen(text), &end);
    UM_EQUAL(end - text, 3);
    free(root);
}

UM_TESTS("model: json", {"numbers are the nearest doubles", numbers},
         {"strings are unescaped, into UTF-8", strings}, {"members are found by their keys", members},
         {"what is not JSON is refused", what_is_no_json}, {"depth is limited", depth_is_limited},
         {"where a text ends, or stops being JSON, is told", the_end_is_told});
