// The per-tile barrier operations in WebAssembly: V8 calls a builtin for each JavaScript atomic,
// and one such call takes as long as one of these functions, which combine several atomics.
import type { SharedMemory } from '../../core/src/base/index.ts';
import { instantiate } from './memory.ts';
import { LOCK, PHASE, PHASE_SHIFT, POISON, SIMPLE, SLEEPER } from './futex-word.ts';

/** Words from the barrier of one stage to that of the next, where stages are polled ahead. */
export const AHEAD_STRIDE = 4;
const STEP_BYTES = AHEAD_STRIDE * 4;

/**
 * The functions of this file, in the text format; `i32.const` takes the words' marks by name.
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
 *     (func (export "r") (param $at i32) (param $guess i32) (result i32)
 *       (local $word i32)
 *       (local.set $word (i32.atomic.rmw.cmpxchg (local.get $at) (local.get $guess)
 *         (i32.add (local.get $guess) (i32.const PHASE))))
 *       (if (i32.eq (local.get $word) (local.get $guess)) (return (local.get $word)))
 *       (if (i32.ne (i32.and (local.get $word) (i32.const SIMPLE|LOCK|POISON)) (i32.const SIMPLE))
 *         (return (i32.const -1)))
 *       (if (i32.ne (local.get $word)
 *         (i32.atomic.rmw.cmpxchg (local.get $at) (local.get $word)
 *           (i32.add (i32.and (local.get $word) (i32.const ~SLEEPER)) (i32.const PHASE))))
 *         (return (i32.const -1)))
 *       (local.get $word))
 */
// oxfmt-ignore
const WASM_CODE = Uint8Array.of(
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // magic, version
  0x01, 0x0e, 0x02,
  0x60, 0x03, 0x7f, 0x7f, 0x7f, 0x01, 0x7f, // type 0: (i32, i32, i32) -> i32
  0x60, 0x02, 0x7f, 0x7f, 0x01, 0x7f, // type 1: (i32, i32) -> i32
  0x02, 0x0b, 0x01, 0x01, 0x6d, 0x01, 0x6d, 0x02, 0x03, 0x00, 0x80, 0x80, 0x04, // import m.m
  0x03, 0x03, 0x02, 0x00, 0x01, // functions of types 0 and 1
  0x07, 0x09, 0x02, 0x01, 0x61, 0x00, 0x00, 0x01, 0x72, 0x00, 0x01, // exported as a and r
  0x0a, 0x7f, 0x02,
  0x37, 0x01, 0x01, 0x7f, // a, with one local
  0x02, 0x40, 0x03, 0x40, // block, loop
  0x20, 0x00, 0x20, 0x01, 0x4f, 0x0d, 0x01, // at the end: stop
  0x20, 0x00, 0xfe, 0x10, 0x02, 0x00, 0x22, 0x03, // word = load(at)
  0x41, POISON, 0x71, 0x0d, 0x01, // poisoned: stop
  0x20, 0x03, 0x41, PHASE_SHIFT, 0x76, 0x20, 0x02, 0x73, 0x41, 0x01, 0x71, // parities differ?
  0x45, 0x0d, 0x01, // no: stop
  0x20, 0x00, 0x41, STEP_BYTES, 0x6a, 0x21, 0x00, // at += step
  0x0c, 0x00, 0x0b, 0x0b, 0x20, 0x00, 0x0b, // next; at
  0x45, 0x01, 0x01, 0x7f, // r, with one local
  0x20, 0x00, 0x20, 0x01, 0x20, 0x01, 0x41, PHASE, 0x6a, // at, guess, guess + PHASE
  0xfe, 0x48, 0x02, 0x00, 0x22, 0x02, // word = compare and exchange
  0x20, 0x01, 0x46, 0x04, 0x40, 0x20, 0x02, 0x0f, 0x0b, // as guessed: it
  0x20, 0x02, 0x41, SIMPLE | LOCK | POISON, 0x71, 0x41, SIMPLE, 0x47, // not simple alone?
  0x04, 0x40, 0x41, 0x7f, 0x0f, 0x0b, // then −1
  0x20, 0x00, 0x20, 0x02, // compare and exchange, at, word
  0x20, 0x02, 0x41, ~SLEEPER & 0x7f, 0x71, 0x41, PHASE, 0x6a, 0xfe, 0x48, 0x02, 0x00,
  0x20, 0x02, 0x47, // found another one?
  0x04, 0x40, 0x41, 0x7f, 0x0f, 0x0b, // then −1
  0x20, 0x02, 0x0b, // word
);

/** The functions on one memory; addresses are bytes. */
export interface WasmAtomics {
  /**
   * The first barrier from `at` on, before `end`, that a wait for `phase` does not pass (M07), or
   * that is poisoned; `end` where there is none.
   */
  readonly lookAhead: (at: number, end: number, phase: number) => number;
  /**
   * M03 for one arrival that completes the phase, on a word that is probably `guess`, SIMPLE and
   * without SLEEPER: reading the word first would move its cache line twice. Returns the previous
   * word, whose {@link SLEEPER} means that the caller must wake sleepers; −1 if the fast path does
   * not apply.
   */
  readonly arriveLast: (at: number, guess: number) => number;
}

export function wasmAtomicsFor(memory: SharedMemory): WasmAtomics {
  const { a, r } = instantiate(WASM_CODE, memory);
  return { lookAhead: a, arriveLast: r } as unknown as WasmAtomics;
}
