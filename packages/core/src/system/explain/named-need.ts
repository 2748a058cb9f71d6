// Explains a named barrier that can not fill: who has arrived, and which roles could.
import { CATALOGUE, OpKind } from '../../op/index.ts';
import { formatNumber, list, listOfShares, plural } from '../names.ts';
import { providers } from './cycle.ts';
import type { Scene } from './draft.ts';
import { future } from './future.ts';
import type { Need } from './needs.ts';
import { protocolOf } from './protocol.ts';

/** Threads that a role brings. */
interface Party {
  readonly role: number;
  threads: number;
}

/** Threads that a named barrier lacks. */
export function missingThreads({ system, schedule }: Scene, { instruction }: Need): number {
  const { threads, target } = instruction;
  return threads - schedule.words[system.machine.layout.named + target * 2]!;
}

/** Why a wait at a named barrier never ends. */
interface NamedNeed {
  readonly text: string;
  /** Roles of which it says that they do not come. */
  readonly absent: readonly number[];
}

/** Why a wait at a named barrier never ends, `null` where enough threads could still come. */
export function namedText(scene: Scene, need: Need): NamedNeed | null {
  if (need.instruction.kind !== OpKind.syncNamed) return null;
  const { names, system, schedule } = scene;
  const { target, threads } = need.instruction;
  const arrived = schedule.words[system.machine.layout.named + target * 2]!;
  const coming = providers(system, schedule.words, need).map((role) => toCome(scene, role, target));
  if (coming.reduce((all, party) => all + party.threads, arrived) >= threads) return null;
  const text = (all: readonly Party[]): string =>
    listOfShares(all.map((party) => ({ count: party.threads, name: names.agent(party.role) })));
  const parties = arrivals(scene, target, arrived);
  const by = parties.length === 1 ? `from ${names.agent(parties[0]!.role)}` : text(parties);
  const here = `${formatNumber(arrived)} ${arrived === 1 ? 'has' : 'have'} arrived, ${by}`;
  const later = coming.length === 0 ? '' : `, and at most ${text(coming)} can still come`;
  const elsewhere = astray(scene, need);
  const rest =
    elsewhere === '' ? absent(scene, need, coming, parties) : { text: elsewhere, absent: [] };
  const what = `${scene.names.namedBarrier(target)} takes ${plural(threads, 'thread')}`;
  return { ...rest, text: `${what} and never fills: ${here}${later}${rest.text}` };
}

/** What a role brings the next time that it comes. */
function toCome({ system, schedule }: Scene, role: number, named: number): Party {
  for (const { instruction } of future(system, schedule.words, role)) {
    if (isAt(instruction, named)) return { role, threads: instruction.lanes };
  }
  return { role, threads: 0 };
}

/** Who has made the threads that are there now: roles that wait, and others that have arrived. */
function arrivals({ schedule, system }: Scene, named: number, arrived: number): Party[] {
  const { records, words } = schedule;
  const found = system.program.roles.flatMap((_, role): Party[] => {
    const step = words[role]!;
    const isWaiting = words[system.machine.layout.sync + role] === named + 1;
    const instruction = step < 0 || !isWaiting ? null : system.steps.instruction(step);
    return instruction === null ? [] : [{ role, threads: instruction.lanes }];
  });
  let left = arrived - found.reduce((sum, { threads }) => sum + threads, 0);
  for (const { agent, instruction } of records.toReversed()) {
    if (left <= 0) break;
    if (instruction?.kind !== OpKind.arriveNamed || instruction.target !== named) continue;
    const known = found.find(({ role }) => role === agent);
    if (known === undefined) found.unshift({ role: agent, threads: instruction.lanes });
    else known.threads += instruction.lanes;
    left -= instruction.lanes;
  }
  return found;
}

/** Roles that have been at a named barrier. */
function visitors({ schedule }: Scene, named: number): number[] {
  const all = schedule.records.flatMap(({ agent, instruction }) => {
    return instruction !== null && isAt(instruction, named) ? [agent] : [];
  });
  return [...new Set(all)];
}

/** Threads that have arrived at another named barrier of the CTA, at which no role waits. */
function astray(scene: Scene, need: Need): string {
  const named = need.instruction.target;
  const { system, schedule, names } = scene;
  const { layout } = system.machine;
  const { namedBarriers } = system.program;
  const first = named - (named % namedBarriers);
  for (let other = first; other < first + namedBarriers; other++) {
    const arrived = schedule.words[layout.named + other * 2]!;
    const isAwaited = system.program.roles.some((_, role) => {
      const step = schedule.words[role]!;
      const instruction = step < 0 ? null : system.steps.instruction(step);
      return instruction?.kind === OpKind.syncNamed && instruction.target === other;
    });
    if (other === named || arrived === 0 || isAwaited) continue;
    const here = arrivals(scene, named, schedule.words[layout.named + named * 2]!);
    const parties = arrivals(scene, other, arrived);
    if (parties.some(({ role }) => here.some((one) => one.role === role))) continue;
    const who = list(parties.map(({ role }) => names.agent(role)));
    const where = names.namedBarrier(other);
    return `; ${who} arrived at ${where} instead, with ${plural(arrived, 'thread')}`;
  }
  return '';
}

/** Roles of the CTA that use the barrier and come no more; or that no other role uses it. */
function absent(
  scene: Scene,
  need: Need,
  coming: readonly Party[],
  now: readonly Party[],
): NamedNeed {
  const named = need.instruction.target;
  const { system, schedule, names } = scene;
  const protocol = protocolOf(system);
  const plain = (text: string): NamedNeed => ({ text, absent: [] });
  const users = protocol.named[named]!;
  if (coming.length > 0) {
    if (users.length === 0 || protocol.cut.size > 0) return plain('');
    const who = list(users.map(({ role }) => names.agent(role)));
    return plain(`; only ${who} ${users.length === 1 ? 'uses' : 'use'} it`);
  }
  const visited = visitors(scene, named);
  const here = new Set([...coming.map(({ role }) => role), ...visited]);
  const others = users.filter(({ role }) => !here.has(role));
  if (others.length > 0)
    return plain(`; ${list(others.map(({ role }) => names.agent(role)))} would come`);
  const ended = visited
    .filter((role) => system.hasEnded(schedule.words, role) && !protocol.cut.has(role))
    .map((role) => names.agent(role));
  if (ended.length > 0)
    return plain(`; ${list(ended)} ${ended.length === 1 ? 'has' : 'have'} ended`);
  const { cta } = system.program.roles[here.values().next().value ?? 0]!;
  // Of a role that still moves it is not known whether it comes.
  const rest = system.program.roles.flatMap((role, at) => {
    const isHere = now.some((party) => party.role === at);
    const isStill = !isHere && system.options(schedule.words, at) === 0;
    return role.cta === cta && isStill ? [at] : [];
  });
  if (rest.length === 0) return plain('');
  const elsewhere = waitingElsewhere(scene, need, rest);
  if (elsewhere !== null) return elsewhere;
  const who = list(rest.map((role) => names.agent(role)));
  const [comes, has] = rest.length === 1 ? ['comes', 'has'] : ['come', 'have'];
  // A role that may go on behind its wait may come there.
  const isOpen = rest.some((role) => protocol.cut.has(role));
  const again = rest.every((role) => here.has(role)) ? ' again' : '';
  const text = isOpen
    ? `${who} ${has} not come to it${again}`
    : again === ''
      ? `${who} never ${comes} to it`
      : `${who} ${rest.length === 1 ? 'does' : 'do'} not come to it again`;
  return { text: `; ${text}`, absent: rest };
}

/** Roles that wait at another named barrier with as many threads as this one lacks. */
function waitingElsewhere(scene: Scene, need: Need, roles: readonly number[]): NamedNeed | null {
  const { system, schedule, names } = scene;
  const { target: named } = need.instruction;
  const standing = roles.flatMap((role) => {
    const step = schedule.words[role]!;
    const instruction = step < 0 ? null : system.steps.instruction(step);
    const isNamed = instruction?.kind === OpKind.syncNamed && instruction.target !== named;
    return isNamed ? [{ role, at: instruction.target, threads: instruction.lanes }] : [];
  });
  for (const [at, parties] of Map.groupBy(standing, (party) => party.at)) {
    const threads = parties.reduce((sum, party) => sum + party.threads, 0);
    if (threads !== missingThreads(scene, need)) continue;
    const absent = parties.map(({ role }) => role);
    const who = list(absent.map((role) => names.agent(role)));
    const wait = absent.length === 1 ? 'waits' : 'wait';
    return { text: `; ${who} ${wait} at ${names.namedBarrier(at)} instead`, absent };
  }
  return null;
}

function isAt(
  { kind, target }: { readonly kind: OpKind; readonly target: number },
  named: number,
): boolean {
  return CATALOGUE[kind]!.names === 'named' && target === named;
}
