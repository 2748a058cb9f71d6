// What a command prints, without a process of its own: starting one takes longer than most checks.
import assert from 'node:assert/strict';
import { poundlock, type Outcome } from '../cli/fake-host.ts';
import { ROOT, shell } from './golden.ts';

/** What a shell would not pass on as it is. */
const OF_A_SHELL = /[^\w\s./,:=@%+-]/;

interface How {
  /** As a command of a shell: a few show that both print the same. */
  readonly isReal?: boolean;
  /** The folder; the root of the repository without one. */
  readonly cwd?: string;
}

/** Runs `poundlock check …` in this process, unless a shell has something to read in the line. */
export function command(line: string, { isReal = false, cwd = ROOT }: How = {}): Promise<Outcome> {
  if (isReal || OF_A_SHELL.test(line)) return shell(line, cwd);
  const [name, ...argv] = line.trim().split(/\s+/);
  assert.equal(name, 'poundlock', line);
  return poundlock(cwd, argv);
}
