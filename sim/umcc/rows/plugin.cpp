/**
 * @file plugin.cpp
 * @brief Where g++ begins this plugin, which umcc names to it under --check.
 */
#include "loops.h"

int plugin_is_GPL_compatible;

/* Behind the beginning of g++'s passes over loops. Of another g++ than the one that this was compiled for
 * nothing is known: then the plugin does nothing. */
int plugin_init(struct plugin_name_args *plugin, struct plugin_gcc_version *version)
{
    if (!plugin_default_version_check(version, &gcc_version))
        return 0;
    struct register_pass_info info = {rows::make_pass(g), "loopinit", 1, PASS_POS_INSERT_AFTER};
    register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
    return 0;
}
