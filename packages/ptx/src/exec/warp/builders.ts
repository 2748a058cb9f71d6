// The action of each instruction, by the kind of its effect.
import type { Effect } from '../../isa/effect.ts';
import type { Instruction } from '../../text/module.ts';
import type { BuilderOf } from './builder.ts';
import { computation } from './computations.ts';
import { copy, group, prefetch } from './copies.ts';
import { griddepcontrol } from './earlier.ts';
import { fence } from './fences.ts';
import { lanes } from './lanes.ts';
import { tensorMap } from './maps.ts';
import { matrix } from './matrix.ts';
import { mbarrier } from './mbarriers.ts';
import { access, control, hint, launchControl, opaque } from './other.ts';
import type { Action } from './program.ts';
import { setRegisters } from './registers.ts';
import type { Slots } from './slots.ts';
import { wgmma } from './tensor-core.ts';
import { tensorMemory } from './tensor-memory.ts';
import { threadBarrier } from './thread-barriers.ts';
import { warpMatrix } from './wmma.ts';

const BUILDERS: {
  readonly [Kind in Effect['kind']]: BuilderOf<Extract<Effect, { kind: Kind }>>;
} = {
  access,
  matrix,
  'warp matrix': warpMatrix,
  copy,
  prefetch,
  group,
  mbarrier,
  barrier: threadBarrier,
  fence,
  wgmma,
  tcgen05: tensorMemory,
  lanes,
  grid: griddepcontrol,
  registers: setRegisters,
  'tensor map': tensorMap,
  'launch control': launchControl,
  control,
  compute: computation,
  opaque: (instruction, _effect, slots) => opaque(instruction, slots),
  hint,
};

/** Builds the action of an instruction that is modeled. */
export function build(instruction: Instruction, slots: Slots): Action {
  return buildOf(instruction, instruction.effect, slots);
}

/** The compiler sees one kind here, which is each of them. */
function buildOf<Kind extends Effect['kind']>(
  instruction: Instruction,
  effect: Extract<Effect, { kind: Kind }>,
  slots: Slots,
): Action {
  const builder: BuilderOf<Extract<Effect, { kind: Kind }>> = BUILDERS[effect.kind as Kind];
  return builder(instruction, effect, slots);
}
