// Bug: the producer starts with parity 0, like the consumer.
// On hardware: on a fresh barrier a wait for parity 1 passes and one for parity 0 blocks. So the
// producer waits for the release of a stage that was never filled: a hang before the first tile.
// Fix: the producer starts with parity 1 (make_producer_start_state).
import { arrive, barrier, buffer, kernel, read, role, waitParity, write } from 'poundlock';

export default kernel('wrong-start-phase', { start: 0, tiles: 2 }, ({ start, tiles }) => {
  const full = barrier('full');
  const empty = barrier('empty');
  const slot = buffer('slot');

  const producer = role('producer', function* () {
    let parity = start;
    for (let tile = 0; tile < tiles; tile++, parity ^= 1) {
      yield* waitParity(empty, parity);
      write(slot);
      arrive(full);
    }
  });

  const consumer = role('consumer', function* () {
    let parity = 0;
    for (let tile = 0; tile < tiles; tile++, parity ^= 1) {
      yield* waitParity(full, parity);
      read(slot);
      arrive(empty);
    }
  });

  return [producer, consumer];
});
