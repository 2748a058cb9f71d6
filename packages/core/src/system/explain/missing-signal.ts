// Finds and explains a role that moved past a stage without the signal that another waits for.
import { positionKey } from '../../base/index.ts';
import { OpKind, Side } from '../../op/index.ts';
import type { StepId } from '../../program/index.ts';
import type { Schedule } from '../schedule.ts';
import type { Symptom } from '../symptom.ts';
import type { System } from '../system.ts';
import type { Draft, Scene } from './draft.ts';
import { movesInPhase } from './history.ts';
import { future } from './future.ts';
import { absenceText } from './skipped-arrival.ts';
import { contribution, needs, needText, placeOf, type Need } from './needs.ts';

/** Room for the moves of a state. */
const MAX_MOVES = 1 << 16;

/**
 * The causes of a stuck state: each role that has stepped past the stage that another role waits
 * for, has not signaled it, and will not before it comes to the stage again.
 */
export function stepsWithoutSignal(schedule: Schedule): Symptom[] {
  const { system } = schedule;
  const found: Symptom[] = [];
  // Where something still moves, the signal may still come.
  if (system.moves(schedule.words, new Int32Array(MAX_MOVES)) > 0) return found;
  for (const need of needs(system, schedule.words)) {
    if (need.instruction.kind !== OpKind.waitStage || need.pending <= 0) continue;
    // A role without a counter on the ring may signal for one that has a counter.
    if (need.debts.some(({ role }) => mayStandIn(schedule, need, role))) continue;
    for (let role = 0; role < system.roles; role++) {
      if (!isGuilty(schedule, need, role)) continue;
      found.push({
        rule: 'stepped-without-signal',
        agent: role,
        other: need.role,
        at: need.barrier,
        step: need.step,
        inMove: false,
      });
    }
  }
  return found;
}

function mayStandIn(schedule: Schedule, need: Need, role: number): boolean {
  return role !== need.role && progress(schedule.system, schedule.words, need, role) === 0;
}

function isGuilty(schedule: Schedule, need: Need, role: number): boolean {
  const { system, words } = schedule;
  // A role that consumes a multicast tile in another CTA signals there: not known here.
  const { roles, ctas } = system.program;
  if (roles[role]!.cta !== need.barrier % ctas) return false;
  const { stages } = system.program.declarations.rings[need.instruction.target]!;
  const item = need.phase * stages + system.stageOf(words, need.instruction);
  if (progress(system, words, need, role) <= item) return false;
  const stage = item % stages;
  const took = tookAt(schedule, role, need, stage);
  if (took >= 0 && schedule.records[took]!.instruction!.isDraining) return false;
  if (isHeld(schedule, role, need, stage)) return false;
  const signalled = movesInPhase(schedule, need.barrier).some((index) => {
    const { agent, flight } = schedule.records[index]!;
    return (flight?.role ?? agent) === role;
  });
  if (signalled) return false;
  for (const { instruction, words: ahead } of future(system, words, role)) {
    const { arrivals, bytes } = contribution(system, instruction, need.barrier);
    if (arrivals > 0 || bytes > 0) return false;
    const isBack = progress(system, ahead, need, role) >= item + stages;
    if (isBack && instruction.kind === OpKind.waitStage) return true;
  }
  return true;
}

/** How far a role has come on the side that signals what is waited for, through any copy. */
function progress(system: System, words: Int32Array, need: Need, role: number): number {
  const side = 1 - need.instruction.side;
  const each = system.program.declarations.rings.map((_, ring) => {
    const isIt = isCopy(system, ring, need.instruction.target);
    return isIt ? system.registers.progress(words, role, ring, side) : 0;
  });
  return Math.max(...each);
}

export function explainSilence(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const need = needs(system, schedule.words).find((one) => one.role === symptom.other)!;
  const [who, barrier] = [names.agent(symptom.agent), names.barrier(symptom.at)];
  const ring = names.ring(need.instruction.target);
  const stage = system.stageOf(schedule.words, need.instruction);
  draft.message =
    `${who} steps past stage ${stage} of ${ring} without signaling ${barrier}, ` +
    `and ${names.agent(need.role)} waits for it forever`;
  const took = tookAt(schedule, symptom.agent, need, stage);
  if (took >= 0) {
    const { step } = schedule.records[took]!;
    const left = placeOf(scene, leftAt(system, step, stage, need));
    const place = placeOf(scene, step);
    const isSame = positionKey(left) === positionKey(place);
    const leaves = isSame ? `, steps past it at the end of its scope` : '';
    const absence = absenceText(scene, [symptom.agent], symptom.at, barrier);
    const text = `${who} acquires stage ${stage} here${leaves}, and ${absence}`;
    draft.primary(place, text, symptom.agent);
    if (!isSame) draft.label(left, `${who} steps to the next stage here`, symptom.agent);
  }
  draft.primary(placeOf(scene, need.step), needText(scene, need), need.role);
  draft.notes.push('a step advances a private counter and signals no barrier');
  draft.helps.push(
    need.instruction.side === Side.produce
      ? `signal the stage as well: use release(), arrive() on the handle, ` +
          `or a commit to its mbar()`
      : `a producer's release signals nothing: copy into the stage with tma.load, ` +
          `arrive() on the handle, or commit to its mbar()`,
  );
}

/** Whether the role still owns the stage, so that its release is yet to come. */
function isHeld({ system, words }: Schedule, role: number, need: Need, stage: number): boolean {
  const step = words[role]!;
  if (step < 0 || system.hasEnded(words, role)) return false;
  return system.steps.owned(step).some(({ handle }) => {
    return isCopy(system, handle.ring, need.instruction.target) && handle.index === stage;
  });
}

function isCopy(system: System, ring: number, other: number): boolean {
  const { rings } = system.program.declarations;
  return rings[ring]!.group === rings[other]!.group;
}

/** The last move in which a role took the stage, or −1 where it never waited for it. */
function tookAt({ system, records }: Schedule, role: number, need: Need, stage: number): number {
  return records.findLastIndex(({ agent, instruction, stage: taken }) => {
    const isWait = agent === role && instruction?.kind === OpKind.waitStage;
    if (!isWait || instruction.side === need.instruction.side) return false;
    return taken === stage && isCopy(system, instruction.target, need.instruction.target);
  });
}

/** How far the step of a release is looked for after its acquire. */
const MAX_HELD = 200;

/** The step operation that follows an acquire, or −1. */
function leftAt(system: System, acquire: StepId, stage: number, need: Need): StepId {
  let step = acquire;
  let answer = stage;
  for (let count = 0; count < MAX_HELD; count++) {
    try {
      step = system.steps.follow(step, answer);
    } catch {
      return -1;
    }
    const instruction = system.steps.instruction(step);
    if (instruction === null) return -1;
    const { kind, side } = instruction;
    if (kind === OpKind.step && side !== need.instruction.side) return step;
    answer = kind === OpKind.more ? 1 : 0;
  }
  return -1;
}
