// Warning: without tiles, the consumer waits for a first tile that never comes. `tiles: 3` does not
// say whether that size occurs.
// On hardware: a launch with 0 tiles hangs, and one with any other number is right.
// Fix: integer(3, { min: 1 }) where 0 tiles are never launched; else the consumer tests first.
import { arrive, barrier, buffer, kernel, read, role, wait, write } from 'poundlock';

export default kernel('undeclared-size', { tiles: 3 }, ({ tiles }) => {
  const full = barrier('full');
  const empty = barrier('empty');
  const tile = buffer('tile');

  const load = role('load', function* () {
    for (let n = 0; n < tiles; n++) {
      yield* wait(empty, n - 1);
      write(tile);
      arrive(full);
    }
  });

  const use = role('use', function* () {
    let n = 0;
    do {
      yield* wait(full, n);
      read(tile);
      arrive(empty);
      n++;
    } while (n < tiles);
  });

  return [load, use];
});
