// A role that performs more silent operations in a row than it may: does it ever end?
import { BoundError, grouped, InputError } from '../base/index.ts';
import { MAX_SILENT, repeatedStep, Stand, Unfolding } from '../program/index.ts';
import type { System } from './system.ts';

/** The longest circle that is looked for. */
const MAX_CIRCLE = 10_000;

/**
 * Why `role` is not followed any further: an infinite loop is a mistake of the program, and one
 * that may end is only too long. `words` is its state, which is changed.
 */
export function endlessError(system: System, words: Int32Array, role: number): Error {
  const { name } = system.program.roles[role]!;
  const operations = `${grouped(MAX_SILENT)} operations that no other role can observe`;
  // A generator without a `loop` comes to new steps each time: only a `loop` circles.
  const repeated = system.steps instanceof Unfolding ? repeatedStep(system.steps) : null;
  const position =
    repeated?.role === role ? repeated.position : system.steps.position(words[role]!);
  if (counts(system, words, role)) {
    const what = `role ${name} did not end within ${operations}`;
    return new BoundError('silent', MAX_SILENT, what);
  }
  system.program.alarm.stop();
  return new InputError(`role ${name} performs ${operations}: an infinite loop`, position);
}

/** Whether a role counts as it goes around: it may end once it has counted far enough. */
function counts(system: System, words: Int32Array, role: number): boolean {
  const first = words.slice();
  for (let left = MAX_CIRCLE; left > 0; left--) {
    if (system.pass(words, role) !== Stand.silent) return true;
    if (words[role] === first[role]) return words.some((word, at) => word !== first[at]);
  }
  return false;
}
