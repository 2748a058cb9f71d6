// How many registers a thread has, where neither the launch nor the text says it: an estimate.
import { Liveness, registersIn } from '../flow/liveness.ts';
import type { PtxFunction } from '../text/module.ts';

/**
 * Of the words that are live in the order of the text, ptxas leaves such a part live: it moves
 * instructions. With registers beside these, that is the median of 512 kernels of public programs.
 */
const LEFT = 0.75;
const BESIDE = 4;
const LEAST = 16;
const MOST = 255;
/** Registers are given to a thread in such units. */
const UNIT = 8;
const REGISTERS = 65_536;
const WORD = 32;

/**
 * What ptxas will give a thread of a block of so many: most of the words that are live at
 * once; no more than a block of that size can have.
 */
export function estimatedRegisters(code: PtxFunction, threads: number): number {
  const liveness = new Liveness(code);
  let most = 0;
  for (const { index } of code.instructions) {
    let words = 0;
    for (const register of registersIn(liveness.before(index)))
      words += wordsOf(code.registers[register]!.type.bits);
    most = Math.max(most, words);
  }
  const whole = Math.ceil((LEFT * most + BESIDE) / UNIT) * UNIT;
  const limit = Math.floor(REGISTERS / Math.max(1, threads) / UNIT) * UNIT;
  return Math.min(Math.max(whole, LEAST), limit, MOST);
}

/** Predicates have registers of their own. */
export function wordsOf(bits: number): number {
  return bits === 1 ? 0 : Math.ceil(bits / WORD);
}
