import { kernel, mma, pipeline, role, tma } from 'poundlock';
import { MODELS, simulate } from 'poundlock/simulate';

const one = kernel('one', {}, () => {
  const ab = pipeline('ab', { stages: 1, bytes: 1024 });
  return [
    role('load', function* () {
      using slot = yield* ab.produce();
      tma.load(slot);
    }),
    role('mma', function* () {
      using tile = yield* ab.consume();
      mma.issue(tile, [], { cycles: 128 });
      yield* mma.waitGroup(0);
    }),
  ];
});
const { totalCycles, roles } = simulate(one, { model: MODELS.h200 });
console.log(totalCycles > 128, roles.length); // true 2