// Warning (--memory isa): the threads scale their accumulator between two wgmma that add to it, and
// execute wgmma.fence before the first one alone.
// On hardware: wgmma reads registers asynchronously, and may read them before the scaling. ptxas
// mostly sees it and inserts the fence, or makes each wgmma wait for the one before.
// Fix: wgmma.fence before each wgmma whose registers were touched.
import { asyncUse, buffer, fence, kernel, role, UNITS, waitGroup, write } from 'poundlock';

export default kernel('wgmma-without-fence', { tiles: 2, each: false }, ({ tiles, each }) => {
  const sA = buffer('sA');
  const acc = buffer('acc', { space: 'registers' });

  const math = role('math', { warps: 4 }, function* () {
    fence('wgmma');
    for (let tile = 0; tile < tiles; tile++) {
      if (each) fence('wgmma');
      asyncUse(UNITS.wgmma, { reads: [sA, acc], writes: [acc], group: true });
      yield* waitGroup(UNITS.wgmma, 0);
      write(acc); // scaled in place
    }
  });

  return [math];
});
