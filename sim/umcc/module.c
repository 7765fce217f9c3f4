/**
 * @file module.c
 * @brief Makes modules for the driver API: --cubin, --fatbin (umsim/image.h).
 *
 * A module is a shared object of one source. What it calls of the simulator's is in the library that loads
 * it, so it names none. Its own names mean its own variables and functions, whatever the program has of the
 * same name, and it can be closed again, which objects with unique symbols cannot.
 */
#define _GNU_SOURCE
#include "../include/umsim/image.h"
#include "steps.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes behind a shared object that it is a module. */
static int end_module(const char *path)
{
    struct umcc_text image = {0};
    int status = umcc_read_file(path, &image);
    if (status == UMCC_OK) {
        const struct umsim_image_end end = umsim_image_end(image.data, image.length);
        umcc_text_add(&image, (const char *)&end, sizeof end);
        status = umcc_write_file(path, &image);
    }
    umcc_text_free(&image);
    return status;
}

/* PyCUDA writes what it was handed into kernel.cu, between a line before and a line behind. Lines count as in
 * the text that it was handed: g++ takes them for those of a second file, which has them only, and from which
 * its messages quote. */
const char *umcc_module_text(struct umcc_drive *d, struct umcc_list *c, const char *source)
{
    static const char first[] = "extern \"C\" {\n";
    struct umcc_text text = {0}, whole = {0}, handed = {0};
    const char *directory = umcc_temporary_directory(d->o->dry_run), *copy = NULL;
    if (!directory || !getenv("UMLAB_PYTHON") || strcmp(source, "kernel.cu") != 0 ||
        umcc_read_file(source, &text) != UMCC_OK)
        return source;
    if (text.length >= sizeof first - 1 && memcmp(text.data, first, sizeof first - 1) == 0) {
        const char *const name = umcc_remove_later(umcc_printf("%s/%s", directory, source));
        umcc_text_add(&handed, text.data + sizeof first - 1, text.length - (sizeof first - 1));
        umcc_text_printf(&whole, "%s#line 1 \"%s\"\n", first, name);
        umcc_text_add(&whole, handed.data, handed.length);
        copy = umcc_temporary_name(d, source, ".cu");
        if (umcc_write_file(name, &handed) != UMCC_OK || !copy || umcc_write_file(copy, &whole) != UMCC_OK)
            copy = NULL;
        umcc_list_add(c, "-iquote"); /* of what it includes */
        umcc_list_add(c, ".");
    }
    umcc_text_free(&text);
    umcc_text_free(&whole);
    umcc_text_free(&handed);
    return copy ? copy : source;
}

int umcc_link_module(struct umcc_drive *d, const char *object, const char *output)
{
    struct umcc_list c = {0};
    umcc_list_add(&c, d->o->compiler);
    umcc_list_add_all(&c, &d->o->host);
    umcc_list_add(&c, "-shared");
    if (d->o->debug)
        umcc_list_add(&c, "-g");
    umcc_list_add_all(&c, &d->o->link);
    umcc_list_add(&c, object);
    umcc_list_printf(&c, "-L%s", d->places->library);
    umcc_list_add(&c, "-Wl,--as-needed,-Bsymbolic,-z,now");
    umcc_add_page_size(&c);
    umcc_list_add(&c, "-lumsim");
    umcc_list_add(&c, "-o");
    umcc_list_add(&c, output);
    const int status = umcc_execute(d, &c, NULL);
    return status == UMCC_OK && !d->o->dry_run ? end_module(output) : status;
}

/* ---- which umcc this is ---- */

static int is_header(const struct dirent *entry)
{
    return strstr(entry->d_name, ".h") != NULL;
}

static void add_file(const char *path, uint64_t *id)
{
    struct umcc_text file = {0};
    uint64_t hash[2];
    if (umcc_read_file(path, &file) == UMCC_OK) {
        umsim_image_hash(file.data, file.length, hash);
        *id = (*id ^ hash[0]) * 0x100000001b3u;
    }
    umcc_text_free(&file);
}

uint64_t umcc_build_id(const struct umcc_places *places)
{
    struct dirent **headers;
    uint64_t id = 0;
    const char *folder = umcc_printf("%s/umsim", places->include);
    const int count = scandir(folder, &headers, is_header, alphasort);
    add_file("/proc/self/exe", &id);
    add_file(umcc_printf("%s/libumsim.so", places->library), &id);
    for (int i = 0; i < count; i++)
        add_file(umcc_printf("%s/%s", folder, headers[i]->d_name), &id);
    return id;
}
