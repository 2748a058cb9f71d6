import { kernel as $kernel } from 'poundlock';
import { read, role, pipeline } from 'poundlock';
import {  } from 'poundlock';
export default $kernel('example', {}, () => {
const ab = pipeline('ab', { stages: 2, bytes: { a: 64, b: 64 } });
return [
  role('load', function* () {
    using slot = yield* ab.produce();
    slot.arrive();
  }),
  role('mma', function* () {
    using tile = yield* ab.consume();
    read(tile.buffer('a'));
    read(tile.buffer('b'));
  }),
];
});