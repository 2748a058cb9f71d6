// Calls that end the process: what is open then, the system closes.
import { textOf } from '../models/origin.ts';
import type { Call } from '../syntax/node.ts';

const ENDS = /^(process\.(exit|abort|reallyExit)|Deno\.exit)$/;

/** `process.exit(1)`, whether the types of Node are installed or not. */
export function endsProcess({ callee }: Call): boolean {
  return ENDS.test(textOf(callee));
}
