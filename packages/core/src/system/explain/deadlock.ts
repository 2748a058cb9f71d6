// Explains a deadlock: the waiting roles, what is missing, and the role that owes it.
import { E, FlightKind, K } from '../../machine/index.ts';
import { isTry, OpKind, Side } from '../../op/index.ts';
import { agentOf } from '../system.ts';
import { formatNumber, list, plural } from '../names.ts';
import { deadlockCause, shortage, uneven } from './cause.ts';
import { labelDebts } from './debts.ts';
import { lackOf, lackText } from './lack.ts';
import { lappedText } from './lapped.ts';
import { polledCell, writeText } from './polled-cell.ts';
import { skippedPhaseText } from './skipped-phase.ts';
import { alsoWaiting, cycleText, smallestCycle, startText, waitsText } from './cycle.ts';
import { missingThreads, namedText } from './named-need.ts';
import { exhaustedText } from './exhausted.ts';
import { starvedText } from './starved.ts';
import { broughtBy } from './brings.ts';
import type { Draft, Scene } from './draft.ts';
import { movesInPhase } from './history.ts';
import { explainRegisterDeadlock } from './registers.ts';
import { absenceText, labelSkipped } from './skipped-arrival.ts';
import { labelPending } from './unperformed.ts';
import { contribution, needs, needText, placeOf, type Need } from './needs.ts';
import { isSettled, protocolOf, type BarrierUse } from './protocol.ts';
import { wordsOf } from './words.ts';

export function explainDeadlock(scene: Scene, draft: Draft): void {
  const stuck = needs(scene.system, scene.schedule.words);
  const unfed = stuck.find(({ instruction }) => instruction.kind === OpKind.takeRegisters);
  if (unfed !== undefined) return explainRegisterDeadlock(scene, draft, unfed);
  // A role that waits for something that no role delivers is the cause; others wait for it.
  const hopeless = stuck.filter((need) => need.barrier >= 0 && !canBeMet(need));
  if (stuck.length === 0 || (hopeless.length === 0 && goesOn(scene))) {
    return explainEndless(scene, draft, stuck);
  }
  const ordered = [...hopeless, ...stuck.filter((need) => !hopeless.includes(need))];
  const start = wrongStart(scene, stuck, hopeless);
  const atBarriers = stuck.filter((need) => lackOf(scene, need) === undefined);
  const isOfStart = start !== null || scene.schedule.records.length === 0;
  const cause =
    start ??
    deadlockCause(scene, draft, atBarriers) ??
    lackText(scene, stuck) ??
    lapped(scene, stuck) ??
    lackOfBytes(scene, hopeless) ??
    bytesUnasked(scene, draft, hopeless) ??
    unfilled(scene, stuck);
  draft.message = cause ?? message(scene, stuck, hopeless);
  for (const need of ordered) {
    draft.primary(placeOf(scene, need.step), needText(scene, need), need.role);
  }
  labelSkipped(scene, draft, ordered);
  labelDebts(scene, draft, ordered, stuck);
  for (const need of ordered) labelHistory(scene, draft, need);
  for (const need of hopeless) labelSilent(scene, draft, need);
  for (const need of ordered) labelPending(scene, draft, need.step, need.role);
  for (const need of ordered) noteHeld(scene, draft, need);
  if (cause === null || isOfStart) noteFresh(scene, draft, ordered);
}

/** A role that comes to its wait too late, and those that it keeps waiting. */
function lapped(scene: Scene, stuck: readonly Need[]): string | null {
  for (const need of stuck) {
    const text = lappedText(scene, need);
    if (text !== null) return text + alsoWaiting(scene, stuck, [need]);
  }
  return null;
}

function canBeMet(need: Need): boolean {
  const brought = (what: 'arrival' | 'bytes'): boolean =>
    need.debts.some((debt) => debt.what === what);
  return (need.pending <= 0 || brought('arrival')) && (need.bytes <= 0 || brought('bytes'));
}

function message(scene: Scene, stuck: readonly Need[], hopeless: readonly Need[]): string {
  const [first] = hopeless;
  const protocol = protocolOf(scene.system);
  // Each may do what others wait for behind its own wait: none is known to be the cause.
  const areCut = stuck.length > 1 && protocol.cut.size > 1;
  if (areCut && !stuck.every(({ barrier }) => isSettled(protocol, barrier)))
    return waitsText(scene, stuck);
  // Where no other role waits, its own parity is a better reason than who has stopped.
  const again = stuck.length === 1 ? skippedPhaseText(scene, stuck[0]!) : null;
  if (again !== null) return again;
  if (first !== undefined) return starvedText(scene, first) + alsoWaiting(scene, stuck, [first]);
  const left = stuck.find((need) => isDeserted(scene, need));
  if (left !== undefined) return starvedText(scene, left) + alsoWaiting(scene, stuck, [left]);
  for (const need of stuck) {
    const text = exhaustedText(scene, need);
    if (text !== null) return text + alsoWaiting(scene, stuck, [need]);
  }
  for (const need of stuck) {
    const text = skippedPhaseText(scene, need);
    if (text !== null) return `${text}; ${waitText(scene, stuck)}`;
  }
  const cycle = smallestCycle(scene, stuck);
  const cause = shortage(scene, cycle) ?? uneven(scene, cycle);
  return cause === null ? cycleText(scene, cycle, stuck) : `${cause}; ${waitText(scene, cycle)}`;
}

function waitText({ names }: Scene, cycle: readonly Need[]): string {
  const who = list(cycle.map(({ role }) => names.agent(role)));
  return `${who} ${cycle.length === 1 ? 'waits' : 'wait'} forever`;
}

/**
 * Whether all who could still arrive in a phase have done so, and another role that did in earlier
 * phases has ended: what they owe is of the next phase.
 */
function isDeserted(scene: Scene, need: Need): boolean {
  const { schedule, system } = scene;
  if (need.barrier < 0 || need.pending <= 0) return false;
  if (need.pending === schedule.words[system.machine.barrierAt(need.barrier) + E]!) return false;
  const came = new Set(
    movesInPhase(schedule, need.barrier).map((index) => {
      const { agent, flight } = schedule.records[index]!;
      return flight?.role ?? agent;
    }),
  );
  const owing = need.debts.filter(({ what }) => what === 'arrival').map(({ role }) => role);
  if (!owing.every((role) => came.has(role))) return false;
  return system.program.roles.some((_, role) => {
    if (came.has(role) || !system.hasEnded(schedule.words, role)) return false;
    return schedule.records.some(({ agent, flight, reached }) => {
      return (flight?.role ?? agent) === role && reached.includes(need.barrier);
    });
  });
}

/** Roles that wait for one another before anything has happened. */
function wrongStart(
  scene: Scene,
  stuck: readonly Need[],
  hopeless: readonly Need[],
): string | null {
  if (hopeless.length > 0) return null;
  const cycle = smallestCycle(scene, stuck);
  const text = startText(scene, cycle);
  return text === null ? null : text + alsoWaiting(scene, stuck, cycle);
}

/** A named barrier that can not fill. */
function unfilled(scene: Scene, stuck: readonly Need[]): string | null {
  for (const need of stuck) {
    const found = namedText(scene, need);
    if (found === null) continue;
    const { target } = need.instruction;
    const there = stuck.filter(({ role, instruction }) => {
      const isAt = instruction.kind === OpKind.syncNamed && instruction.target === target;
      return isAt || found.absent.includes(role);
    });
    return found.text + alsoWaiting(scene, stuck, there);
  }
  return null;
}

/** The named barrier that lacks the fewest threads first: others may wait for those behind it. */
function byMissing(scene: Scene, stuck: readonly Need[]): Need[] {
  const named = stuck.filter(({ instruction }) => instruction.kind === OpKind.syncNamed);
  return named.toSorted((one, other) => missingThreads(scene, one) - missingThreads(scene, other));
}

/** Notes the stages that a waiting role holds, and helps where the ring has no other. */
function noteHeld(scene: Scene, draft: Draft, need: Need): void {
  const { system, names } = scene;
  const owned = system.steps.owned(need.step);
  const { kind, target, side } = need.instruction;
  for (const ring of new Set(owned.map(({ handle }) => handle.ring))) {
    const held = owned.filter(({ handle }) => handle.ring === ring);
    const { name, stages } = system.program.declarations.rings[ring]!;
    const numbers = list(held.map(({ handle }) => String(handle.index)));
    const noun = held.length === 1 ? 'stage' : 'stages';
    const all = held.length >= stages ? `, and the ring has only ${plural(stages, 'stage')}` : '';
    draft.notes.push(
      `${names.agent(need.role)} holds ${noun} ${numbers} of ${name} while it waits${all}`,
    );
    const sameRing = kind === OpKind.waitStage && target === ring && side === Side.consume;
    const keeps = held.filter(({ handle }) => handle.side === Side.consume).length;
    if (sameRing && keeps >= stages) {
      draft.helps.push(
        `a consumer that holds ${plural(keeps, 'tile')} needs ` +
          `at least ${plural(keeps + 1, 'stage')}`,
      );
    }
  }
}

/** Bytes that are expected and never copied are the cause: they are reported first. */
function lackOfBytes(scene: Scene, hopeless: readonly Need[]): string | null {
  const { names } = scene;
  const need = hopeless.find((one) => one.pending <= 0 && one.bytes > 0);
  if (need === undefined || need.debts.some((debt) => debt.what === 'bytes')) return null;
  const bytes = formatNumber(need.bytes);
  const protocol = protocolOf(scene.system);
  const isKnown = isSettled(protocol, need.barrier);
  return (
    `${names.agent(need.role)} waits for ${bytes} B that ${names.barrier(need.barrier)} expects ` +
    `and no copy ${isKnown ? 'delivers' : 'has delivered'}` +
    (isKnown ? bytesInAll(scene, protocol.barriers[need.barrier]!) : '')
  );
}

/** What a barrier expects in the whole program, and who copies how much of it. */
function bytesInAll({ names }: Scene, uses: readonly BarrierUse[]): string {
  const expected = uses.reduce((all, use) => all + use.expected, 0);
  const copies = uses.filter(({ copied }) => copied > 0);
  if (expected === 0 || copies.length === 0) return '';
  const shares = copies.map(({ role, copied }, index) => {
    return `${names.agent(role)} ${index === 0 ? 'copies ' : ''}${formatNumber(copied)} B`;
  });
  return `: in all it expects ${formatNumber(expected)} B, and ${list(shares)}`;
}

/** Bytes that were copied and not expected: the arrival that expects them is missing, too. */
function bytesUnasked(scene: Scene, draft: Draft, hopeless: readonly Need[]): string | null {
  const { names } = scene;
  const need = hopeless.find((one) => one.pending > 0 && one.bytes < 0);
  if (need === undefined) return null;
  const name = names.barrier(need.barrier);
  draft.helps.push(wordsOf(scene.system).expectBytes);
  return (
    `${formatNumber(-need.bytes)} B have completed on ${name} without being expected, ` +
    `and ${names.agent(need.role)} waits for it`
  );
}

/** Labels what has come in the phase that a role waits for: some of its arrivals, some bytes. */
function labelHistory(scene: Scene, draft: Draft, need: Need): void {
  const { schedule, names, system } = scene;
  if (need.barrier < 0) return;
  const name = names.barrier(need.barrier);
  const all = schedule.words[system.machine.barrierAt(need.barrier) + E]!;
  for (const index of movesInPhase(schedule, need.barrier)) {
    const { agent, instruction, flight } = schedule.records[index]!;
    const role = flight?.role ?? agent;
    const isSignal = flight?.kind === FlightKind.signal;
    const contributed =
      instruction === null ? null : contribution(system, instruction, need.barrier);
    const arrivals = isSignal ? 1 : (contributed?.arrivals ?? 0);
    const expects = instruction === null ? 0 : broughtBy(instruction).expected;
    const parts: string[] = [];
    if (arrivals > 0 && need.pending > 0) {
      parts.push(`makes ${formatNumber(arrivals)} of the ${formatNumber(all)} arrivals on ${name}`);
    }
    if (expects > 0 && need.bytes > 0) parts.push(`expects ${formatNumber(expects)} B on ${name}`);
    if (flight?.kind === FlightKind.copy && need.bytes !== 0) {
      parts.push(`copies ${formatNumber(flight.bytes)} B`);
    }
    if (parts.length === 0) continue;
    draft.label(schedule.position(index), `${names.agent(role)} ${list(parts)} here`, role);
  }
}

/** Labels the roles that took the stage and moved on without the signal that is missing. */
function labelSilent(scene: Scene, draft: Draft, need: Need): void {
  const { schedule, system, names } = scene;
  const { kind, target, side } = need.instruction;
  if (kind !== OpKind.waitStage || need.pending <= 0) return;
  const stage = system.stageOf(schedule.words, need.instruction);
  for (let role = 0; role < system.roles; role++) {
    if (need.debts.some((debt) => debt.role === role)) continue;
    const took = schedule.records.findLast(
      ({ agent, instruction, stage: taken }) =>
        agent === role &&
        taken === stage &&
        instruction?.kind === OpKind.waitStage &&
        instruction.target === target &&
        instruction.side !== side,
    );
    if (took === undefined) continue;
    const barrier = names.barrier(need.barrier);
    const who = names.agent(role);
    const absence = absenceText(scene, [role], need.barrier, barrier);
    const text = `${who} acquired stage ${stage} here but ${absence}`;
    draft.label(placeOf(scene, took.step), text, role);
  }
}

/** What parity means on a fresh barrier is what most start phases get wrong. */
function noteFresh(scene: Scene, draft: Draft, ordered: readonly Need[]): void {
  const { names, schedule, system } = scene;
  const isFresh = (need: Need): boolean =>
    need.instruction.kind === OpKind.waitParity &&
    lackOf(scene, need) === undefined &&
    schedule.words[system.machine.barrierAt(need.barrier) + K] === 0;
  const barriers = new Set(ordered.filter(isFresh).map(({ barrier }) => barrier));
  const fresh = [...barriers].map((barrier) => names.barrier(barrier));
  if (fresh.length === 0) return;
  draft.notes.push(
    `${list(fresh)} ${fresh.length === 1 ? 'has' : 'have'} not completed a phase: ` +
      'on a fresh barrier a wait for parity 1 passes, and a wait for parity 0 blocks',
  );
  if (schedule.records.length === 0) {
    draft.helps.push('the side that goes first starts with parity 1: the producer of a ring');
  }
}

/** Whether some agent can do more than a failing try: then the state is no deadlock yet. */
function goesOn({ system, schedule: { words } }: Scene): boolean {
  const moves = new Int32Array(1 << 16);
  const count = system.moves(words, moves);
  return moves.subarray(0, count).some((move) => {
    const agent = agentOf(move);
    if (agent >= system.roles) return true;
    const instruction = system.instruction(words[agent]!);
    return (
      instruction === null || !isTry(instruction.kind) || system.waits.passes(words, instruction)
    );
  });
}

/** No role is stuck, and yet no end can be reached: roles poll, or never end by design. */
function explainEndless(scene: Scene, draft: Draft, stuck: readonly Need[]): void {
  const { system, names, schedule } = scene;
  const polled = polledCell(scene);
  const named = byMissing(scene, stuck);
  // A role that is not spawned is at no step.
  const going = system.program.roles.flatMap((_, role) =>
    schedule.words[role]! < 0 || system.hasEnded(schedule.words, role) ? [] : [role],
  );
  const who = list(going.map((role) => names.agent(role)));
  const cause =
    polled === null ? unfilled(scene, named) : polled.text + alsoWaiting(scene, stuck, []);
  draft.message = cause ?? `${who} can run forever, but from this state the kernel can never end`;
  const first = polled === null ? named.map(({ role }) => role) : [polled.role];
  for (const role of new Set([...first, ...going])) {
    const step = schedule.words[role]!;
    draft.primary(placeOf(scene, step), `${names.agent(role)} is here`, role);
  }
  for (const at of polled?.writes ?? []) {
    const { agent, flight } = schedule.records[at]!;
    draft.label(schedule.position(at), writeText(scene, at), flight?.role ?? agent);
  }
  const tries = going.some((role) => {
    const instruction = system.instruction(schedule.words[role]!);
    return instruction !== null && isTry(instruction.kind);
  });
  if (tries) draft.notes.push('a try that always fails keeps a role busy without making progress');
  else if ((polled?.writes ?? []).length === 0)
    draft.helps.push(
      'a loop repeats until it returns end(…): see count() for a fixed number of items',
    );
}
