import { kernel as $kernel } from 'poundlock';
import { UNITS, barrier, arrive, asyncCopy, read, role, pipeline } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
const ab = pipeline('ab', { stages: 2, bytes: 128 });
return [
  role('load', function* () {
    const stage = yield* ab.waitConsumer();
    arrive(ab.producerMbar(stage), { bytes: 128 });
    asyncCopy(UNITS.tma, { into: ab.buffers(stage), bar: ab.producerMbar(stage), bytes: 128 });
    ab.producerStep();
  }),
  role('mma', function* () {
    using tile = yield* ab.consume();
    read(tile.buffer());
  }),
];
});