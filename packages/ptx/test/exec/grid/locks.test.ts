// Locks that blocks take in turn: the verdict is compared with a search of all orders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { errorOf, launchOf, ptxOf, WORDS } from './protocol.ts';
import type { Operation, Protocol } from './protocol.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 40);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_124);

const word = fc.nat(WORDS - 1);
const often = fc.nat(9).map((number) => number > 0);
const access = fc.record({ op: fc.constantFrom('load' as const, 'store' as const), data: word });
const fence = fc.constant<Operation>({ op: 'fence' });
const accesses = fc.array(fc.oneof({ weight: 3, arbitrary: access }, fence), { maxLength: 2 });
const rarely = fc.oneof({ weight: 5, arbitrary: fc.constant<Operation[]>([]) }, accesses);
const taking = fc
  .record({
    before: rarely,
    inside: accesses,
    after: rarely,
    flag: fc.nat(9).map((number) => (number === 0 ? 1 : 0)),
    isAcquire: often,
    isRelease: often,
    gives: often,
  })
  .map(({ before, inside, after, flag, isAcquire, isRelease, gives }): Operation[] => {
    const give: Operation[] = gives ? [{ op: 'give', flag, isRelease }] : [];
    return [...before, { op: 'take', flag, isAcquire }, ...inside, ...give, ...after];
  });
const protocols: fc.Arbitrary<Protocol> = fc.array(taking, { minLength: 2, maxLength: 3 });

test('no verdict about random locks is wrong, and nearly all are decided', async () => {
  const counts = { certified: 0, counterexample: 0, inconclusive: 0 };
  const property = fc.asyncProperty(protocols, async (protocol) => {
    const error = errorOf(protocol);
    const [text, launch] = [ptxOf(protocol), launchOf(protocol)];
    const ptx = { file: 'locks.ptx', text };
    const result = await check(ptxKernel({ ptx, launch: { file: 'l.json', text: launch } }));
    const { verdict } = result;
    counts[verdict]++;
    if (verdict === 'certified') assert.equal(error, null);
    if (verdict === 'counterexample') assert.notEqual(error, null, result.findings[0]!.message);
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
  assert.ok(counts.inconclusive < RUNS / 10, JSON.stringify(counts));
  assert.ok(counts.certified > RUNS / 10, JSON.stringify(counts));
});
