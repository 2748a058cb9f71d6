// Bug: the warpgroup scales its accumulator while the wgmma that adds to it is still in flight.
// On hardware: wgmma is asynchronous, and its registers change until its group is over. The thread
// reads a partial sum, or its own write is lost.
// Fix: wgmma.wait_group 0 before the first use of the accumulator.
import { asyncUse, buffer, fence, kernel, role, UNITS, waitGroup, write } from 'poundlock';

export default kernel('accumulator-too-early', { tiles: 2, early: true }, ({ tiles, early }) => {
  const sA = buffer('sA');
  const acc = buffer('acc', { space: 'registers' });

  const math = role('math', { warps: 4 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      fence('wgmma');
      asyncUse(UNITS.wgmma, { reads: [sA, acc], writes: [acc], group: true });
      if (!early) yield* waitGroup(UNITS.wgmma, 0);
      write(acc); // scaled in place
      yield* waitGroup(UNITS.wgmma, 0);
    }
  });

  return [math];
});
