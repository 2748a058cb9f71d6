import { kernel, pipeline, role, tma } from 'poundlock';
import { certify } from 'poundlock/test';

const copy = kernel('copy', { stages: 1 }, ({ stages }) => {
  const ring = pipeline('ring', { stages, bytes: 1024 });
  const load = role('load', function* () {
    for (let tile = 0; tile < 4; tile++) {
      using slot = yield* ring.produce();
      tma.load(slot);
    }
    yield* ring.drain();
  });
  const store = role('store', function* () {
    for (let tile = 0; tile < 4; tile++) {
      using _slot = yield* ring.consume();
    }
  });
  return [load, store];
});
const results = await certify(copy, { stages: [1, 2, 3] });
console.log(results.length); // 3