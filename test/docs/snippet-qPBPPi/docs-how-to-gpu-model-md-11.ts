import { count, end, kernel, loop, mma, pipeline, role, tma } from 'poundlock';
import { MODELS, simulate, type GpuModel } from 'poundlock/simulate';

const { h200 } = MODELS;
const slowMemory: GpuModel = {
  ...h200,
  name: 'slow-memory',
  title: 'H200 with twice the memory latency',
  caveat: 'not measured',
  parameters: {
    ...h200.parameters,
    hbmLatencyCycles: { value: 1_392, unit: 'cycles', source: 'an assumption' },
    l2LatencyCycles: { value: 388, unit: 'cycles', source: 'an assumption' },
  },
};

const gemm = kernel('gemm', { stages: 2, tiles: 64 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768 });
  const k = count(tiles);
  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* k.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot);
      return null;
    });
  });
  const multiply = role('mma', function* () {
    yield* loop(null, function* () {
      if (!(yield* k.more())) return end(null);
      using tile = yield* ab.consumeExplicit();
      mma.issue(tile);
      mma.commit(tile.mbar());
      return null;
    });
  });
  return [load, multiply];
});

for (const stages of [1, 2, 3, 4]) {
  const { totalCycles } = simulate(gemm, { model: slowMemory, params: { stages } });
  console.log(`${stages} stages: ${Math.round(totalCycles)} cycles`);
}
