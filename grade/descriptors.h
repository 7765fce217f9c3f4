/**
 * @file descriptors.h
 * @brief Messages with descriptors, by a SOCK_SEQPACKET socket; and the one that a call cannot be made.
 */
#ifndef UM_GRADE_DESCRIPTORS_H
#define UM_GRADE_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>

enum { UM_DESCRIPTORS_MAX = 8 };

bool um_send_descriptors(int socket, const void *bytes, size_t size, const int *fd, unsigned count);
/** Takes a message of that size with as many descriptors; they close on exec. @return false at the other
 * side's end */
bool um_take_descriptors(int socket, void *bytes, size_t size, int *fd, unsigned count);

/** Tells the grader, on a call's socket, what the machine or the course lacks (UM_BROKEN, protocol.h). */
void um_send_broken(int talk, const char *what, const char *why);

#endif
