/**
 * @file candidate.h
 * @brief A loop whose accesses may be judged before it begins: loops.cpp finds out, divide.cpp does it.
 */
#ifndef UMCC_ROWS_CANDIDATE_H
#define UMCC_ROWS_CANDIDATE_H

#include "reckon.h"

namespace rows
{

/** A hook: the call before an access. */
struct hook {
    gcall *call;
    unsigned bytes;
    bool is_write;
};

/** A condition that has to be the same in each pass. */
struct decision {
    gcond *condition;
    bool truth;
};

class candidate
{
  public:
    explicit candidate(class loop *l) : it(l), values(l), alone(NULL), end(NULL_TREE)
    {
    }
    /** Whether its accesses can be judged before. */
    bool is_fit();
    void divide();

  private:
    class loop *it;
    reckoner values;
    auto_vec<hook> hooks;
    auto_vec<decision> decisions;
    auto_vec<gimple *> superfluous; /* in the loop without calls */
    gcall *alone;                   /* of umsim_thread_alone() */
    tree end;                       /* what that is in the loop without calls */

    bool has_hooks(basic_block *body);
    bool count_passes();
    bool pays();
    bool take_call(gcall *call);
    bool take(gimple *statement);
    bool decide_for(basic_block block);
    bool decide(edge way);
    bool is_sure(basic_block from, basic_block to);
    tree accesses_variable();
    tree rows_variable();
    tree write_question();
    void record_places(tree accesses);
    void make_fast();
    tree array_of(const auto_vec<tree> &numbers, const char *name);
    tree conditions_variable();
    tree question_variable();
};

/** @return whether a call is the hook before an access of 4, 8 or 16 bytes */
bool hook_of(gcall *call, hook *out);

} // namespace rows

#endif
