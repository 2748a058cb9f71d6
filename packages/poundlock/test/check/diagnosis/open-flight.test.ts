// L03, X02: a CTA that ends while its own work uses its memory, on every engine: copies go on, which
// is a practice, and in the profile `isa` an error; other work is an error.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from '../../accepting.ts';
import type { CheckOptions } from '#src/check/index';
import type { CheckResult } from '@poundlock/core/internal/finding';
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  cell,
  choose,
  commitGroup,
  exit,
  fence,
  kernel,
  role,
  tryWait,
  UNITS,
  wait,
  waitGroup,
  write,
  type Kernel,
} from 'poundlock';

const ENGINES: readonly CheckOptions[] = [{}, { engine: 'search' }, { engine: 'reduced' }];

/** What a role does last, with the wait that it may leave out. */
const KINDS: Readonly<Record<string, (waits: boolean) => Kernel>> = {
  'a bulk store': (waits) =>
    kernel('store', {}, () => {
      const out = buffer('out');
      return [
        role('epilogue', function* () {
          write(out);
          fence('proxy.async');
          asyncUse(UNITS.bulk, { reads: [out], group: true });
          if (waits) yield* waitGroup(UNITS.bulk, 0);
        }),
        role('other', function* () {}),
      ];
    }),
  'the last one of two stores': (waits) =>
    kernel('stores', {}, () => {
      const out = [buffer('out0'), buffer('out1')];
      return [
        role('epilogue', function* () {
          for (const one of out) asyncUse(UNITS.bulk, { reads: [one], group: true });
          yield* waitGroup(UNITS.bulk, waits ? 0 : 1);
        }),
      ];
    }),
  'a load that no role waits for': (waits) =>
    kernel('load', {}, () => {
      const [full, tile] = [barrier('full'), buffer('tile')];
      return [
        role('load', function* () {
          arrive(full, { bytes: 64 });
          asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: 64 });
        }),
        role('math', function* () {
          if (waits) yield* wait(full, 0);
        }),
      ];
    }),
  'a copy into a cell': (waits) =>
    kernel('response', {}, () => {
      const response = cell('response', 0);
      return [
        role('query', function* () {
          asyncCopy(UNITS.clc, { into: [], cell: response, value: 1 });
          commitGroup(UNITS.clc);
          if (waits) yield* waitGroup(UNITS.clc, 0);
        }),
      ];
    }),
  'a CTA that exits': (waits) =>
    kernel('exits', {}, () => {
      const out = buffer('out');
      return [
        role('epilogue', function* () {
          asyncUse(UNITS.bulk, { reads: [out], group: true });
          if (waits) yield* waitGroup(UNITS.bulk, 0);
          exit();
        }),
        role('other', { cta: 1 }, function* () {}),
      ];
    }),
  'a choice': (waits) =>
    kernel('chooses', {}, () => {
      const out = buffer('out');
      return [
        role('epilogue', function* () {
          asyncUse(UNITS.bulk, { reads: [out], group: true });
          if (waits || (yield* choose(2)) === 0) yield* waitGroup(UNITS.bulk, 0);
        }),
      ];
    }),
  'a try that fails': (waits) =>
    kernel('tries', {}, () => {
      const [full, tile] = [barrier('full'), buffer('tile')];
      return [
        role('load', function* () {
          arrive(full, { bytes: 64 });
          asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: 64 });
        }),
        role('math', function* () {
          const isFull = yield* tryWait(full, 0);
          if (!isFull && waits) yield* wait(full, 0);
        }),
      ];
    }),
  'the last iteration of many': (waits) =>
    kernel('loops', { tiles: 5 }, ({ tiles }) => {
      const out = buffer('out');
      return [
        role('epilogue', function* () {
          for (let tile = 0; tile < tiles; tile++) {
            yield* waitGroup(UNITS.bulk, 0);
            write(out);
            fence('proxy.async');
            asyncUse(UNITS.bulk, { reads: [out], group: true });
          }
          if (waits) yield* waitGroup(UNITS.bulk, 0);
        }),
      ];
    }),
};

/** Work that is no copy: it must be over in every profile. */
const HELD = new Set(['a copy into a cell']);

/** What a search decides, so that levels of memory stay open. */
const SEARCHED = new Set(['a CTA that exits', 'a try that fails']);

/** The practices that a verdict relies on. */
function practicesOf({ scope }: CheckResult): string[] {
  return scope.assumptions.map(({ name }) => name).filter((name) => /^H\d+$/.test(name));
}

for (const [name, make] of Object.entries(KINDS)) {
  suite(name, () => {
    for (const options of ENGINES) {
      test(JSON.stringify(options), async () => {
        const right = await check(make(true), { ...options, memory: 'isa' });
        assert.equal(right.verdict, 'certified');
        const wrong = await check(make(false), { ...options, memory: 'isa' });
        assert.equal(wrong.verdict, 'counterexample');
        const [first] = wrong.findings;
        assert.equal(first!.rule, 'exit-with-open-flight');
        const token = { replay: first!.replayToken!, memory: 'isa' } as const;
        const again = await check(make(false), token);
        assert.equal(again.findings[0]!.rule, 'exit-with-open-flight');
      });
      for (const memory of ['none', 'practice'] as const)
        test(`${JSON.stringify(options)} in ${memory}`, async () => {
          assert.deepEqual(practicesOf(await check(make(true), { ...options, memory })), []);
          const open = await check(make(false), { ...options, memory });
          if (HELD.has(name)) return assert.equal(open.verdict, 'counterexample');
          if (memory === 'practice' && SEARCHED.has(name))
            return assert.equal(open.verdict, 'inconclusive');
          assert.deepEqual([open.verdict, open.reason], ['certified', undefined]);
          const isLoad = /load|try/.test(name);
          assert.deepEqual(practicesOf(open), [isLoad ? 'H18' : 'H7']);
          const rules = open.findings.map(({ rule }) => rule);
          assert.deepEqual([...new Set(rules)], isLoad ? ['not-quiescent'] : []);
        });
    }
    test('no proof', async () => {
      const { verdict } = await check(make(false), { engine: 'certify', memory: 'isa' });
      assert.notEqual(verdict, 'certified');
    });
  });
}

test('with --every the last store of any number of tiles is awaited, or relied on', async () => {
  const loops = KINDS['the last iteration of many']!;
  const isa = { every: 'tiles', memory: 'isa' } as const;
  assert.notEqual((await check(loops(true), isa)).verdict, 'counterexample');
  assert.equal((await check(loops(false), isa)).verdict, 'counterexample');
  const { verdict } = await check(loops(false), { every: 'tiles', memory: 'none' });
  assert.notEqual(verdict, 'counterexample');
});

test('work for another CTA may outlive the CTA that issued it', async () => {
  const target = kernel('remote', {}, () => {
    const [full, tile] = [barrier('full'), buffer('tile')];
    return [
      role('load', function* () {
        asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: 64, cta: 1 });
      }),
      role('math', { cta: 1 }, function* () {
        arrive(full, { bytes: 64 });
        yield* wait(full, 0);
      }),
    ];
  });
  assert.equal((await check(target)).verdict, 'certified');
});
