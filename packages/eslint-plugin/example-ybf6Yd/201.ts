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
const empty = consumer.acquire(Slot, 'empty()');

const acquire = producer.acquire(Slot, 'acquire()');
return [
  role('fill', function* () {
    for (let tile = 0; tile < 2; tile++) (yield* created(acquire)).release();
  }),
  role('empty', function* () {
    for (let tile = 0; tile < 2; tile++) (yield* created(empty)).release();
  }),
];
});