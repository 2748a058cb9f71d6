// Bug: the main load tells the epilogue's load that its prologue is out, once for each tile, and
// nothing comes back.
// On hardware: the barrier has one parity bit. If the epilogue's load sleeps through two arrivals,
// the bit is where it was, and it waits for ever; through three, it passes for the wrong tile.
// Fix: a barrier for the way back, or a pipeline, which has both.
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
