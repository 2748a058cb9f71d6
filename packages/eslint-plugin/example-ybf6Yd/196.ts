import { kernel as $kernel } from 'poundlock';
import { Endpoint, declareRing, ringOver, Stage, created } from '@poundlock/core/dialect';
import { Side, barrier, arrive, role } from 'poundlock';
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
const consumer = new Endpoint(ring, Side.consume);
const empty = consumer.acquire(Slot, 'empty()');

const turns = [barrier('turn[0]'), barrier('turn[1]')];
const shared = { name: 'turns', stages: 2, full: turns, empty: [], parts: [], buffers: [] };
const order = ringOver({ ...shared, advance: 'acquire' }, (...of) => new Slot(...of));
const turn = new Endpoint(order, Side.consume);
return [
  role('first', function* () {
    arrive(turns[0]!);
  }),
  role('second', function* () {
    yield* created(turn.wait);
    turn.step();
  }),
];
});