// L03: a CTA must not end while its own copies or bulk work use its memory, on every engine.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check, type CheckOptions } from '#src/check/index';
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
            asyncUse(UNITS.bulk, { reads: [out], group: true });
          }
          if (waits) yield* waitGroup(UNITS.bulk, 0);
        }),
      ];
    }),
};

for (const [name, make] of Object.entries(KINDS)) {
  suite(name, () => {
    for (const options of ENGINES) {
      test(JSON.stringify(options), async () => {
        const right = await check(make(true), options);
        assert.equal(right.verdict, 'certified');
        const wrong = await check(make(false), options);
        assert.equal(wrong.verdict, 'counterexample');
        const [first] = wrong.findings;
        assert.equal(first!.rule, 'exit-with-open-flight');
        const again = await check(make(false), { replay: first!.replayToken! });
        assert.equal(again.findings[0]!.rule, 'exit-with-open-flight');
      });
    }
    test('no proof', async () => {
      const { verdict } = await check(make(false), { engine: 'certify' });
      assert.notEqual(verdict, 'certified');
    });
  });
}

test('with --every the last store of any number of tiles is awaited, or it is an error', async () => {
  const loops = KINDS['the last iteration of many']!;
  assert.equal((await check(loops(true), { every: 'tiles' })).verdict !== 'counterexample', true);
  assert.equal((await check(loops(false), { every: 'tiles' })).verdict, 'counterexample');
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
