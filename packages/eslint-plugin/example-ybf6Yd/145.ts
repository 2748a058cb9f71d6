import { kernel as $kernel } from 'poundlock';
import { role, pipeline, mma, tma } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ab = pipeline('ab', { stages: 2, bytes: 128 });
return [
  role('load', function* () {
    using slot = yield* ab.produce();
    tma.load(slot);
  }),
  role('mma', function* () {
    using tile = yield* ab.consumeExplicit();
    mma.issue(tile);
    mma.commit(tile.mbar());
  }),
];
});