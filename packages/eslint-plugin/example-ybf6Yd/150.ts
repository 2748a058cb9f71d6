import { count, kernel, mma, pipeline, role, tma } from 'poundlock';
import { advise } from 'poundlock/advise';
import { MODELS } from 'poundlock/simulate';

const single = kernel('single', { stages: 1 }, ({ stages }) => {
  const ab = pipeline('ab', { stages, bytes: 1024 });
  const items = count(8);
  return [
    role('load', function* () {
      while (yield* items.more()) {
        using slot = yield* ab.produce();
        tma.load(slot);
      }
    }),
    role('mma', function* () {
      while (yield* items.more()) {
        using tile = yield* ab.consume();
        mma.issue(tile, [], { cycles: 128 });
        yield* mma.waitGroup(0);
      }
    }),
  ];
});
const { current, proposals } = await advise(single, { model: MODELS.h200 });
const hasStages = proposals.some(({ kind }) => kind === 'stages');
console.log(current.totalCycles > 0, hasStages); // true true