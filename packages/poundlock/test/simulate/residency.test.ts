// How many CTAs an SM holds: shared memory, registers by warp, threads; and how CTAs share it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as forAll, integer, property } from 'fast-check';
import { buffer, compute, kernel, launch, pipeline, role, tma, count, end, loop } from 'poundlock';
import { Program } from '@poundlock/core/internal/program';
import { costsOf, MODELS, occupancyOf, simulate } from '#src/simulate/index';

const costs = costsOf(MODELS.h100);
const REGISTERS = 65_536;

function occupied({ registers = 0, lanes = 128, ctas = 1000, bytes = 0 }) {
  const one = kernel('one', {}, () => {
    launch(registers > 0 ? { ctas, registers } : { ctas });
    if (bytes > 0) buffer('smem', { bytes });
    return [
      role('work', { lanes }, function* () {
        yield* compute(100);
      }),
    ];
  });
  return occupancyOf(Program.together(one, {}), costs);
}

test('shared memory of the launch counts where it is more than what the buffers take', () => {
  const one = kernel('one', {}, () => {
    buffer('smem', { bytes: 1024 });
    launch({ ctas: 1000, sharedBytes: 100_000 });
    return [role('work', { lanes: 128 }, function* () {})];
  });
  const { fitting, limitedBy } = occupancyOf(Program.together(one, {}), costs);
  assert.deepEqual([fitting, limitedBy], [2, 'shared memory']);
});

test('registers limit the CTAs of an SM as the occupancy calculator of CUDA says', () => {
  const expected = [
    // registers of a thread, threads, CTAs
    [32, 128, 16],
    [64, 256, 4],
    [128, 128, 4],
    [168, 384, 1],
    [255, 128, 2],
    [255, 32, 8],
    [40, 192, 8],
  ] as const;
  for (const [registers, lanes, fitting] of expected) {
    const found = occupied({ registers, lanes });
    assert.equal(found.fitting, fitting, `${registers} registers of ${lanes} threads`);
    assert.equal(found.limitedBy, 'registers');
  }
});

test('no SM gives more registers than it has, nor fewer CTAs than would fit', () => {
  const some = property(
    integer({ min: 1, max: 255 }),
    integer({ min: 1, max: 32 }),
    (each, warps) => {
      const { fitting, limitedBy } = occupied({ registers: each, lanes: 32 * warps });
      const ofWarp = Math.ceil((each * 32) / 256) * 256;
      if (limitedBy === 'registers')
        assert.ok((fitting + 2) * warps * ofWarp > REGISTERS - 4 * ofWarp);
      if (fitting > 1) assert.ok(fitting * warps * ofWarp <= REGISTERS);
    },
  );
  forAll(some, { numRuns: 200 });
});

test('without registers, threads or shared memory limit', () => {
  assert.equal(occupied({}).limitedBy, 'threads');
  const { fitting, limitedBy } = occupied({ registers: 32, bytes: 100_000 });
  assert.deepEqual([fitting, limitedBy], [2, 'shared memory']);
});

/** A ring whose CTAs take a fourth of an SM each. */
const ring = kernel('ring', { ctas: 132, tiles: 32 }, (params) => {
  launch({ ctas: params.ctas });
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });
  buffer('more', { bytes: 20_000 });
  const tiles = count(params.tiles);
  return [
    role('load', function* () {
      yield* loop(null, function* () {
        if (!(yield* tiles.more())) return end(null);
        using slot = yield* ab.produce();
        tma.load(slot);
        return null;
      });
    }),
    role('use', { measured: true }, function* () {
      yield* loop(null, function* () {
        if (!(yield* tiles.more())) return end(null);
        using _ = yield* ab.consume();
        return null;
      });
    }),
  ];
});

const run = (ctas: number) => simulate(ring, { model: MODELS.h100, params: { ctas }, maxSpans: 0 });

test('one CTA more than SMs changes little, as memory is what all share', () => {
  const [all, one] = [run(132).totalCycles, run(133).totalCycles];
  assert.ok(Math.abs(one / all - 1) < 0.05, `${all} and ${one} cycles`);
});

test('more CTAs never make a launch shorter', () => {
  const times = [132, 198, 264, 396, 528, 660, 1056, 1584, 3168].map(
    (ctas) => run(ctas).totalCycles,
  );
  for (let at = 1; at < times.length; at++) assert.ok(times[at]! >= times[at - 1]!, `${times}`);
});

test('a CTA begins where one has ended, after the time that takes', () => {
  const alone = { ...MODELS.h100.parameters, l2BytesPerNanosecond: { value: 1e9, source: '' } };
  const parameters = { ...alone, groupBytesPerNanosecond: { value: 1e9, source: '' } };
  const model = { ...MODELS.h100, parameters };
  const of = (ctas: number) => simulate(ring, { model, params: { ctas }, maxSpans: 0 });
  const [one, five] = [of(528), of(5 * 528)];
  const gap = MODELS.h100.parameters.nextCtaCycles.value;
  const expected = 5 * one.totalCycles + 4 * gap;
  assert.ok(Math.abs(five.totalCycles / expected - 1) < 0.03, `${five.totalCycles}, ${expected}`);
});
