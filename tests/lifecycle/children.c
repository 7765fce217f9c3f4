/**
 * @file children.c
 * @brief What children of fork() have of their parent's memory (programs/children.cu).
 */
#include "spawn.h"

#include <stddef.h>
#include <string.h>

#include "um_test.h"

static void children(const char *mode)
{
    struct run run = {.program = "children", .arguments = {mode}};
    run_to_end(&run);
    run_exited(&run, 0);
    run_left_nothing(&run);
}

static void a_child_reaches_neither_managed_memory_nor_variables(void)
{
    children("variables");
}

static void a_child_that_touches_managed_memory_dies_and_one_line_says_why(void)
{
    struct run run = {.program = "children", .arguments = {"dies"}};
    run_to_end(&run);
    run_exited(&run, 0);
    UM_CONTAINS(run.err, "a child of fork() wrote its parent's managed memory at 0x7c0000000000");
    UM_CONTAINS(run.err, "let the parent use the GPU");
    CU_ASSERT_PTR_EQUAL(strchr(run.err, '\n'), run.err + strlen(run.err) - 1);
}

static void a_child_of_a_plain_system_call_has_no_GPU_either(void)
{
    children("cloned");
}

static void pinned_memory_is_shared_with_a_child(void)
{
    children("pinned");
}

static void registered_memory_is_copied_for_a_child(void)
{
    children("registered");
}

static void a_registered_stack_is_copied_for_a_child(void)
{
    children("registered-stack");
}

static void children_of_children_have_no_GPU_either(void)
{
    children("grandchildren");
}

static void vfork_posix_spawn_system_and_popen_go_on_working(void)
{
    children("other-programs");
}

static void forks_among_threads_that_register_and_launch_hang_nobody(void)
{
    children("among-threads");
}

UM_TESTS("children",
         {"a child reaches neither managed memory nor variables",
          a_child_reaches_neither_managed_memory_nor_variables},
         {"a child that touches managed memory dies, and one line says why",
          a_child_that_touches_managed_memory_dies_and_one_line_says_why},
         {"a child of a plain system call has no GPU either",
          a_child_of_a_plain_system_call_has_no_GPU_either},
         {"pinned memory is shared with a child", pinned_memory_is_shared_with_a_child},
         {"registered memory is copied for a child", registered_memory_is_copied_for_a_child},
         {"a registered stack is copied for a child", a_registered_stack_is_copied_for_a_child},
         {"children of children have no GPU either", children_of_children_have_no_GPU_either},
         {"vfork(), posix_spawn(), system() and popen() go on working",
          vfork_posix_spawn_system_and_popen_go_on_working},
         {"forks among threads that register and launch hang nobody",
          forks_among_threads_that_register_and_launch_hang_nobody});
