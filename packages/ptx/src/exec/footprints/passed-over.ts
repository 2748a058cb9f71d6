// What lanes may touch between a branch on unknown data and where its ways meet, which a run passes
// over: the addresses are known where no way computes them.
import type { Region } from '../warp/quiet-region.ts';
import type { Warp } from '../warp/warp.ts';

/** Notes what the ways of a branch may touch in global memory. */
export function passOver(warp: Warp, { instructions, writes }: Region, mask: number): void {
  const { touches } = warp.machine;
  const { touchings } = warp.program;
  if (touches === null || warp.ahead.look !== null) return;
  touches.isPassed = true;
  for (const index of instructions) {
    const touching = touchings[index]!;
    if (touching === null) continue;
    const isComputed = touching.registers.some((register) => writes.includes(register));
    if (isComputed) touches.addUnknown(index, touching.effect, true);
    else touching.note(warp, touches, mask);
  }
  touches.isPassed = false;
}
