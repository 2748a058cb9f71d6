// The words that warps poll, as counters of a run: what the lowering makes barriers of.
import { volume } from '../../launch/launch.ts';
import type { Launch } from '../../launch/launch.ts';
import { roomFor } from '../../launch/resident.ts';
import type { Machine } from '../machine/machine.ts';
import type { Counter, Counters } from '../../steps/run.ts';
import type { GlobalWords, WordWrite } from './words.ts';
import type { WordPlans } from './word-plan.ts';
import { textOf } from './word-values.ts';
import { isShared } from '../../steps/pages.ts';

/** The counters of a run. What it takes for granted of them is assumed. */
export function countersOf(
  machine: Machine,
  launch: Launch,
  { words: plans, guards }: WordPlans,
  target: string,
): Counters {
  const list = new Map<number, Counter>();
  const polled: number[] = [];
  const { words } = machine;
  for (const { address, arrivals, isPolled, isExact, draws, free, waits } of plans.values()) {
    if (!isPolled) continue;
    const at = words?.histories.get(address)?.polls[0]?.at ?? 0;
    const place = machine.pages.place(address);
    if (place === null) continue;
    const writers = writersOf(words?.histories.get(address)?.writes ?? []);
    const name = machine.nameOf(place);
    // Who holds a lock runs.
    const areLocks = words?.histories.get(address)?.polls.every(({ isLock }) => isLock === true);
    const isAwaited = draws === undefined && areLocks !== true && waits.size > 0;
    if (isAwaited && !isShared(address)) polled.push(at);
    list.set(place, { name, arrivals, isExact, writers, at, ...(free && { free }) });
  }
  if (words !== null) assumeReset(machine, words, plans);
  if (polled[0] !== undefined) assumeTogether(machine, launch, target, polled[0]);
  return { words: list, guards };
}

/** Blocks that wait for one another run at the same time. */
function assumeTogether(machine: Machine, launch: Launch, target: string, at: number): void {
  const blocks = volume(launch.grid);
  if (blocks === volume(launch.cluster)) return;
  const text = `all ${blocks} blocks of the grid run at the same time, `;
  const room = roomFor(launch, target);
  if (launch.isCooperative)
    machine.assume(at, 'cooperative-grid', `${text}which its cooperative launch promises`);
  else if (room === null)
    machine.assume(at, 'resident-blocks', `${text}which only a cooperative launch promises`);
  else machine.assume(at, 'fitting-grid', text + roomText(room));
}

function roomText(multiprocessors: number): string {
  return (
    `as a device of ${multiprocessors} multiprocessors or more has room for them once other ` +
    'kernels have ended'
  );
}

/** Who writes a word, the lanes of one access together. */
function writersOf(writes: readonly WordWrite[]): Counter['writers'] {
  const counts = new Map<string, { role: string; count: number }>();
  for (const { by: role, step } of writes) {
    const key = `${role} ${step}`;
    const found = counts.get(key);
    if (found === undefined) counts.set(key, { role, count: 1 });
    else found.count++;
  }
  return [...counts.values()];
}

/** A word that does not hold at the end what it held at first has to be set before each launch. */
function assumeReset(machine: Machine, words: GlobalWords, plans: WordPlans['words']): void {
  for (const { address, bytes, initial } of plans.values()) {
    const last = words.histories.get(address)?.writes.at(-1);
    if (isShared(address) || last === undefined || last.value === null || last.value === initial)
      continue;
    const place = machine.pages.place(address);
    const name = place === null ? 'a word' : machine.nameOf(place);
    const text = `${name} holds ${textOf(initial, bytes)} before each launch, as in this one`;
    machine.assume(last.at, 'initial-word', text);
  }
}
