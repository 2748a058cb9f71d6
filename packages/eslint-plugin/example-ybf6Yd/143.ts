import { kernel as $kernel } from 'poundlock';
import { read, role, pipeline, adopt, tma } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ab = pipeline('ab', { stages: 2, bytes: 128 });
return [
  role('load', function* () {
    const slot = yield* ab.acquireProducer();
    using scoped = adopt(slot);
    tma.load(scoped);
  }),
  role('mma', function* () {
    using tile = adopt(yield* ab.acquireConsumer());
    read(tile.buffer());
  }),
];
});