import { kernel as $kernel } from 'poundlock';
import { Endpoint, declareRing, Stage, created } from '@poundlock/core/dialect';
import { Side, read, write, role } from 'poundlock';
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
const pair = declareRing('pair', { stages: 2 }, (...of) => new Slot(...of));
const [write, read] = [new Endpoint(pair, Side.produce), new Endpoint(pair, Side.consume)];
const [writes, reads] = [write.acquire(Slot, 'write()'), read.acquire(Slot, 'read()')];
return [
  role('writer', function* () {
    (yield* created(writes)).release();
  }),
  role('reader', function* () {
    (yield* created(reads)).release();
  }),
];
});