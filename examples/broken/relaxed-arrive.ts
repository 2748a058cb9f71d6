// Bug: the arrival that announces the sums is relaxed: mbarrier.arrive.relaxed.
// On hardware: a relaxed arrival counts, and orders no memory. The reader passes its wait and can
// read the sums of the tile before.
// Fix: leave out sem: 'relaxed' (mbarrier.arrive releases unless it says otherwise), or execute
// fence('release') before the arrival.
import { arrive, barrier, buffer, kernel, read, role, wait, write } from 'poundlock';

export default kernel('relaxed-arrive', { tiles: 2, sem: 'relaxed' }, ({ tiles, sem }) => {
  const sums = buffer('sums');
  const ready = barrier('ready');
  const taken = barrier('taken');

  const add = role('add', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(taken, tile - 1);
      write(sums);
      arrive(ready, { sem: sem === 'relaxed' ? 'relaxed' : 'release' });
    }
  });

  const store = role('store', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(ready, tile);
      read(sums);
      arrive(taken);
    }
  });

  return [add, store];
});
