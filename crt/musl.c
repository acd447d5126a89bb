/* SPDX-License-Identifier: 0BSD */
/*
 * What a static program of musl must bring: mcount/threads.c asks for it
 * weakly, for glibc's sake, and that brings nothing.
 */
#include <pthread.h>

extern __typeof__(pthread_key_create) *const needed_of_musl;
__typeof__(pthread_key_create) *const needed_of_musl = pthread_key_create;
