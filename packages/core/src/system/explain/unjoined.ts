// Which strand of a role waits or signals for others that it is not joined with (W06).
import type { Instruction } from '../../machine/index.ts';
import { isTest, OpKind } from '../../op/index.ts';
import type { Role } from '../../program/index.ts';
import type { Scene } from './draft.ts';
import { future } from './future.ts';
import { placeOf } from './needs.ts';

/** What another strand of a role does alone. */
interface Lonely {
  readonly agent: number;
  readonly position: ReturnType<typeof placeOf>;
  readonly does: 'waits' | 'signals';
}

/** How far strands are followed to their next wait. */
const MAX_STEPS_AHEAD = 100;

/**
 * The strand of `role`'s family that signaled for it, if `opener` is a move of one, or that waits
 * for what `role` does not wait for; `null` if all of them know as little.
 */
export function lonelyStrand(scene: Scene, role: number, opener: number): Lonely | null {
  const sisters = sistersOf(scene.system.program.roles, role);
  if (opener >= 0) {
    const { agent } = scene.schedule.records[opener]!;
    const position = scene.schedule.position(opener);
    if (sisters.includes(agent) && !signalsItself(scene, role, opener))
      return { agent, position, does: 'signals' };
  }
  for (const agent of sisters) {
    const step = waitPassed(scene, agent) ?? waitAhead(scene, agent);
    if (step === null || waitsItself(scene, role, step)) continue;
    return { agent, position: placeOf(scene, step), does: 'waits' };
  }
  return null;
}

/** The other strands of a role. */
function sistersOf(roles: readonly Role[], role: number): number[] {
  const own = roles[role]!.part;
  return roles.flatMap(({ part }, index) =>
    part !== null && part.written === own?.written && index !== role ? [index] : [],
  );
}

/** Whether a role arrived itself, before a move, at the barrier that this move arrives at. */
function signalsItself({ schedule: { records } }: Scene, role: number, opener: number): boolean {
  const { instruction: signal } = records[opener]!;
  if (signal === null || signal.kind !== OpKind.arrive) return false;
  return records.slice(0, opener).some(({ agent, instruction }) => {
    const isArrival = instruction !== null && instruction.kind === OpKind.arrive;
    return agent === role && isArrival && instruction.barriers[0] === signal.barriers[0];
  });
}

/** Whether a role, too, waits for the barrier that a step of another one waits for. */
function waitsItself({ system, schedule }: Scene, role: number, step: number): boolean {
  const target = system.steps.instruction(step)!.target;
  const isSame = (instruction: Instruction | null): boolean =>
    instruction !== null && isTest(instruction.kind) && instruction.target === target;
  if (schedule.records.some(({ agent, instruction }) => agent === role && isSame(instruction)))
    return true;
  for (const { instruction } of future(system, schedule.words, role, MAX_STEPS_AHEAD))
    if (isSame(instruction)) return true;
  return false;
}

/** The step of the last wait that a strand passed since it was joined with others. */
function waitPassed({ schedule }: Scene, agent: number): number | null {
  const record = schedule.records.findLast(({ agent: by, instruction }) => {
    return by === agent && instruction !== null && waitsOrJoins(instruction.kind);
  });
  const instruction = record?.instruction ?? null;
  return instruction === null || !isTest(instruction.kind) ? null : record!.step;
}

/** The step of the next wait of a strand, before it is joined with others. */
function waitAhead(scene: Scene, agent: number): number | null {
  const { system, schedule } = scene;
  for (const { step, instruction } of future(system, schedule.words, agent, MAX_STEPS_AHEAD)) {
    if (isJoined(scene, agent, step)) continue;
    if (waitsOrJoins(instruction.kind)) return isTest(instruction.kind) ? step : null;
  }
  return null;
}

/** Whether the others have come to the join at which a strand is, too: it only has to go on. */
function isJoined({ system, schedule }: Scene, agent: number, step: number): boolean {
  const { words, records } = schedule;
  if (words[agent] !== step) return false;
  const instruction = system.steps.instruction(step);
  if (instruction?.kind !== OpKind.syncNamed) return false;
  const hasCome = records.findLast((record) => record.agent === agent)?.step === step;
  return hasCome && system.machine.enabled(words, instruction);
}

function waitsOrJoins(kind: OpKind): boolean {
  return isTest(kind) || kind === OpKind.syncNamed;
}
