// Explains a move that breaks a count: arrivals, bytes, or the units of a pool.
import { E, FlightKind, K, P, T, type Flight } from '../../machine/index.ts';
import { OpKind } from '../../op/index.ts';
import { formatNumber, plural } from '../names.ts';
import { broughtBy } from './brings.ts';
import type { Draft, Scene } from './draft.ts';
import { movesInPhase } from './history.ts';
import { contribution } from './needs.ts';
import { primaryIsLast } from './primary.ts';
import { wordsOf } from './words.ts';

export function explainOverArrival(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const name = names.barrier(symptom.at);
  const at = system.machine.barrierAt(symptom.at);
  const phase = schedule.words[at + K]!;
  const [expected, pending] = [schedule.words[at + E]!, schedule.words[at + P]!];
  const instruction = schedule.records.at(-1)?.instruction ?? null;
  const own = instruction === null ? 0 : broughtBy(instruction).expected;
  const bytes = schedule.words[at + T]! - own;
  const who = primaryIsLast(scene, draft, (self) => `${self} arrives here, one time too many`);
  const threads = (instruction?.lanes ?? 1) * (instruction?.arrivals ?? 1);
  draft.message =
    threads > expected
      ? `the ${plural(threads, 'thread')} of ${who} arrive on ${name}, ` +
        `which counts ${plural(expected, 'arrival')} in each phase`
      : `${who} arrives on ${name} one time more than its phase ${phase} expects`;
  const had = pending === 0 ? 'has received' : `lacks only ${formatNumber(pending)} of`;
  const them = expected === 1 ? 'it' : 'them';
  const open = bytes === 0 ? '' : `; it is incomplete because ${formatNumber(bytes)} B are missing`;
  draft.notes.push(
    `phase ${phase} of ${name} expects ${plural(expected, 'arrival')} and ${had} ${them}${open}`,
    'on hardware an excess arrival is undefined and can trap',
  );
  if (instruction?.kind === OpKind.arrive && own > 0) {
    draft.helps.push(wordsOf(system).expectOthers);
  }
  labelArrivals(scene, draft, phase);
}

/** The arrivals before the last one, in the same phase. */
function labelArrivals(
  { symptom, names, schedule, system }: Scene,
  draft: Draft,
  phase: number,
): void {
  for (const index of movesInPhase(schedule, symptom.at, schedule.records.length - 1)) {
    const record = schedule.records[index]!;
    const role = record.flight?.role ?? record.agent;
    const isSignal = record.flight?.kind === FlightKind.signal;
    const arrives =
      record.instruction !== null &&
      contribution(system, record.instruction, symptom.at).arrivals > 0;
    if (!isSignal && !arrives) continue;
    const text = `${names.agent(role)} arrived in phase ${phase} here`;
    draft.label(schedule.position(index), text, role);
  }
}

export function explainTxMismatch(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const name = names.barrier(symptom.at);
  const phase = schedule.words[system.machine.barrierAt(symptom.at) + K]! - 1;
  const open = system.machine.openFlights;
  const last = schedule.records.length - 1;
  const moves = movesInPhase(schedule, symptom.at, last);
  // A copy may write no buffer that the program declares.
  let [late, expected, isOfPhase] = [0, 0, true];
  for (let index = open.count(schedule.words) - 1; index >= 0; index--) {
    const id = open.idAt(schedule.words, index);
    const flight = open.flightAt(schedule.words, index);
    if (flight.kind !== FlightKind.copy || flight.barrier !== symptom.at) continue;
    late += flight.bytes;
    const issuer = schedule.issuerOf(id, schedule.records.length);
    isOfPhase &&= issuer > (moves[0] ?? last);
    if (issuer < 0) continue;
    const into = intoBuffer(scene, flight);
    const text = `this copy of ${formatNumber(flight.bytes)} B${into} is still in flight`;
    draft.label(schedule.position(issuer), text, flight.role);
  }
  for (const index of [...moves, last]) {
    const { instruction, agent } = schedule.records[index]!;
    const bytes = instruction === null ? 0 : broughtBy(instruction).expected;
    if (bytes === 0) continue;
    expected += bytes;
    const text = `${names.agent(agent)} expects ${formatNumber(bytes)} B here`;
    draft.label(schedule.position(index), text, agent);
  }
  primaryIsLast(scene, draft, (who) => {
    const flight = schedule.records[last]!.flight;
    if (flight?.kind !== FlightKind.copy) return `${who} completes phase ${phase} here`;
    const copy = `the copy${intoBuffer(scene, flight)}`;
    return `${copy} completes, and with it the expected ${formatNumber(expected)} B`;
  });
  draft.message =
    `${name} completes phase ${phase} while ${formatNumber(late)} B ` +
    'of its copies are still in flight';
  draft.notes.push('a role that waits for this phase reads an incomplete tile');
  if (!isOfPhase || expected === 0) return;
  draft.helps.push(
    `expect all bytes that are copied: ${formatNumber(expected + late)} B, ` +
      `not ${formatNumber(expected)} B`,
  );
}

/** ` into tile`; nothing for a copy that names no buffer. */
function intoBuffer({ names }: Scene, { writes }: Flight): string {
  return writes.length === 0 ? '' : ` into ${names.buffer(writes[0]!)}`;
}

export function explainCapacity(scene: Scene, draft: Draft): void {
  const { symptom, system } = scene;
  const who = primaryIsLast(scene, draft);
  const { pools } = system.program.declarations;
  const { capacity, name } = pools[Math.floor(symptom.at / system.program.ctas)]!;
  draft.message =
    `${who} allocates from ${name}, which can never succeed: ` +
    `the pool has ${plural(capacity, 'unit')}`;
}
