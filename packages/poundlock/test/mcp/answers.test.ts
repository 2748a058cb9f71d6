// Answers are short: what is cut, what stays, and how much an agent reads from PTX to its fix.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bounded, CHECK_CHARACTERS, MIN_CHARACTERS } from '#src/cli/mcp/bounded';
import { answersOn, expectShort } from './bugs.ts';

/** One of each kind that has long answers: many labels, two errors, a cluster, a loop. */
const SAMPLE = ['001-empty-tile-arrives', '017-one-stage', '028-bytes-of-the-cluster'];

for (const name of SAMPLE) {
  test(`${name}: from PTX to its fix in two calls that are short`, async () => {
    expectShort(await answersOn(name));
  });
}

const frame = (rule: string, line: number, labels: number): string =>
  [
    `error[${rule}]: warp${line} and others wait`,
    '   ╭─ kernel.cu',
    ...Array.from({ length: labels }, (_, index) => `${line + index} │ wait(); // ${index}`),
    '   ╰─',
    `   note: why ${rule}`,
    `   help: change line ${line}`,
    `   replay: poundlock check kernel.ptx --replay w${line}`,
  ].join('\n');
const VERDICT = [
  'counterexample  k (n=4): deadlock after 8 steps · 12 states',
  '   note: covered 3 of 3 synchronizing instructions',
  '   assumes: H1 (1 place): a write is visible',
].join('\n');

test('an answer that fits is whole', () => {
  const text = [frame('deadlock', 10, 2), VERDICT].join('\n\n');
  assert.deepEqual(bounded(text, CHECK_CHARACTERS), { text, cutLines: 0 });
});

test('of many findings the first is whole, the others are a line each with their place', () => {
  const text = [
    frame('deadlock', 10, 4),
    frame('race', 50, 20),
    frame('race', 90, 60),
    VERDICT,
  ].join('\n\n');
  const { text: cut, cutLines } = bounded(text, CHECK_CHARACTERS);
  assert.ok(cut.length <= CHECK_CHARACTERS);
  for (const part of frame('deadlock', 10, 4).split('\n')) assert.ok(cut.includes(part), part);
  assert.match(cut, /^error\[race\]: warp50 and others wait \(kernel\.cu:50\)$/m);
  assert.match(cut, /^error\[race\]: warp90 and others wait \(kernel\.cu:90\)$/m);
  assert.ok(cut.endsWith(VERDICT));
  assert.match(
    cut,
    new RegExp(`^\\[${cutLines} lines left out here: maxCharacters \\d+ shows`, 'm'),
  );
});

test('of a long frame the middle goes: what to change and the verdict stay', () => {
  const text = ['a line of the program', frame('deadlock', 10, 200), VERDICT].join('\n\n');
  const { text: cut } = bounded(text, MIN_CHARACTERS);
  assert.ok(cut.length <= MIN_CHARACTERS, cut);
  assert.match(cut, /^a line of the program\n\nerror\[deadlock\]: .*\n +╭─ kernel\.cu\n10 │/);
  assert.match(cut, /\n\[…\]\n +help: change line 10$/m);
  assert.match(cut, /^counterexample {2}k/m);
  const [, more] = /maxCharacters (\d+) shows/.exec(cut)!;
  assert.equal(bounded(text, Number(more)).cutLines, 0);
});

test('a text without findings keeps its start and its last line', () => {
  const text = Array.from({ length: 100 }, (_, row) => `row ${row}: ${'x'.repeat(30)}`).join('\n');
  const { text: cut } = bounded(text, MIN_CHARACTERS);
  assert.match(cut, /^row 0: /);
  assert.match(cut, /\nrow 99: x+$/);
  assert.ok(cut.length <= MIN_CHARACTERS);
});
