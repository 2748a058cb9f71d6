// Launches that fill SMs with several CTAs, and in several waves: what is said of them adds up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asyncUse, end, kernel, launch, loop, count, mma, pipeline, role, tma } from 'poundlock';
import { UNITS } from 'poundlock';
import { stallTable, pathTable } from '#src/report/simulation';
import { MODELS, simulate, type SimulateResult } from '#src/simulate/index';

const TILES = 16;

/** A product of which three CTAs fit on an SM. */
const product = kernel('product', { ctas: 132 }, ({ ctas }) => {
  launch({ ctas, source: 'hbm' });
  const ab = pipeline('ab', { stages: 4, bytes: 16_384 });
  const tiles = count(TILES);
  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot);
      return null;
    });
  });
  const multiply = role('mma', function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      using tile = yield* ab.consume();
      asyncUse(UNITS.mma, { reads: tile.buffers, cycles: 128 });
      mma.commitGroup();
      yield* mma.waitGroup(0);
      return null;
    });
  });
  return [load, multiply];
});

const of = (ctas: number): SimulateResult =>
  simulate(product, { model: MODELS.h200, params: { ctas } });

test('the roofline counts the work of each CTA once', () => {
  for (const ctas of [1, 132, 264, 396, 792]) {
    const { roofline, roofs, occupancy } = of(ctas).device;
    assert.equal(roofline!.intensity, (128 * 4096) / 16_384, `${ctas} CTAs`);
    const busy = roofs.find(({ name }) => name === 'tensor core')!.achieved / 100;
    const achieved = roofline!.teraflops / roofline!.peakTeraflops;
    assert.equal(occupancy.ctasPerSm, Math.min(3, Math.ceil(ctas / 132)));
    assert.ok(Math.abs(achieved / busy - 1) < 0.02, `${ctas} CTAs: ${achieved} and ${busy}`);
  }
});

test('shares of a launch in waves are those of a wave', () => {
  const [one, many] = [of(396), of(396 * 50)];
  assert.equal(many.device.occupancy.waves, 50);
  assert.equal(many.device.waveCycles, one.totalCycles);
  const shares = ({ device, criticalPath, lines }: SimulateResult) => {
    const run = { totalCycles: many.totalCycles, detail: { device, criticalPath, lines } };
    const [path, stalls] = [pathTable(run as never), stallTable(run as never)];
    return [path.rows, stalls.rows, stalls.heading[4]!.title];
  };
  const [path, stalls] = shares(one);
  assert.deepEqual(shares(many), [path, stalls, 'of a wave']);
});
