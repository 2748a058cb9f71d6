// Why a role is blocked: what it waits for, what is missing, and the roles that could deliver it.
import type { Position } from '../../base/index.ts';
import { E, FlightKind, K, P, T, type Instruction } from '../../machine/index.ts';
import { isTry, OpKind } from '../../op/index.ts';
import type { StepId } from '../../program/index.ts';
import type { System } from '../system.ts';
import { formatNumber, list, plural } from '../names.ts';
import { broughtBy } from './brings.ts';
import type { Scene } from './draft.ts';
import { future } from './future.ts';
import { isHeldUp, protocolOf, raisesCount } from './protocol.ts';

/** Something that a role would still do for a barrier, if it could go on. */
export interface Debt {
  readonly role: number;
  readonly step: StepId;
  readonly what: 'arrival' | 'bytes';
  /** Bytes that the operation expects, where it arrives, or brings. */
  readonly bytes: number;
}

/** A role that can not move. */
export interface Need {
  readonly role: number;
  readonly step: StepId;
  readonly instruction: Instruction;
  /** The physical barrier it waits for, or −1. */
  readonly barrier: number;
  /** The absolute phase, or for a raw wait the one that would have to complete now. */
  readonly phase: number;
  readonly pending: number;
  readonly bytes: number;
  readonly debts: readonly Debt[];
}

/** Every role that has not ended and can not move; if all can, those whose tries must fail. */
export function needs(system: System, words: Int32Array): Need[] {
  const stuck = needsOf(system, words, (role) => system.options(words, role) === 0);
  if (stuck.length > 0) return stuck;
  return needsOf(system, words, (_, instruction) => {
    return isTry(instruction.kind) && !system.waits.passes(words, instruction);
  });
}

function needsOf(
  system: System,
  words: Int32Array,
  isStuck: (role: number, instruction: Instruction) => boolean,
): Need[] {
  const found: Need[] = [];
  for (let role = 0; role < system.roles; role++) {
    const step = words[role]!;
    const instruction = step < 0 ? null : system.steps.instruction(step);
    if (instruction === null || !isStuck(role, instruction)) continue;
    const { barrier, phase } = target(system, words, instruction);
    const at = barrier < 0 ? -1 : system.machine.barrierAt(barrier);
    found.push({
      role,
      step,
      instruction,
      barrier,
      phase,
      pending: at < 0 ? 0 : words[at + P]!,
      bytes: at < 0 ? 0 : words[at + T]!,
      debts: barrier < 0 ? [] : debts(system, words, barrier),
    });
  }
  return found;
}

function target(system: System, words: Int32Array, instruction: Instruction) {
  const wanted = system.wantedBarrier(words, instruction);
  if (wanted >= 0) return { barrier: wanted, phase: system.wantedPhase(words, instruction) };
  if (instruction.kind !== OpKind.waitParity) return { barrier: -1, phase: -1 };
  const barrier = instruction.target;
  return { barrier, phase: words[system.machine.barrierAt(barrier) + K]! };
}

/** What each role's future holds for a barrier if its waits pass: the first of a kind. */
export function debts(system: System, words: Int32Array, barrier: number): Debt[] {
  const found: Debt[] = [];
  // With all arrivals made, the next one of a role belongs to the next phase, and so do its bytes.
  const isOpen = words[system.machine.barrierAt(barrier) + P]! > 0;
  for (let role = 0; role < system.roles; role++) {
    let [arrivals, bytes] = [false, false];
    for (const { step, instruction } of future(system, words, role)) {
      const contributed = contribution(system, instruction, barrier);
      if (contributed.arrivals > 0 && !isOpen) break;
      if (contributed.arrivals > 0 && !arrivals) {
        found.push({ role, step, what: 'arrival', bytes: instruction.bytes });
        arrivals = true;
      }
      if (contributed.bytes > 0 && !bytes) {
        found.push({ role, step, what: 'bytes', bytes: contributed.bytes });
        bytes = true;
      }
      if (arrivals && bytes) break;
    }
  }
  return found;
}

/** The arrivals and bytes that one operation brings to a barrier, at once or as it completes. */
export function contribution(system: System, instruction: Instruction, barrier: number) {
  let [arrivals, bytes] = [0, 0];
  if (instruction.barriers.includes(barrier)) ({ arrivals, bytes } = broughtBy(instruction));
  for (const id of instruction.flights) {
    const flight = system.machine.flights.flights[id]!;
    if (flight.barrier !== barrier) continue;
    if (flight.kind === FlightKind.signal) arrivals += raisesCount(instruction) ? 0 : 1;
    else bytes += flight.bytes;
  }
  return { arrivals, bytes };
}

/** `load waits here for ab.empty[0] phase 0: needs 1 arrival from mma`. */
export function needText(scene: Scene, need: Need): string {
  const { names, system } = scene;
  const who = names.agent(need.role);
  const lack = system.program.declarations.lacks.get(
    Math.floor(need.barrier / system.program.ctas),
  );
  if (lack !== undefined) return `${who} waits here for ${lack.what}`;
  const { kind, target: at, threads, units } = need.instruction;
  if (need.barrier < 0) {
    if (kind === OpKind.syncNamed) {
      const words = scene.schedule.words;
      const arrived = words[system.machine.layout.named + at * 2]!;
      return (
        `${who} waits here at ${names.namedBarrier(at)}: ` +
        `${arrived} of ${plural(threads, 'thread')} have arrived`
      );
    }
    if (kind === OpKind.syncCluster) return `${who} waits here for every role of the cluster`;
    if (kind === OpKind.join) return `${who} waits here until ${names.agent(at)} has ended`;
    if (kind === OpKind.alloc) {
      return `${who} waits here for ${formatNumber(units)} free units of ${names.pool(at)}`;
    }
    return `${who} waits here`;
  }
  const missing: string[] = [];
  const all = scene.schedule.words[system.machine.barrierAt(need.barrier) + E]!;
  if (need.pending === all) missing.push(plural(need.pending, 'arrival'));
  else if (need.pending > 0) missing.push(`${formatNumber(need.pending)} of its ${all} arrivals`);
  // An arrival that is still to come may expect bytes of its own.
  const expected = need.debts.filter((debt) => debt.what === 'arrival').map((debt) => debt.bytes);
  const bytes = need.bytes + Math.max(0, ...expected);
  if (bytes > 0) missing.push(`${formatNumber(bytes)} B`);
  if (bytes < 0) missing.push(`an expect of the ${formatNumber(-bytes)} B that have completed`);
  const from = list([...new Set(need.debts.map((debt) => names.agent(debt.role)))]);
  const none = isHeldUp(protocolOf(system), need.barrier) ? '' : ', which no role provides';
  const source = from === '' ? none : ` from ${from}`;
  const phase =
    kind === OpKind.waitParity ? `parity ${need.instruction.parity}` : `phase ${need.phase}`;
  const what = missing.length === 0 ? 'a phase' : missing.join(' and ');
  const verb = isTry(kind) ? 'polls' : 'waits';
  return `${who} ${verb} here for ${names.barrier(need.barrier)} ${phase}: needs ${what}${source}`;
}

/** The place of a step. */
export function placeOf(scene: Scene, step: StepId): Position | undefined {
  return step < 0 ? undefined : scene.system.steps.position(step);
}
