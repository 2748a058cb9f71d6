import { kernel as $kernel } from 'poundlock';
import { Endpoint, declareRing, forkRing, Stage, created } from '@poundlock/core/dialect';
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
const fill = producer.acquire(Slot, 'fill()');
const other = new Endpoint(forkRing(ring, 'other', (...of) => new Slot(...of)), Side.consume);
const empties = other.acquire(Slot, 'acquire()');
return [
  role('fill', function* () {
    (yield* created(fill)).release();
  }),
  role('empty', function* () {
    (yield* created(empties)).release();
  }),
];
});