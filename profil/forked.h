/* SPDX-License-Identifier: 0BSD */
/* What profil() does in a forked child; its public header is installed. */
#ifndef GCRT_FORKED_H
#define GCRT_FORKED_H

/* Nobody else is at it any more.  Called from: fork.c. */
void profil_fork(void);

#endif
