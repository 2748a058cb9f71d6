// Explains what went wrong inside a move: a count, bytes, a lifetime, an allocation.
import { FlightKind, K, NAMED_BARRIERS, P, T } from '../../machine/index.ts';
import { OpKind } from '../../op/index.ts';
import { describe, describeFlight } from '../describe.ts';
import { formatNumber, plural } from '../names.ts';
import type { Draft, Scene } from './draft.ts';
import { contribution } from './needs.ts';

/** Adds the primary place: the operation, or where the flight that landed was issued. */
function primaryIsLast(scene: Scene, draft: Draft, text?: string): string {
  const { schedule, names, symptom } = scene;
  const last = schedule.made.length - 1;
  const made = schedule.made[last];
  if (made === undefined) return names.agent(symptom.agent);
  const issuer = schedule.issuerOf(made.flightId, last);
  const who =
    made.flight === null
      ? names.agent(made.agent)
      : `${names.agent(made.flight.role)}'s ${flightWord(made.flight.kind)}`;
  const does =
    made.instruction === null
      ? describeFlight(names, made.flight!)
      : describe(names, made.instruction);
  const agent = issuer < 0 ? made.agent : schedule.made[issuer]!.agent;
  draft.primary(schedule.position(last), text ?? `${names.agent(agent)}: ${does}`, agent);
  return who;
}

function flightWord(kind: number): string {
  return kind === FlightKind.signal
    ? 'commit'
    : kind === FlightKind.use
      ? 'asynchronous work'
      : 'copy';
}

export function explainOverArrival(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const name = names.barrier(symptom.at);
  const at = system.machine.barrierAt(symptom.at);
  const phase = schedule.words[at + K]!;
  const [pending, bytes] = [schedule.words[at + P]!, schedule.words[at + T]!];
  const who = primaryIsLast(scene, draft);
  draft.message = `${who} arrives on ${name} once more than its phase ${phase} takes`;
  const waits = bytes === 0 ? '' : `, and the phase still waits for ${formatNumber(bytes)} B`;
  draft.notes.push(
    `${plural(pending, 'arrival')} pending in phase ${phase} of ${name}${waits}; ` +
      'a larger arrival traps on hardware',
  );
  labelContributions(scene, draft, symptom.at, `arrived in phase ${phase}`);
}

export function explainTxMismatch(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const name = names.barrier(symptom.at);
  const phase = schedule.words[system.machine.barrierAt(symptom.at) + K]! - 1;
  const open = system.machine.layout.flights;
  let late = 0;
  for (let i = schedule.words[open]!; i > 0; i--) {
    const id = schedule.words[open + i]!;
    const flight = system.machine.flights.flights[id]!;
    if (flight.kind !== FlightKind.copy || flight.barrier !== symptom.at) continue;
    late += flight.bytes;
    const issuer = schedule.issuerOf(id, schedule.made.length);
    if (issuer < 0) continue;
    const into = names.buffer(flight.writes[0] ?? 0);
    const text = `this copy of ${formatNumber(flight.bytes)} B into ${into} is still under way`;
    draft.label(schedule.position(issuer), text, flight.role);
  }
  primaryIsLast(scene, draft);
  draft.message =
    `${name} completes phase ${phase} while ${formatNumber(late)} B ` +
    'that belong to it are still under way';
  draft.notes.push('whoever waits for this phase now reads a tile that is not all there');
  labelContributions(scene, draft, symptom.at, 'expected', true);
}

/** Labels the operations that reached a barrier in the phase of the last move. */
function labelContributions(
  scene: Scene,
  draft: Draft,
  barrier: number,
  verb: string,
  expectsOnly = false,
): void {
  const { schedule, names, system } = scene;
  const last = schedule.made.length - 1;
  const since = schedule.made.findLastIndex(
    (made, at) => at < last && made.completed.some((one) => one.barrier === barrier),
  );
  for (let at = since + 1; at < last; at++) {
    const made = schedule.made[at]!;
    if (made.instruction === null) {
      if (expectsOnly || made.flight?.kind !== FlightKind.signal || made.flight.barrier !== barrier)
        continue;
      draft.label(
        schedule.position(at),
        `${names.agent(made.flight.role)} ${verb} here`,
        made.flight.role,
      );
      continue;
    }
    const expects =
      made.instruction.kind === OpKind.arrive || made.instruction.kind === OpKind.expectTx;
    if (!made.reached.includes(barrier)) continue;
    const { bytes } = made.instruction;
    if (expectsOnly ? !expects : contribution(system, made.instruction, barrier).arrivals === 0)
      continue;
    const amount = expectsOnly ? ` ${formatNumber(bytes)} B` : '';
    draft.label(
      schedule.position(at),
      `${names.agent(made.agent)} ${verb}${amount} here`,
      made.agent,
    );
  }
}

export function explainMissingDrain(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const who = primaryIsLast(scene, draft);
  const made = schedule.made.at(-1);
  const isBarrier =
    made?.instruction?.kind !== OpKind.read && made?.instruction?.kind !== OpKind.write;
  const name =
    isBarrier && (made?.flight?.barrier ?? 0) >= 0
      ? names.barrier(symptom.at)
      : names.buffer(symptom.at);
  const ended = schedule.made.findLastIndex(({ instruction }) => {
    const isExit = instruction?.kind === OpKind.exit;
    const invalidates =
      instruction?.kind === OpKind.invalidate && instruction.target === symptom.at;
    return isExit || invalidates;
  });
  const how =
    ended >= 0 && schedule.made[ended]!.instruction!.kind === OpKind.invalidate
      ? 'invalidated'
      : 'gone with its CTA';
  draft.message = `${who} reaches ${name}, which is already ${how}`;
  if (ended >= 0) {
    const ender = schedule.made[ended]!.agent;
    draft.label(
      schedule.position(ended),
      `${names.agent(ender)} ended it here, without waiting`,
      ender,
    );
  }
  const { rings } = system.program.declarations;
  if (rings.length > 0)
    draft.helps.push('drain the ring before the role that owns it ends: yield* ring.drain()');
}

export function explainOther(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const { rule, at } = symptom;
  const who = primaryIsLast(scene, draft);
  switch (rule) {
    case 'uninitialised-barrier': {
      const made = schedule.made.at(-1);
      const again = made?.instruction?.kind === OpKind.init;
      const name = names.barrier(at);
      draft.message = again
        ? `${who} initialises ${name}, which is already in use`
        : `${who} uses ${name} before anybody has initialised it`;
      return;
    }
    case 'tmem-use-after-free':
      draft.message = `${who} touches ${names.buffer(at)}, which is not allocated any more`;
      return labelFree(scene, draft);
    case 'tmem-double-free':
      draft.message = `${who} frees ${names.buffer(at)}, which is not allocated`;
      return labelFree(scene, draft);
    case 'capacity': {
      const { capacity, name } =
        system.program.declarations.pools[Math.floor(at / system.program.ctas)]!;
      draft.message =
        `${who} asks for more of ${name} than it can ever get: ` +
        `the pool has ${formatNumber(capacity)}`;
      return;
    }
    case 'named-barrier-mismatch':
      draft.message =
        `${who} arrives at named barrier ${at % NAMED_BARRIERS} ` +
        'with a thread count that does not fit the others';
      return;
    case 'divergent-exit':
      draft.message =
        `${names.agent(symptom.agent)} meets a cluster barrier ` +
        'that not every role reaches: one has ended';
      return;
    default:
      draft.message = `${who} breaks the rule ${rule}`;
  }
}

function labelFree(scene: Scene, draft: Draft): void {
  const { schedule, names, symptom } = scene;
  const last = schedule.made.length - 1;
  const freed = schedule.made.findLastIndex(
    ({ instruction }, index) =>
      index < last && instruction?.kind === OpKind.free && instruction.writes.includes(symptom.at),
  );
  if (freed < 0) return;
  const by = schedule.made[freed]!.agent;
  draft.label(schedule.position(freed), `${names.agent(by)} freed it here`, by);
}
