// Bug: the main load signals the epilogue's load that its prologue is out, once for each tile, and
// there is no signal back.
// On hardware: the barrier has one parity bit. If the epilogue's load misses two arrivals,
// the bit is unchanged, and it waits forever; after three, it passes for the wrong tile.
// Fix: a barrier for the opposite direction, or a pipeline, which has both.
import { arrive, barrier, kernel, role, wait } from 'poundlock';

export default kernel('one-way-barrier', { tiles: 2 }, ({ tiles }) => {
  const loadOrder = barrier('loadOrder');

  const mainLoad = role('mainLoad', function* () {
    for (let tile = 0; tile < tiles; tile++) arrive(loadOrder);
  });

  const epilogueLoad = role('epilogueLoad', function* () {
    for (let tile = 0; tile < tiles; tile++) yield* wait(loadOrder, tile);
  });

  return [mainLoad, epilogueLoad];
});
