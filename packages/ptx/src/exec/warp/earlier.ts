// Accesses to what the kernel before writes, where that one need not have ended yet: which buffer a
// lane touches, but not which part of it.
import type { EarlierBuffer } from '../../launch/launch.ts';
import { mapKey } from '../../launch/map-key.ts';
import type { Grid } from '../../isa/effect.ts';
import { mayAccessGlobal } from '../../isa/questions.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { NOTHING, visible } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import { address } from './lane.ts';
import { lanesOf } from '../../values/lane-mask.ts';
import { Status } from './program.ts';
import type { Action } from './program.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

const at: Wide = { low: 0, high: 0 };

/** The operands that may be addresses in global memory, or of tensor maps. */
function addressesOf(instruction: Instruction): Extract<Operand, { kind: 'address' }>[] {
  if (!mayAccessGlobal(instruction)) return [];
  const { operands } = instruction;
  return operands.flatMap((operand) => (operand.kind === 'address' ? [operand] : []));
}

/** The action of an instruction, which also notes what it touches of the kernel before. */
export function withEarlier(instruction: Instruction, slots: Slots, action: Action): Action {
  if (!slots.isFollowing || (action.kind !== 'silent' && action.kind !== 'visible')) return action;
  const operands = addressesOf(instruction);
  if (operands.length === 0) return action;
  const reads = operands.map((operand) => address(operand, slots));
  const { effect } = instruction;
  const isTensor = effect.kind === 'copy' && effect.op === 'tensor';
  const run = (warp: Warp, mask: number): Status => {
    const touched = new Map<number, number>();
    const { earlier } = warp.machine.launch;
    for (const lane of lanesOf(mask & ~warp.progress.followed))
      for (const read of reads) {
        if (!read(warp, lane, at)) {
          assumeApart(warp, instruction, operands);
          continue;
        }
        const index = earlier.findIndex((buffer) => isIn(buffer, at, isTensor));
        if (index >= 0) touched.set(index, (touched.get(index) ?? 0) | (1 << lane));
      }
    const status = action.run(warp, mask) ?? Status.done;
    if (status !== Status.done || warp.ahead.look !== null) return status;
    for (const [index, lanes] of touched) record(warp, instruction, index, lanes);
    return status;
  };
  return action.kind === 'visible'
    ? { ...action, run }
    : { kind: 'visible', run, mayLookAhead: true, isAccess: true };
}

const APART = 'an address that is data leads to nothing that the kernel before writes';

/** What is touched at an unknown address before the wait is not compared. */
function assumeApart(
  { machine, ahead: { look: lookAhead } }: Warp,
  { index }: Instruction,
  operands: readonly Operand[],
): void {
  if (lookAhead !== null || operands.every((each) => machine.isDerivedFromShared(index, each)))
    return;
  machine.assume(index, 'earlier-grid', APART);
}

/** Whether an address leads into a buffer. */
function isIn(
  { map, address: first, bytes }: EarlierBuffer,
  { low, high }: Wide,
  isTensor: boolean,
): boolean {
  if (map !== null) return isTensor && map === mapKey(true, low, high);
  const distance = high * 2 ** 32 + low - first;
  return distance >= 0 && distance < bytes;
}

function record(warp: Warp, { index: at }: Instruction, buffer: number, lanes: number): void {
  const place = warp.machine.earlier[buffer]!;
  const last = warp.steps.at(-1);
  const isSame = last?.op === 'access' && last.reads[0] === place && last.writes.length === 0;
  if (isSame && (last.lanes ?? warp.lanes) === lanes) return;
  const reads = lanesOf(lanes).flatMap(() => [place, place + 1]);
  warp.record({ op: 'access', at, kind: 'plain', reads, writes: [], values: [] }, lanes);
}

/** `griddepcontrol.wait`; the kernels after this one are no part of the run. */
export const griddepcontrol: BuilderOf<Grid> = ({ index }, { op }, slots) => {
  if (!slots.isFollowing || op !== 'wait') return NOTHING;
  return visible((warp, mask) => {
    warp.record({ op: 'gridWait', at: index }, mask);
    warp.progress.followed |= mask;
    return Status.done;
  });
};
