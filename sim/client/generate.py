#!/usr/bin/env python3
"""Writes the two sides of CUDA's calls between a client and its server, from the declarations in the headers.

    sim/client/generate.py stubs HEADER... > stubs.c          each call becomes a message
    sim/client/generate.py served HEADER... > served.c        each message becomes a call
    sim/client/generate.py rest NAMES-OF-ALL NAMES-OF-OURS    what else device code mentions, which never runs here

An argument's type says how it travels. Values travel as they are; `void *` and `const void *` are numbers to the
server, which never follows them; `T *` is a place in the client's memory for as many T as COUNT says (one, unless it is
told), which the server copies in before the call and, unless it is const, back after it. What no rule fits is an error
here, so that a new declaration cannot be forgotten.
"""
import re
import sys
from pathlib import Path

# What the client does itself (sim/client/launch.c, local.c, registered.c).
OWN = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel", "cudaLaunchKernelExC", "cudaMemRangeGetAttributes",
       "cudaGraphDebugDotPrint"}
# Served, but the client has something to do before or behind.
ALSO_OWN = {"cudaMallocHost", "cudaHostAlloc", "cudaHostRegister", "cudaHostUnregister", "cudaGraphAddKernelNode",
            "cudaGraphKernelNodeSetParams", "cudaGraphExecKernelNodeSetParams"}
# What a graded program cannot have: structures that lead to more of the client's memory, functions that it is told,
# other processes.
REFUSED = {"cudaGraphAddNode", "cudaGraphNodeSetParams", "cudaGraphExecNodeSetParams", "cudaGraphKernelNodeGetParams",
           "cudaGraphAddMemAllocNode", "cudaStreamGetCaptureInfo", "cudaFuncGetName", "cudaGetDriverEntryPoint",
           "cudaGetDriverEntryPointByVersion", "cudaIpcGetMemHandle", "cudaIpcOpenMemHandle", "cudaIpcCloseMemHandle",
           "cudaIpcGetEventHandle", "cudaIpcOpenEventHandle"}
# How many there are at a pointer: an expression of other arguments, in the server's names.
COUNT = {
    ("cudaDeviceGetPCIBusId", "pciBusId"): "len",
    ("cudaMemPoolSetAccess", "descList"): "count",
    ("cudaGraphAddMemcpyNode", "pDependencies"): "numDependencies",
    ("cudaGraphAddMemcpyNode1D", "pDependencies"): "numDependencies",
    ("cudaGraphAddMemsetNode", "pDependencies"): "numDependencies",
    ("cudaGraphAddHostNode", "pDependencies"): "numDependencies",
    ("cudaGraphAddKernelNode", "pDependencies"): "numDependencies",
    ("cudaGraphAddEmptyNode", "pDependencies"): "numDependencies",
    ("cudaGraphAddChildGraphNode", "pDependencies"): "numDependencies",
    ("cudaGraphAddDependencies", "from"): "numDependencies",
    ("cudaGraphAddDependencies", "to"): "numDependencies",
    ("cudaGraphAddDependencies", "edgeData"): "numDependencies",
    ("cudaGraphRemoveDependencies", "from"): "numDependencies",
    ("cudaGraphRemoveDependencies", "to"): "numDependencies",
    ("cudaGraphRemoveDependencies", "edgeData"): "numDependencies",
    ("cudaGraphAddMemcpyNodeToSymbol", "pDependencies"): "numDependencies",
    ("cudaGraphAddMemcpyNodeFromSymbol", "pDependencies"): "numDependencies",
    ("cudaGraphAddEventRecordNode", "pDependencies"): "numDependencies",
    ("cudaGraphAddEventWaitNode", "pDependencies"): "numDependencies",
    ("cudaGraphAddMemFreeNode", "pDependencies"): "numDependencies",
    ("cudaStreamBeginCaptureToGraph", "dependencies"): "numDependencies",
    ("cudaStreamBeginCaptureToGraph", "dependencyData"): "numDependencies",
    ("cudaStreamUpdateCaptureDependencies", "dependencies"): "numDependencies",
    ("cudaStreamUpdateCaptureDependencies", "dependencyData"): "numDependencies",
    ("cudaGraphGetEdges", "from"): "(numEdges ? *numEdges : 0)",
    ("cudaGraphGetEdges", "to"): "(numEdges ? *numEdges : 0)",
    ("cudaGraphGetEdges", "edgeData"): "(numEdges ? *numEdges : 0)",
    ("cudaGraphNodeGetDependencies", "pDependencies"): "(pNumDependencies ? *pNumDependencies : 0)",
    ("cudaGraphNodeGetDependencies", "edgeData"): "(pNumDependencies ? *pNumDependencies : 0)",
    ("cudaGraphNodeGetDependentNodes", "pDependentNodes"): "(pNumDependentNodes ? *pNumDependentNodes : 0)",
    ("cudaGraphNodeGetDependentNodes", "edgeData"): "(pNumDependentNodes ? *pNumDependentNodes : 0)",
    ("cudaGraphGetNodes", "nodes"): "(numNodes ? *numNodes : 0)",
    ("cudaGraphGetRootNodes", "pRootNodes"): "(pNumRootNodes ? *pNumRootNodes : 0)",
    ("umsim_residency", "bar"): "(characters + 1)",
    ("umsim_describe", "text"): "size",
}
# Plain memory behind a void pointer, bytes.
BYTES = {("cudaMemPoolSetAttribute", "value"): "8", ("cudaMemPoolGetAttribute", "value"): "8",
         ("cudaMemRangeGetAttribute", "data"): "dataSize", ("cudaGraphMemFreeNodeGetParams", "dptr_out"): "8",
         ("cudaDeviceGetGraphMemAttribute", "value"): "8", ("cudaDeviceSetGraphMemAttribute", "value"): "8"}
# Our own calls, of umsim.h and umsim_grading.h.
EXTENSIONS = """
void umsim_counters_read(struct umsim_counters *__out);
int umsim_counters_of(const void *__p, struct umsim_counters *__out);
int umsim_accesses_of(const void *__p, struct umsim_accesses *__out);
uint64_t umsim_time_ns(void);
void umsim_host_work_ns(uint64_t __ns);
void umsim_host_copied(size_t __bytes);
void umsim_host_copies(void *__p, size_t __bytes);
void umsim_host_copy(void *__to, const void *__from, size_t __bytes);
void umsim_kernel_reads(const void *__p, size_t __bytes);
void umsim_kernel_writes(const void *__p, size_t __bytes);
void umsim_kernel_chases(const void *__p, size_t __dependent_accesses);
size_t umsim_describe(const void *__p, char *__text, size_t __size);
size_t umsim_residency(const void *__p, size_t __bytes, char *__bar, size_t __characters);
"""
DECLARATION = re.compile(r"^(cudaError_t|void|int|size_t|uint64_t) ((?:cuda|umsim_)\w+)\(([^;]*?)\)"
                         r"(?:\s+UMSIM_CUDA12_SYMBOL\([^)]*\))?;", re.M)


class Argument:
    def __init__(self, call, text, number):
        match = re.fullmatch(r"(.*?)\s*(\w+)", text.strip(), re.S)
        self.type, name = " ".join(match[1].split()), match[2]
        self.name = name.removeprefix("__").removesuffix("_") or f"a{number}"
        self.key = (call, self.name)
        self.is_const = self.type.startswith("const ")
        self.target = None  # what it points to
        if self.type.endswith("*"):
            self.target = self.type[:-1].removeprefix("const ").strip()
        self.kind = self.find_kind(call)

    def find_kind(self, call):
        if self.target is None:
            return "value"
        if self.key in BYTES or self.target == "char" and self.key in COUNT:
            return "bytes"
        if self.target == "char":
            return "text"
        if self.target == "void":
            return {"func": "stub", "symbol": "variable"}.get(self.name, "number")
        if self.target in ("void *", "const void *") and self.name == "args":
            raise SystemExit(f"generate.py: {call}: {self.type} {self.name}: say how this travels")
        return "place"

    def count(self):
        return COUNT.get(self.key, "1")


class Call:
    def __init__(self, returns, name, text):
        self.returns, self.name = returns, name
        text = re.sub(r"\s*UMSIM_DEFAULT\([^)]*\)", "", text)
        self.arguments = [] if text.strip() in ("", "void") else [
            Argument(name, part, i) for i, part in enumerate(text.split(","))]


def declarations(paths):
    found, seen = [], set()
    for text in [Path(path).read_text(encoding="utf-8") for path in paths] + [EXTENSIONS]:
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        text = re.sub(r"#ifdef UMSIM_CUDA12\n.*?(?:#else\n(.*?))?#endif\n", lambda m: m[1] or "", text, flags=re.S)
        for returns, name, arguments in DECLARATION.findall(text):
            if name not in seen and name not in OWN:
                seen.add(name)
                found.append(Call(returns, name, arguments))
    return found


def refusal(call):
    parameters = ", ".join(f"{a.type} {a.name}" for a in call.arguments)
    unused = ", ".join(f"(void){a.name}" for a in call.arguments)
    text = f"umlab: {call.name}() is not there in a graded program\\n"
    return "\n".join([f"{call.returns} {call.name}({parameters});", f"{call.returns} {call.name}({parameters})", "{",
                      f"    {unused};", f'    fprintf(stderr, "{text}");', "    return cudaErrorNotSupported;",
                      "}", ""])


def stub(call, number):
    if call.name in REFUSED:
        return refusal(call)
    parameters = ", ".join(f"{a.type} {a.name}" for a in call.arguments) or "void"
    name = f"umsim_client_{call.name}" if call.name in ALSO_OWN else call.name
    lines = [f"{call.returns} {name}({parameters});", f"{call.returns} {name}({parameters})", "{",
             f"    struct umsim_message message = {{.kind = UMSIM_CLIENT_CALL, .number = {number}}};"]
    if call.arguments:
        lines.append("    unsigned at = 0;")
    for a in call.arguments:
        if a.kind in ("stub", "variable"):
            lines.append(f"    umsim_client_put_offset(&message, &at, {a.name});")
        else:
            lines.append(f"    umsim_client_put(&message, &at, &{a.name}, sizeof {a.name});")
    for a in call.arguments:
        if a.kind == "place" and a.count() == "1":
            lines.append(f"    umsim_client_touch({a.name}, sizeof *{a.name}, {int(not a.is_const)});")
    value = "umsim_client_call(&message)"
    lines.append(f"    (void){value};" if call.returns == "void" else f"    return ({call.returns}){value};")
    return "\n".join([*lines, "}", ""])


def served(call):
    lines = [f"static uint64_t serve_{call.name}(struct umsim_served *call)", "{"]
    if not call.arguments:
        lines.append("    (void)call;")
    later = []
    for a in call.arguments:
        if a.kind == "value":
            lines += [f"    {a.type} {a.name};", f"    umsim_served_value(call, &{a.name}, sizeof {a.name});"]
        elif a.kind == "number":
            lines.append(f"    {a.type} {a.name} = umsim_served_number(call);")
        elif a.kind in ("stub", "variable"):
            lines.append(f"    {a.type} {a.name} = umsim_served_offset(call);")
        else:
            lines.append(f"    const uintptr_t at_{a.name} = (uintptr_t)umsim_served_number(call);")
            later.append(a)
    for a in sorted(later, key=lambda a: a.count() != "1"):
        if a.kind == "text":
            lines.append(f"    {a.type} {a.name} = umsim_served_text(call, at_{a.name});")
            continue
        bytes_ = BYTES.get(a.key) or (f"sizeof({a.target})" if a.count() == "1" else
                                      f"umsim_served_bytes(call, (size_t){a.count()}, sizeof({a.target}))")
        lines.append(f"    {a.type} {a.name} = umsim_served_place(call, at_{a.name}, {bytes_}, {int(not a.is_const)});")
    arguments = ", ".join(a.name for a in call.arguments)
    if later:
        # CUDA's functions refuse a NULL; ours would follow it
        null = "".join(f" || !{a.name}" for a in later) if call.name.startswith("umsim_") else ""
        lines += [f"    if (call->faulted{null})", "        return cudaErrorInvalidValue;"]
    if call.returns == "void":
        lines += [f"    {call.name}({arguments});", "    return 0;"]
    else:
        lines.append(f"    return (uint64_t){call.name}({arguments});")
    return "\n".join([*lines, "}", ""])


def main():
    what, *paths = sys.argv[1:]
    print("/* Made by sim/client/generate.py. */")
    if what == "rest":
        print("__attribute__((noreturn)) void umsim_client_device_only(const char *name);")
        ours = set(Path(paths[1]).read_text().split())
        for name in sorted(set(Path(paths[0]).read_text().split()) - ours):
            if re.match(r"umsim_|__(asan|tsan|ubsan)_|GOMP_", name) and name != "umsim_builtins":
                # host code beside kernels is compiled with these looks at each access, too
                body = "" if name.startswith("__asan_") else f'    umsim_client_device_only("{name}");\n'
                print(f"void {name}(void);\nvoid {name}(void)\n{{\n{body}}}")
        return
    calls = declarations(paths)
    if what == "served":
        calls = [call for call in calls if call.name not in REFUSED]
    if what == "stubs":
        calls.sort(key=lambda call: call.name in REFUSED)  # the others have the numbers of those that are served
        print('#include "sim/client/client.h"\n#include "umsim_grading.h"\n#include <cuda_runtime_api.h>\n'
              "#include <cuda_profiler_api.h>\n#include <stdio.h>\n")
        print("\n".join(stub(call, number) for number, call in enumerate(calls)))
    else:
        print('#include "sim/server/served.h"\n#include "umsim_grading.h"\n#include <cuda_runtime_api.h>\n'
              "#include <cuda_profiler_api.h>\n")
        print("\n".join(served(call) for call in calls))
        print("const struct umsim_served_call umsim_served_calls[] = {")
        print("".join(f'    {{"{call.name}", serve_{call.name}}},\n' for call in calls) + "};")
        print(f"const unsigned umsim_served_calls_count = {len(calls)};")
        print(f'_Static_assert({len(calls)} + UMSIM_UNSERVED <= UMSIM_LEDGER_CALLS, "a line for each call");')


if __name__ == "__main__":
    main()
