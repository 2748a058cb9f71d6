// tier: deep
// The PTX of a measured kernel: every bug that hung or corrupted an H200 is found, and no other.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { BUGS, pipeKernel } from '../../../ptx/test/check/pipe.ts';

const TABLE = new URL('data/mutants.csv', import.meta.url);

const ROWS = readFileSync(TABLE, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','));

/** The rows of each bug that run longest apart: the first and the last. */
const CHOSEN = BUGS.flatMap((bug) => {
  const rows = ROWS.filter(([name]) => name === bug);
  return rows.length < 2 ? rows : [rows[0]!, rows.at(-1)!];
});

for (const [bug, ...numbers] of CHOSEN) {
  const [consumers, stages, tileBytes, tiles, producerCycles, consumerCycles, , hangs, corrupt] =
    numbers.map(Number);
  test(`${bug} with ${stages} stages and ${consumers} consumers`, async () => {
    const kernel = pipeKernel({
      bug: BUGS.indexOf(bug as (typeof BUGS)[number]),
      stages: stages!,
      consumers: consumers!,
      tileBytes: tileBytes!,
      tiles: tiles!,
      producerCycles: producerCycles!,
      consumerCycles: consumerCycles!,
    });
    // Its waits give up after a second, so that the machine does not hang: here none does.
    const { verdict, findings } = await check(kernel, { accept: ['no-timeout'] });
    const isHarmed = hangs! + corrupt! > 0;
    if (isHarmed) assert.equal(verdict, 'counterexample');
    if (bug === 'none') assert.equal(verdict, 'certified');
    if (verdict === 'counterexample') assert.match(findings[0]!.primary.file, /pipe\.cu$/);
  });
}
