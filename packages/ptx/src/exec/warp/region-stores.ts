// What the ways of a branch may store to local memory: only that is unknown after them.
import type { Region } from './quiet-region.ts';
import { LOCAL_WINDOW } from '../../launch/windows.ts';
import { accessOf } from '../../isa/questions.ts';
import type { Instruction } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { addressOf } from './builder.ts';
import { address } from './lane.ts';
import { firstLane } from '../../values/lane-mask.ts';
import type { ReadAddress } from './lane.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

/** A store that may be to local memory. */
export interface LocalStore {
  /** The register of its address. */
  readonly base: number;
  readonly read: ReadAddress;
  readonly bytes: number;
  /** Whether its opcode names local memory. */
  readonly isLocal: boolean;
}

const at: Wide = { low: 0, high: 0 };

/** What an instruction may store to local memory; `null`: nothing. */
export function localStoreOf(instruction: Instruction, slots: Slots): LocalStore | null {
  const access = accessOf(instruction);
  if (access?.op !== 'store') return null;
  const { space } = access;
  if (space !== 'local' && space !== 'param' && space !== 'generic') return null;
  const operand = addressOf(instruction, 0);
  const bytes = access.bytes * access.width;
  const base = slots.source(operand.base);
  return { base, read: address(operand, slots), bytes, isLocal: space !== 'generic' };
}

/** Forgets what a region may store to local memory: all of it, where its address is not known. */
export function forgetStores(warp: Warp, { instructions, writes }: Region, mask: number): void {
  const { program, local, machine } = warp;
  for (const index of instructions) {
    const store = program.localStores[index]!;
    if (store === null) continue;
    if (writes.includes(store.base)) return local.forget(machine.fresh());
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const isKnown = store.read(warp, lane, at);
      if (!isKnown && store.isLocal) return local.forget(machine.fresh());
      if (!isKnown || (!store.isLocal && at.high !== LOCAL_WINDOW)) continue;
      local.forgetAt(at.low, lane, store.bytes, machine.fresh());
    }
  }
}
