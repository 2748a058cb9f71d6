// Kernels with a public bug, as an agent goes from them to their fix.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { BUGS } from '../../../../examples/bugs/about.ts';
import { ROOT } from '../golden/golden.ts';
import { checkAnswer, FIRST_BYTES, MAX_BYTES, type Read } from './session.ts';

const ACCEPTED = ['disjoint-data', 'tensormap-data'].flatMap((name) => ['--accept', name]);

/** The answers on the way from a bug of examples/ptx/bugs to its fix. */
export async function answersOn(name: string): Promise<readonly [bug: Read, fix: Read]> {
  const folder = join(ROOT, 'examples', 'ptx', 'bugs', name);
  const { memory } = BUGS[name]!;
  const more = [...ACCEPTED, ...(memory === undefined ? [] : ['--memory', memory])];
  const bug = await checkAnswer(folder, ['bug.ptx', '--launch', 'launch.json', ...more]);
  const fix = await checkAnswer(folder, ['fix.ptx', '--launch', 'launch.json', ...more]);
  return [bug, fix];
}

/** Two calls of few bytes: the cause with its line, the claim and all that it rests on are there. */
export function expectShort([bug, fix]: readonly [bug: Read, fix: Read]): void {
  assert.match(bug.text, /^(?:error|warning)\[[\w-]+\]: .*\n +╭─ kernel\.cu\n *\d+ │/);
  assert.match(bug.text, /^(?:counterexample|certified) {2}.*(?:\w+ after|\d warning)/m);
  assert.match(fix.text, /^certified {2}/m);
  assert.doesNotMatch(fix.text, /left out here/);
  const bytes = FIRST_BYTES + bug.bytes + fix.bytes;
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes: ${FIRST_BYTES} + ${bug.bytes} + ${fix.bytes}`);
}
