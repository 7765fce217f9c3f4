/**
 * @file um_table.c
 * @brief Implementation of um_table.h: aligns rows as a table, and prints a lab's last line.
 */
#include "um_column.h"
#include "um_cupti.h"
#include "um_lab.h"

/* Columns that stand beside each other: the whole table, or what fits of one topic. */
struct part {
    const struct um_column *column[UM_COLUMNS_MAX];
    size_t count, width;
    bool first; /* of the table: it has every row */
};

static void part_add(struct part *part, const struct um_column *column)
{
    part->width += column->width + (part->count > 0 ? 2 : 0);
    part->column[part->count++] = column;
}

/* Text is aligned left, numbers right. Lines have no blanks at their end. */
static void print_cell(const struct part *part, size_t c, const char *text, FILE *out)
{
    const struct um_column *column = part->column[c];
    const bool last = c + 1 == part->count;

    if (column->topic == UM_TOPIC_VERDICT || column->type == UM_CELL_STRATEGY)
        fprintf(out, "%s%-*s", c > 0 ? "  " : "", last ? 0 : (int)column->width, text);
    else
        fprintf(out, "%s%*s", c > 0 ? "  " : "", (int)column->width, text);
}

static void print_header(const struct part *part, FILE *out)
{
    size_t last_unit = 0;

    for (size_t c = 0; c < part->count; c++) {
        print_cell(part, c, part->column[c]->title, out);
        if (part->column[c]->unit[0] != '\0')
            last_unit = c;
    }
    fprintf(out, "\n");
    for (size_t c = 0; last_unit > 0 && c <= last_unit; c++) {
        print_cell(part, c, part->column[c]->unit, out);
    }
    fprintf(out, last_unit > 0 ? "\n" : "");
}

static const char *colour_of(const struct um_row *row, FILE *out)
{
    if (!um_colour(out))
        return "";
    if (row->verdict == UM_VERDICT_NO)
        return UM_COLOUR_WRONG;
    if (row->mark == UM_MARK_SURPRISE)
        return UM_COLOUR_SURPRISE;
    return row->mark == UM_MARK_FASTEST ? UM_COLOUR_FASTEST : "";
}

/* Whether the part has something of the row to tell beside its name. */
static bool tells(const struct part *part, const struct um_row *row)
{
    char text[UM_CELL];

    for (size_t c = 0; c < part->count; c++) {
        um_column_text(part->column[c], row, text);
        if (part->column[c]->topic != UM_TOPIC_ROW && !um_column_says_nothing(text))
            return true;
    }
    return part->first;
}

static void print_part(const struct part *part, const struct um_results *results, FILE *out)
{
    char text[UM_CELL];

    if (!part->first)
        fprintf(out, "\n");
    print_header(part, out);
    for (size_t i = 0; i < results->count; i++) {
        const struct um_row *row = results->rows[i];
        const char *colour = colour_of(row, out);

        if (!tells(part, row))
            continue;
        fprintf(out, "%s", colour);
        for (size_t c = 0; c < part->count; c++) {
            um_column_text(part->column[c], row, text);
            print_cell(part, c, text, out);
        }
        fprintf(out, "%s\n", colour[0] ? UM_COLOUR_END : "");
    }
}

/* Adds the columns of a topic to parts[*count - 1] and the ones after it, as many to each as fit. */
static void lay_out(struct part *parts, size_t *count, const struct part *rows, const struct part *all,
                    enum um_topic topic)
{
    const size_t before = *count;

    for (size_t c = 0; c < all->count; c++) {
        const struct um_column *column = all->column[c];

        if (column->topic != topic)
            continue;
        if (*count == before || (parts[*count - 1].width + 2 + column->width > um_width() &&
                                 parts[*count - 1].count > rows->count))
            parts[(*count)++] = *rows;
        part_add(&parts[*count - 1], column);
    }
}

/* The verdict stands in the first part that has room for it, as its last column. */
static void lay_out_verdict(struct part *parts, size_t *count, const struct part *rows,
                            const struct part *all)
{
    const struct um_column *verdict = all->column[all->count - 1];
    size_t p = 0;

    while (p < *count && parts[p].width + 2 + verdict->width > um_width())
        p++;
    if (p == *count)
        parts[(*count)++] = *rows;
    part_add(&parts[p], verdict);
}

/* What is the same in all rows stands below, not in a column. */
static bool is_shown(const struct um_columns *columns, const struct um_column *column)
{
    if (um_width() == UM_WIDTH_ANY)
        return true;
    if (column->type == UM_CELL_SIZE)
        return um_columns_one_size(columns->results) == 0;
    return !column->empty;
}

static void print_columns(const struct um_columns *columns, FILE *out)
{
    struct part all = {.first = true}, rows = {0}, parts[UM_COLUMNS_MAX];
    size_t count = 0;

    for (size_t c = 0; c < columns->count; c++) {
        if (!is_shown(columns, &columns->at[c]))
            continue;
        part_add(&all, &columns->at[c]);
        if (columns->at[c].topic == UM_TOPIC_ROW)
            part_add(&rows, &columns->at[c]);
    }
    if (all.width <= um_width()) {
        print_part(&all, columns->results, out);
        return;
    }
    lay_out(parts, &count, &rows, &all, UM_TOPIC_TIME);
    lay_out(parts, &count, &rows, &all, UM_TOPIC_MOVEMENT);
    lay_out_verdict(parts, &count, &rows, &all);
    parts[0].first = true;
    for (size_t p = 0; p < count; p++)
        print_part(&parts[p], columns->results, out);
}

/* A section's title, and the size that its rows share. */
static void print_title(const struct um_lab *lab, const char *title, const struct um_columns *columns,
                        FILE *out)
{
    const size_t size = um_width() == UM_WIDTH_ANY ? 0 : um_columns_one_size(columns->results);
    const bool sized = columns->at[1].type == UM_CELL_SIZE && size != 0;
    char text[UM_SIZE_TEXT];

    if (sized && title[0])
        um_print(out, 2, "%s (%s each)\n", title, um_size_text((double)size, text));
    else if (sized)
        um_print(out, 2, "size of each: %s (%s)\n", um_size_text((double)size, text),
                 lab->size_is ? lab->size_is : "bytes");
    else if (title[0])
        um_print(out, 2, "%s\n", title);
}

static void print_notes(const struct um_lab *lab, unsigned columns, const struct um_results *results,
                        bool left_out, FILE *out)
{
    bool contended = false, fastest = false, surprise = false;
    int repeat = 1;

    for (size_t i = 0; i < results->count; i++) {
        const struct um_row *row = results->rows[i];

        contended = contended || row->counters.contended > 0;
        fastest = fastest || row->mark == UM_MARK_FASTEST;
        surprise = surprise || row->mark == UM_MARK_SURPRISE;
        if (row->repeat > repeat)
            repeat = row->repeat;
        if (row->verdict == UM_VERDICT_SKIPPED)
            um_print(out, 2, "skipped %s: %s\n", row->strategy, row->reason);
    }
    if (columns & UM_COLUMN_BANDWIDTH)
        um_print(out, 2, "GB/s: %s; 1 GB is 10^9 bytes\n", lab->bandwidth ? lab->bandwidth : "");
    if (repeat > 1)
        um_print(out, 2, "each row: the run with the median total, of %d\n", repeat);
    if (fastest || surprise)
        um_print(out, 2, "%s%s%s\n", fastest ? "*: the fastest of those with the same work" : "",
                 fastest && surprise ? "; " : "", surprise ? "!: the surprise" : "");
    if (left_out)
        um_print(out, 2, "columns of nothing but 0 or n/a are left out: --wide shows all\n");
    if (!um_is_sim() && (columns & UM_COLUMNS_PAGING) && um_cupti_why()[0] != 0)
        um_print(out, 2, "n/a: no counts of faults and moved pages: %s\n", um_cupti_why());
    if (contended)
        um_print(out, 2,
                 "~: host and GPU touched the same pages while a kernel ran; the program leaves their order "
                 "open, so these counts are one possible outcome\n");
}

/* Selects the rows to print. @return false when out of memory: then all are printed */
static bool list_rows(const struct um_results *results, struct um_results *listed)
{
    *listed = (struct um_results){.rows = malloc((results->count + 1) * sizeof *listed->rows)};
    for (size_t i = 0; listed->rows && i < results->count; i++) {
        struct um_row *row = results->rows[i];

        if (!row->unlisted || row->verdict != UM_VERDICT_YES)
            listed->rows[listed->count++] = row;
    }
    return listed->rows != NULL;
}

/* The section that the row is in; NULL for rows before the first one. */
static const struct um_section *section_of(const struct um_lab *lab, const struct um_row *row)
{
    const struct um_section *found = NULL, *next = lab->sections;

    for (size_t i = 0; next && next->title && i <= (size_t)row->group && i < lab->strategy_count; i++) {
        if (strcmp(lab->strategies[i].name, next->strategy) == 0)
            found = next++;
    }
    return found;
}

/* Prints the rows of one section. @return whether columns were left out */
static bool print_section(const struct um_lab *lab, unsigned chosen, const struct um_results *rows, FILE *out)
{
    const struct um_section *section = rows->count > 0 ? section_of(lab, rows->rows[0]) : NULL;
    struct um_columns columns;

    um_columns_make(&columns, chosen, rows);
    print_title(lab, section ? section->title : "", &columns, out);
    print_columns(&columns, out);
    for (size_t c = 0; c < columns.count; c++) {
        if (columns.at[c].type != UM_CELL_SIZE && !is_shown(&columns, &columns.at[c]))
            return true;
    }
    return false;
}

void um_table_print(const struct um_lab *lab, const struct um_results *all, FILE *out)
{
    unsigned chosen = lab->columns != 0 ? lab->columns : UM_COLUMNS_DEFAULT;
    struct um_results listed;
    const struct um_results *results = list_rows(all, &listed) ? &listed : all;
    bool left_out = false;

    if (!lab->bandwidth)
        chosen &= ~UM_COLUMN_BANDWIDTH;
    for (size_t first = 0, end; first < results->count || first == 0; first = end) {
        for (end = first + 1; end < results->count; end++) {
            if (section_of(lab, results->rows[end]) != section_of(lab, results->rows[first]))
                break;
        }
        const struct um_results rows = {.rows = results->rows + first,
                                        .count = results->count > 0 ? end - first : 0};

        fprintf(out, first > 0 ? "\n" : "");
        left_out = print_section(lab, chosen, &rows, out) || left_out;
    }
    print_notes(lab, chosen, results, left_out, out);
    free(listed.rows);
}

int um_results_exit(const struct um_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        if (results->rows[i]->verdict == UM_VERDICT_NO)
            return UM_EXIT_FAILED;
    }
    return results->count > 0 && !results->lost ? UM_EXIT_OK : UM_EXIT_FAILED;
}

/* A strategy's verdict is the worst of its rows: NO, then skipped, then yes. */
static void count_groups(const struct um_results *results, int *groups, int *failed, int *skipped)
{
    int previous = -1;
    enum um_verdict worst = UM_VERDICT_YES;

    *groups = *failed = *skipped = 0;
    for (size_t i = 0; i <= results->count; i++) {
        const struct um_row *row = i < results->count ? results->rows[i] : NULL;

        if (i > 0 && (!row || row->group != previous)) {
            *groups += 1;
            *failed += worst == UM_VERDICT_NO;
            *skipped += worst == UM_VERDICT_SKIPPED;
            worst = UM_VERDICT_YES;
        }
        if (!row)
            continue;
        previous = row->group;
        if (row->verdict == UM_VERDICT_NO || (row->verdict == UM_VERDICT_SKIPPED && worst == UM_VERDICT_YES))
            worst = row->verdict;
    }
}

void um_last_line_print(const struct um_lab *lab, const struct um_results *results, FILE *out)
{
    int groups, failed, skipped;

    count_groups(results, &groups, &failed, &skipped);
    fprintf(out, "%s: %d %s, ", lab->name, groups, groups == 1 ? "strategy" : "strategies");
    if (failed + skipped == 0 && groups > 0 && !results->lost) {
        fprintf(out, "all verified");
    } else {
        fprintf(out, "%d verified", groups - failed - skipped);
        if (skipped > 0)
            fprintf(out, ", %d skipped", skipped);
        if (failed > 0)
            fprintf(out, ", %d NOT verified", failed);
        if (results->lost)
            fprintf(out, ", rows lost");
    }
    fprintf(out, " (%s, %s, %s times)\n", um_backend_name(), um_device_label(), um_times());
}
