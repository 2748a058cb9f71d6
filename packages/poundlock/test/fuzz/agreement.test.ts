// check against a search that shares no code with it, on random programs of every kind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compare } from './compare.ts';
import { kindsOf, randomProgram } from './random-program.ts';

// FUZZ_SEED=… runs the same programs again; FUZZ_RUNS=100000 runs more of them.
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const runs = Number(process.env.FUZZ_RUNS ?? 2_000);

const verdicts = { certified: 0, counterexample: 0, skipped: 0 };
const rules = new Map<string, number>();
const kinds = new Set<string>();
let certificates = 0;

const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);

test(`${runs} random programs of seed ${seed}: same verdict, same length, same rule`, async (t) => {
  const property = fc.asyncProperty(randomProgram, async (program) => {
    const { dull, faults, isCertificate } = await compare(program);
    assert.deepEqual(faults, [], JSON.stringify(program));
    verdicts[dull.verdict]++;
    if (isCertificate === true) certificates++;
    for (const rule of dull.rules) count(rules, rule);
    for (const kind of kindsOf(program)) kinds.add(kind);
  });
  await fc.assert(property, { seed, numRuns: runs });
  t.diagnostic(`${JSON.stringify(verdicts)}, ${certificates} of them by certificate`);
  t.diagnostic(JSON.stringify(Object.fromEntries(rules)));
});

test('the programs are of every kind, and few are too large', () => {
  assert.ok(verdicts.skipped < runs * 0.3, `${verdicts.skipped} were skipped`);
  assert.ok(verdicts.certified > runs * 0.2, `${verdicts.certified} were certified`);
  assert.ok(verdicts.counterexample > runs * 0.2, `${verdicts.counterexample} were not`);
  assert.ok(certificates > runs * 0.05, `${certificates} certificates`);
  const often = ['deadlock', 'race', 'false-pass', 'false-block', 'over-arrival', 'tx-mismatch'];
  for (const rule of [...often, 'missing-drain', 'leaked-stage', 'double-release']) {
    assert.ok((rules.get(rule) ?? 0) > 0, `no program shows ${rule}`);
  }
  for (const kind of ['loop', 'choose', 'tryWait', 'asyncCopy', 'asyncUse', 'scoped', 'acquire']) {
    assert.ok(kinds.has(kind), `no program has ${kind}: ${[...kinds].join(' ')}`);
  }
});
