// Looks at the barriers of several stages with one call. V8 calls a builtin for each load of
// Atomics, which takes as long as a small WebAssembly function that makes them all.
import type { SharedMemory } from '../base/index.ts';
import { instantiate } from './memory.ts';
import { PHASE_SHIFT, POISON } from './word.ts';

/** Words from the barrier of one stage to that of the next, where stages are looked at ahead. */
export const AHEAD_WORDS = 4;
const STEP_BYTES = AHEAD_WORDS * 4;

/**
 * The function of this file, in the text format:
 *
 *     (func (export "a") (param $at i32) (param $end i32) (param $phase i32) (result i32)
 *       (local $word i32)
 *       (block $stop
 *         (loop $next
 *           (br_if $stop (i32.ge_u (local.get $at) (local.get $end)))
 *           (local.set $word (i32.atomic.load (local.get $at)))
 *           (br_if $stop (i32.and (local.get $word) (i32.const POISON)))
 *           (br_if $stop (i32.eqz (i32.and (i32.const 1)
 *             (i32.xor (i32.shr_u (local.get $word) (i32.const PHASE_SHIFT)) (local.get $phase)))))
 *           (local.set $at (i32.add (local.get $at) (i32.const STEP_BYTES)))
 *           (br $next)))
 *       (local.get $at))
 */
// oxfmt-ignore
const LOOK_AHEAD = Uint8Array.of(
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // magic, version
  0x01, 0x08, 0x01, 0x60, 0x03, 0x7f, 0x7f, 0x7f, 0x01, 0x7f, // type 0: (i32, i32, i32) -> i32
  0x02, 0x0b, 0x01, 0x01, 0x6d, 0x01, 0x6d, 0x02, 0x03, 0x00, 0x80, 0x80, 0x04, // import m.m
  0x03, 0x02, 0x01, 0x00, // a function of type 0
  0x07, 0x05, 0x01, 0x01, 0x61, 0x00, 0x00, // exported as a
  0x0a, 0x39, 0x01, 0x37, 0x01, 0x01, 0x7f, // its code, with one local
  0x02, 0x40, 0x03, 0x40, // block, loop
  0x20, 0x00, 0x20, 0x01, 0x4f, 0x0d, 0x01, // at the end: stop
  0x20, 0x00, 0xfe, 0x10, 0x02, 0x00, 0x22, 0x03, // word = load(at)
  0x41, POISON, 0x71, 0x0d, 0x01, // poisoned: stop
  0x20, 0x03, 0x41, PHASE_SHIFT, 0x76, 0x20, 0x02, 0x73, 0x41, 0x01, 0x71, // parities differ?
  0x45, 0x0d, 0x01, // no: stop
  0x20, 0x00, 0x41, STEP_BYTES, 0x6a, 0x21, 0x00, // at += step
  0x0c, 0x00, 0x0b, 0x0b, 0x20, 0x00, 0x0b, // next; at
);

/**
 * The byte of the first barrier from `at` on, before `end`, that a wait for `phase` does not pass
 * (M07), or that is poisoned; `end` where there is none.
 */
export type LookAhead = (at: number, end: number, phase: number) => number;

/** The function on one memory. */
export function lookAheadOn(memory: SharedMemory): LookAhead {
  return instantiate(LOOK_AHEAD, memory)['a'] as LookAhead;
}
