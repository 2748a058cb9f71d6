import { kernel as $kernel } from 'poundlock';
import { read, role, pipeline, tma } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ab = pipeline('ab', { stages: 2, bytes: 128 });
return [
  role('load', function* () {
    const slot = yield* ab.acquireProducer();
    tma.load(slot);
    slot.release();
  }),
  role('mma', function* () {
    const tile = yield* ab.acquireConsumer();
    read(tile.buffer());
    tile.release();
  }),
];
});