import { kernel, mma, pipeline, role, tma } from 'poundlock';
import { check } from 'poundlock/check';

const gemm = kernel('gemm', { stages: 2, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768 });
  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });
  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using tile = yield* ab.consume();
      mma.issue(tile);
    }
  });
  return [load, multiply];
});

const { verdict, findings } = await check(gemm, { params: { stages: 1 }, maxStates: 100_000 });
console.log(verdict); // counterexample
for (const { rule, message, trace } of findings) {
  console.log(`${rule} after ${trace?.length} steps: ${message}`);
}
