// Explains what a move did wrong to a count: arrivals, bytes, or the units of a pool.
import { E, FlightKind, K, P, T } from '../../machine/index.ts';
import { OpKind } from '../../op/index.ts';
import { formatNumber, plural } from '../names.ts';
import { broughtBy } from './brings.ts';
import type { Draft, Scene } from './draft.ts';
import { movesInPhase } from './history.ts';
import { contribution } from './needs.ts';
import { primaryIsLast } from './primary.ts';

export function explainOverArrival(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const name = names.barrier(symptom.at);
  const at = system.machine.barrierAt(symptom.at);
  const phase = schedule.words[at + K]!;
  const [expected, pending] = [schedule.words[at + E]!, schedule.words[at + P]!];
  const instruction = schedule.made.at(-1)?.instruction ?? null;
  const own = instruction === null ? 0 : broughtBy(instruction).expected;
  const bytes = schedule.words[at + T]! - own;
  const who = primaryIsLast(
    scene,
    draft,
    (self) => `${self} arrives here, which is once too often`,
  );
  draft.message = `${who} arrives on ${name} once more than its phase ${phase} takes`;
  const had = pending === 0 ? 'has had' : `misses only ${formatNumber(pending)} of`;
  const them = expected === 1 ? 'it' : 'them';
  const open = bytes === 0 ? '' : `; it stays open for ${formatNumber(bytes)} B that are not there`;
  draft.notes.push(
    `phase ${phase} of ${name} takes ${plural(expected, 'arrival')} and ${had} ${them}${open}`,
    'an arrival too many traps on hardware',
  );
  if (instruction?.kind === OpKind.arrive && own > 0) {
    draft.helps.push(
      'an arrival that expects bytes is an arrival: expect all bytes in one, ' +
        'or the others with expectTx',
    );
  }
  for (const index of movesInPhase(schedule, symptom.at, schedule.made.length - 1)) {
    const made = schedule.made[index]!;
    const role = made.flight?.role ?? made.agent;
    const isSignal = made.flight?.kind === FlightKind.signal;
    const arrives =
      made.instruction !== null && contribution(system, made.instruction, symptom.at).arrivals > 0;
    if (!isSignal && !arrives) continue;
    draft.label(
      schedule.position(index),
      `${names.agent(role)} arrived in phase ${phase} here`,
      role,
    );
  }
}

export function explainTxMismatch(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const name = names.barrier(symptom.at);
  const phase = schedule.words[system.machine.barrierAt(symptom.at) + K]! - 1;
  const open = system.machine.layout.flights;
  const last = schedule.made.length - 1;
  const moves = movesInPhase(schedule, symptom.at, last);
  let [late, expected, isOfPhase] = [0, 0, true];
  for (let i = schedule.words[open]!; i > 0; i--) {
    const id = schedule.words[open + i]!;
    const flight = system.machine.flights.flights[id]!;
    if (flight.kind !== FlightKind.copy || flight.barrier !== symptom.at) continue;
    late += flight.bytes;
    const issuer = schedule.issuerOf(id, schedule.made.length);
    isOfPhase &&= issuer > (moves[0] ?? last);
    if (issuer < 0) continue;
    const into = names.buffer(flight.writes[0] ?? 0);
    const text = `this copy of ${formatNumber(flight.bytes)} B into ${into} is still under way`;
    draft.label(schedule.position(issuer), text, flight.role);
  }
  for (const index of [...moves, last]) {
    const { instruction, agent } = schedule.made[index]!;
    const bytes = instruction === null ? 0 : broughtBy(instruction).expected;
    if (bytes === 0) continue;
    expected += bytes;
    const text = `${names.agent(agent)} expects ${formatNumber(bytes)} B here`;
    draft.label(schedule.position(index), text, agent);
  }
  primaryIsLast(scene, draft, (who) => {
    const flight = schedule.made[last]!.flight;
    if (flight?.kind !== FlightKind.copy) return `${who} completes phase ${phase} here`;
    const into = names.buffer(flight.writes[0] ?? 0);
    return `the copy into ${into} lands, and completes the ${formatNumber(expected)} B`;
  });
  draft.message =
    `${name} completes phase ${phase} while ${formatNumber(late)} B ` +
    'that belong to it are still under way';
  draft.notes.push('whoever waits for this phase now reads a tile that is not all there');
  if (!isOfPhase || expected === 0) return;
  draft.helps.push(
    `expect what is copied: ${formatNumber(expected + late)} B, not ${formatNumber(expected)} B`,
  );
}

export function explainCapacity(scene: Scene, draft: Draft): void {
  const { symptom, system } = scene;
  const who = primaryIsLast(scene, draft);
  const { pools } = system.program.declarations;
  const { capacity, name } = pools[Math.floor(symptom.at / system.program.ctas)]!;
  draft.message =
    `${who} asks for more of ${name} than it can ever get: ` +
    `the pool has ${formatNumber(capacity)}`;
}
