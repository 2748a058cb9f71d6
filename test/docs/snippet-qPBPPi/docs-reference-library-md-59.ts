import { kernel, pipeline, role, tma } from 'poundlock';
import { exportKernel } from 'poundlock/export';

const copy = kernel('copy', {}, () => {
  const ab = pipeline('ab', { stages: 1, bytes: 1024 });
  const load = role('load', function* () {
    using slot = yield* ab.produce();
    tma.load(slot);
  });
  const use = role('use', function* () {
    using _tile = yield* ab.consume();
  });
  return [load, use];
});

console.log(exportKernel(copy, 'promela'));
