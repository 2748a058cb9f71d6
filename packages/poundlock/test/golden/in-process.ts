// What a command prints, without a process of its own: starting one takes longer than most checks.
import assert from 'node:assert/strict';
import { poundlock, type Outcome } from '../cli/fake-host.ts';
import { ROOT, shell } from './golden.ts';

/** What a shell would not pass on as it is. */
const OF_A_SHELL = /[^\w\s./,:=@%+-]/;

/**
 * Runs `poundlock check …` in the root of the repository, in this process; as a real command if it
 * is one of a few that show that both print the same, or if a shell has something to read in it.
 */
export function command(line: string, isReal = false): Promise<Outcome> {
  if (isReal || OF_A_SHELL.test(line)) return shell(line);
  const [name, ...argv] = line.trim().split(/\s+/);
  assert.equal(name, 'poundlock', line);
  return poundlock(ROOT, argv);
}
