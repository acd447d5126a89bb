/* SPDX-License-Identifier: 0BSD */
/* How often the sampler was asked, see fakes.c. */
#ifndef GCRT_TESTS_UNIT_FAKES_H
#define GCRT_TESTS_UNIT_FAKES_H

extern _Atomic int fake_attached, fake_detached;

#endif
