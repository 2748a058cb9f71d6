// Which words the operations write that most programs make seldom.
import { unreachable } from '../base/index.ts';
import { OpKind } from '../op/index.ts';
import type { Instruction } from './instruction.ts';
import type { Journal } from './journal.ts';
import { BARRIER_WORDS, type Layout } from './layout.ts';
import type { MachineShape } from './shape.ts';

/** Operations that write words which most programs never change, all over the state. */
export type RareKind =
  | typeof OpKind.init
  | typeof OpKind.invalidate
  | typeof OpKind.arriveDrop
  | typeof OpKind.syncNamed
  | typeof OpKind.arriveNamed
  | typeof OpKind.syncCluster
  | typeof OpKind.arriveCluster
  | typeof OpKind.waitCluster
  | typeof OpKind.giveRegisters
  | typeof OpKind.takeRegisters
  | typeof OpKind.launchDependents
  | typeof OpKind.alloc
  | typeof OpKind.free
  | typeof OpKind.relinquish
  | typeof OpKind.exit;

/** Notes every word that one of the rare operations can write. */
export function noteRare(
  journal: Journal,
  layout: Layout,
  shape: MachineShape,
  kind: RareKind,
  { target, writes, cta, role }: Instruction,
): void {
  switch (kind) {
    case OpKind.init:
    case OpKind.invalidate:
    case OpKind.arriveDrop:
      return journal.noteAll(layout.barriers + target * BARRIER_WORDS, BARRIER_WORDS);
    case OpKind.exit:
      return journal.note(layout.ctas + cta * 2);
    case OpKind.syncNamed:
    case OpKind.arriveNamed:
      journal.noteAll(layout.named + target * 2, 2);
      return journal.noteAll(layout.sync, layout.cluster - layout.sync);
    case OpKind.syncCluster:
      return journal.noteAll(layout.sync, layout.cluster - layout.sync);
    case OpKind.arriveCluster:
    case OpKind.waitCluster:
      return journal.noteAll(layout.cluster, layout.launched - layout.cluster);
    case OpKind.giveRegisters:
    case OpKind.takeRegisters:
      journal.note(layout.registers + cta);
      return journal.note(layout.registers + shape.ctas + role);
    case OpKind.launchDependents:
      if (shape.grids.length > 1) journal.note(layout.launched + cta);
      return;
    case OpKind.free:
      journal.noteAll(layout.pools + target * 2, 2);
      return journal.note(layout.buffers + (writes[0] ?? 0));
    case OpKind.alloc:
    case OpKind.relinquish:
      journal.noteAll(layout.pools + target * 2, 2);
      for (const id of shape.pools[Math.floor(target / shape.ctas)]!.buffers) {
        journal.note(layout.buffers + id * shape.ctas + cta);
      }
      return;
    default:
      return unreachable(kind);
  }
}
