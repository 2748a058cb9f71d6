// Explains a CTA that ends while its own asynchronous work still uses its memory.
import { FlightKind, type Flight } from '../../machine/index.ts';
import { list } from '../names.ts';
import type { Draft, Scene } from './draft.ts';
import { lastMoveOf } from './history.ts';
import { workWord } from './work.ts';
import { wordsOf } from './words.ts';

export function explainOpenFlight(scene: Scene, draft: Draft): void {
  const { names, schedule, system } = scene;
  const last = schedule.records.length - 1;
  const flight = schedule.records[last]!.flight!;
  const [who, uses] = [names.agent(flight.role), usesOf(scene, flight)];
  const { ctas } = system.program;
  const cta = ctas === 1 ? 'the CTA' : `CTA ${flight.cta}`;
  const work = `${who}'s ${workWord(system, names, flight)}`;
  draft.message = `${cta} ends while ${work} still ${uses}`;
  draft.primary(schedule.position(last), `${who} starts it here`, flight.role);
  for (const [role, { cta: own }] of system.program.roles.entries()) {
    const end = lastMoveOf(schedule, role);
    if (own !== flight.cta || end < 0) continue;
    const text = `${names.agent(role)} performs its last operation here`;
    draft.label(schedule.position(end), text, role);
  }
  draft.notes.push(
    'when a CTA ends, its shared memory can belong to another CTA at once: work in flight then ' +
      'reads or overwrites memory of another owner',
  );
  const words = wordsOf(system);
  const unit = names.agent(system.roles + flight.unit);
  draft.helps.push(
    flight.kind === FlightKind.copy && flight.barrier >= 0
      ? `let a role of ${cta} wait for ${names.barrier(flight.barrier)} before it ends: ` +
          'the producer of a ring drains it'
      : `let ${who} wait for its work before it ends: ${words.waitForWork(unit)}` + words.orCommit,
  );
}

/** `reads sD and writes sC`, of the memory of its own CTA. */
function usesOf({ names, system }: Scene, { kind, cta, barrier, ...flight }: Flight): string {
  const { ctas } = system.program;
  const isOwn = (id: number): boolean => id >= 0 && id % ctas === cta;
  const [reads, writes] = [flight.reads.filter(isOwn), flight.writes.filter(isOwn)];
  const written = writes.map((id) => names.buffer(id));
  if (isOwn(flight.cell)) written.push(names.cell(flight.cell));
  const parts: string[] = [];
  if (reads.length > 0) parts.push(`reads ${some(reads.map((id) => names.buffer(id)))}`);
  if (written.length > 0) parts.push(`writes ${some(written)}`);
  if (parts.length === 0 && kind === FlightKind.copy) {
    parts.push(`completes bytes on ${names.barrier(barrier)}`);
  }
  return parts.join(' and ');
}

/** The most buffers that a message names. */
const MAX_NAMED = 4;

/** `a, b, c, d and 28 others`. */
function some(names: readonly string[]): string {
  if (names.length <= MAX_NAMED + 1) return list(names);
  return list([...names.slice(0, MAX_NAMED), `${names.length - MAX_NAMED} others`]);
}
