/**
 * @file descriptors.c
 * @brief Implementation of descriptors.h.
 */
#include "descriptors.h"
#include "protocol.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

union control {
    struct cmsghdr head;
    char buffer[CMSG_SPACE(UM_DESCRIPTORS_MAX * sizeof(int))];
};

bool um_send_descriptors(int socket, const void *bytes, size_t size, const int *fd, unsigned count)
{
    union control control = {.buffer = {0}};
    struct iovec part = {(void *)bytes, size};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.buffer,
                             .msg_controllen = CMSG_SPACE(count * sizeof *fd)};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(count * sizeof *fd);
    memcpy(CMSG_DATA(head), fd, count * sizeof *fd);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)size;
}

bool um_take_descriptors(int socket, void *bytes, size_t size, int *fd, unsigned count)
{
    union control control;
    struct iovec part = {bytes, size};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.buffer,
                             .msg_controllen = sizeof control.buffer};
    ssize_t got;
    while ((got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        ;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (got != (ssize_t)size || !head || head->cmsg_len != CMSG_LEN(count * sizeof *fd))
        return false;
    memcpy(fd, CMSG_DATA(head), count * sizeof *fd);
    return true;
}

void um_send_broken(int talk, const char *what, const char *why)
{
    char text[400];
    const int length = snprintf(text, sizeof text, "%c%s: %s", UM_BROKEN, what, why);
    send(talk, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1, MSG_NOSIGNAL);
}
