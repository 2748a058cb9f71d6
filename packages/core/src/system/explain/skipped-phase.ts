// Explains a wait for a parity that comes again too late: none waited for the phase in between.
import { OpKind } from '../../op/index.ts';
import type { Scene } from './draft.ts';
import { future } from './future.ts';
import type { Need } from './needs.ts';

/**
 * A role waits for the parity that it waited for last, and no other role waits for the barrier: a
 * phase has completed in between that none has seen. Null where that is not so.
 */
export function skippedPhaseText(scene: Scene, need: Need): string | null {
  const { names, schedule } = scene;
  const { kind, target, parity } = need.instruction;
  if (kind !== OpKind.waitParity || need.phase < 2) return null;
  const waits = schedule.records.filter(({ instruction }) => {
    return instruction?.kind === OpKind.waitParity && instruction.target === target;
  });
  const last = waits.findLast(({ agent }) => agent === need.role);
  if (last?.instruction?.parity !== parity) return null;
  if (waits.some(({ agent }) => agent !== need.role) || isAwaitedElsewhere(scene, need))
    return null;
  return (
    `${names.agent(need.role)} waits for parity ${parity} of ${names.barrier(target)} again, and ` +
    `none waits for its phase of parity ${1 - parity} in between: ` +
    'the parity must flip with each phase'
  );
}

function isAwaitedElsewhere({ system, schedule }: Scene, need: Need): boolean {
  return system.program.roles.some((_, role) => {
    if (role === need.role) return false;
    for (const { instruction } of future(system, schedule.words, role)) {
      const { kind, target } = instruction;
      if (kind === OpKind.waitParity && target === need.instruction.target) return true;
    }
    return false;
  });
}
