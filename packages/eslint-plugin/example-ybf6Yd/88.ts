import { kernel as $kernel } from 'poundlock';
import { read, role, pipeline, tma } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ab = pipeline('ab', { stages: 2, bytes: 128 });
return [
  role('load', function* () {
    using slot = yield* ab.produce();
    if (slot.index === 0) tma.load(slot);
  }),
  role('mma', function* () {
    using tile = yield* ab.consume();
    read(tile.buffer());
  }),
];
});