// tier: release
// The package on the oldest Node, on Bun and on Deno: rings, pipes, and deaths that are noticed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { installedRuntimes } from '../../../tools/runtimes/install.ts';

const PROGRAM = join(import.meta.dirname, 'runtimes-program.mjs');
const ITEMS = 1000;
const MISSING = 'no other runtimes here: `npm run setup:runtimes` installs them';

interface Result {
  readonly sum: number;
  readonly seen: readonly unknown[];
  readonly deaths: Readonly<Record<string, { name: string; role: string; ms: number }>>;
}

const runtimes = installedRuntimes();

for (const name of ['Node 20.19', 'Bun', 'Deno']) {
  test(`rings, pipes and deaths on ${name}`, { timeout: 120_000 }, (t) => {
    if (runtimes === null) return t.skip(MISSING);
    const [program, ...words] = runtimes[name]!;
    const env = { ...process.env, NODE_OPTIONS: '' };
    const options = { encoding: 'utf8', env, timeout: 100_000 } as const;
    const { stdout, stderr } = spawnSync(program!, [...words, PROGRAM], options);
    assert.notEqual(stdout, '', stderr);
    const { sum, seen, deaths } = JSON.parse(stdout) as Result;
    assert.equal(sum, ((ITEMS - 1) * ITEMS) / 2);
    assert.deepEqual(seen, [2, 4, 6, 'double', 'TypeError']);
    assert.deepEqual(Object.keys(deaths), ['terminate', 'throw', 'exit']);
    for (const [how, { name: error, role, ms }] of Object.entries(deaths)) {
      assert.deepEqual([how, error, role], [how, 'RingPoisoned', 'victim']);
      t.diagnostic(`${how}: ${ms.toFixed(1)} ms`);
    }
  });
}
