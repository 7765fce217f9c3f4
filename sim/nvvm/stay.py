"""Conditions at a region's beginning by which a thread leaves it, or stays: `if i < n: ...`, the end of a loop.

They are found where a region begins with blocks that only compute, from what nobody else can change, and end in a jump
of which one way leads on, and the other one out of the region: to the kernel's end where the region has no other, else
past the cut at its end. So each thread can be asked before any of them goes on, and when all stay none has to be asked
again (part.py).
"""
from flow import IN_PLACE

# More instructions than these are no small price for a second text, nor saved by whole vectors.
LARGEST = 200


def only_computes(plan, block):
    return all(it.op == "phi" or it.name in plan.ranks or it.is_pure() or it.op in IN_PLACE
               for it in block.instructions)


def is_bare(plan, label):
    """Whether nothing happens on the way from there to the kernel's end."""
    seen = set()
    while label not in seen:
        seen.add(label)
        block = plan.flow.blocks[label]
        if block.instructions or block.copies or block.next is not None:
            return False
        if block.last.op == "ret":
            return True
        if len(block.successors()) != 1:
            return False
        label = block.successors()[0]
    return False


def leaves(plan, region, label):
    """Whether a thread that goes this way is out of the region."""
    if not region.ends:
        return is_bare(plan, label)
    end = region.number[region.ends[0]]
    at = region.number[label]
    return at != end and not region.reach[at] >> end & 1


def may_return(plan, region, found):
    """Whether a thread may return on a way on which the conditions found do not ask it."""
    todo, seen = [region.head], {region.head}
    while todo:
        label = todo.pop()
        if label in region.ends:
            continue
        to = [found[label]] if label in found else plan.flow.blocks[label].successors()
        if not to:
            return True
        todo += [s for s in to if s not in seen]
        seen.update(to)
    return False


def ways(plan, region):
    """@return {block: the next one, where all threads stay}, in order from the region's first block; those with one
    successor are among them. Empty where there is no condition, or it is not worth a text of its own: where a region
    has a loop, LLVM makes no vectors of its threads."""
    found, conditions, label = {}, 0, region.head
    if any(region.reach[i] >> i & 1 for i in range(len(region.blocks))) or len(region.ends) > 1 or \
            sum(len(plan.flow.blocks[b].instructions) for b in region.blocks) > LARGEST:
        return {}
    while label not in region.ends and only_computes(plan, plan.flow.blocks[label]):
        to = plan.flow.blocks[label].successors()
        stay = to if len(to) == 1 else [s for s in to if not leaves(plan, region, s)]
        if len(stay) != 1:
            break
        conditions += len(to) > 1
        found[label], label = stay[0], stay[0]
    while found and len(plan.flow.blocks[list(found)[-1]].successors()) == 1:
        found.popitem()  # what follows the last condition is not asked
    return found if conditions and (not region.ends or not may_return(plan, region, found)) else {}


def way_out(plan, region):
    """@return the way of ways() on which no thread stays; empty where they leave by several conditions"""
    found = ways(plan, region)
    conditions = [label for label in found if len(plan.flow.blocks[label].successors()) > 1]
    if len(conditions) != 1:
        return {}
    out = next(to for to in plan.flow.blocks[conditions[0]].successors() if to != found[conditions[0]])
    return {**found, conditions[0]: out}
