import { kernel as $kernel } from 'poundlock';
import { role, pipeline, mma, tma } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ab = pipeline('ab', { stages: 3, bytes: 32_768, advance: 'acquire' });
return [
  role('load', function* () {
    using slot = yield* ab.produce();
    tma.load(slot);
  }),
  role('mma', function* () {
    using tile = yield* ab.consume();
    mma.issue(tile);
    yield* mma.waitGroup(0);
  }),
];
});