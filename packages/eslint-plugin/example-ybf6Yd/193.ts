import { kernel as $kernel } from 'poundlock';
import { Endpoint, declareRing, Stage, created } from '@poundlock/core/dialect';
import { Side, role } from 'poundlock';
export default $kernel('example', {}, () => {
const Slot = class extends Stage {
  override get linear(): true {
    return true;
  }
  release(): void {
    this.leave(true);
  }
  override drop(): void {
    this.release();
  }
};
const ring = declareRing('ring', { stages: 2 }, (...of) => new Slot(...of));
const producer = new Endpoint(ring, Side.produce);
const consumer = new Endpoint(ring, Side.consume);
const fill = producer.acquire(Slot, 'fill()');
const empty = consumer.acquire(Slot, 'empty()');

return [
  role('fill', function* () {
    const stage = yield* created(producer.stage);
    const slot = yield* created(fill);
    if (slot.index === stage) slot.release();
  }),
  role('empty', function* () {
    (yield* created(empty)).release();
  }),
];
});