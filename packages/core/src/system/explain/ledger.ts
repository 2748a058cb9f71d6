// The ledger of a barrier: arrivals and bytes that roles bring in each phase, and those it expects.
import { isGlobalBarrier } from '../../machine/index.ts';
import { formatNumber, list, listOfShares, plural } from '../names.ts';
import type { System } from '../system.ts';
import type { Scene } from './draft.ts';
import { isSettled, protocolOf, type BarrierUse, type Protocol } from './protocol.ts';
import { absenceText, areSkipped, skipHelp } from './skipped-arrival.ts';
import { wordsOf } from './words.ts';

/** What the roles bring to a barrier in each phase, where that is not what the phase takes. */
export interface Misfit {
  readonly barrier: number;
  /** Arrivals that a phase takes, and those that come: by role. */
  readonly count: number;
  readonly arrivals: readonly Share[];
  /** Bytes that are expected and copied in each phase. */
  readonly expected: number;
  readonly copied: number;
  /** Roles that wait for it. */
  readonly waiting: readonly number[];
  /** Whether what comes in all is no whole number of the phases that are waited for. */
  readonly isOdd: boolean;
  /** The bytes of all phases, if those of one may differ from those of another. */
  readonly inAll: { readonly expected: number; readonly copied: number } | null;
}

interface Share {
  readonly role: number;
  /** Arrivals of the role in each phase, and operations that make them. */
  readonly arrivals: number;
  readonly signals: number;
}

/** Every barrier whose phases take something else than the roles bring. */
export function misfits(system: System): Misfit[] {
  const protocol = protocolOf(system);
  if (!protocol.isSeen) return [];
  return protocol.barriers.flatMap((uses, barrier) => {
    if (protocol.changed.has(barrier) || !isSettled(protocol, barrier)) return [];
    // The writes of a word are counted as they come: there is no other number of them.
    if (isGlobalBarrier(system.machine.shape, barrier)) return [];
    const declared = system.machine.shape.barriers[Math.floor(barrier / system.program.ctas)]!;
    const count = protocol.counts.get(barrier) ?? declared.count;
    const found = count > 0 ? misfitOf(uses, barrier, count, protocol) : null;
    // Laps of which the last are not known make too many of what comes in each.
    const isTooMuch = found !== null && protocol.cut.size > 0 && sum(found.arrivals) > count;
    return found === null || isTooMuch ? [] : [found];
  });
}

/**
 * What each role brings in each phase. A role that hands a stage back waits for it first: its waits
 * for what the other side provides, one for each phase, count its laps. Else the phases that are
 * waited for count them, or one more where the last phase is not. Every role must bring the same in
 * each lap, or nothing is known.
 */
function misfitOf(
  uses: readonly BarrierUse[],
  barrier: number,
  count: number,
  protocol: Protocol,
): Misfit | null {
  const waiting = uses.filter((use) => use.waits > 0);
  const phases = Math.max(0, ...waiting.map((use) => use.phases));
  // A wait that never changes its phase or parity says nothing about the number of phases.
  if (phases === 0 || waiting.some((use) => use.repeats > 0)) return null;
  const total = uses.reduce((all, use) => all + use.arrivals, 0);
  if (areShared(waiting) && addsUp(uses, total, count, phases)) return null;
  // What comes in each phase must make up what comes in all, with one phase more at most.
  const byLaps = sharesByLaps(uses, waiting, protocol);
  if (byLaps.some(({ arrivals }) => canMakeUp(arrivals, count))) return null;
  const own = byLaps.map(firstOf).filter(({ arrivals }) => {
    const each = sum(arrivals);
    return each * phases <= total && total <= each * (phases + 1);
  });
  const isPossible = (laps: number): boolean =>
    uses.every(({ role }) => {
      const known = lapsOf(role, waiting, protocol);
      return known.length === 0 || known.includes(laps);
    });
  const possible = [phases + 1, phases].filter(isPossible);
  const fits = own.length > 0 ? own : possible.flatMap((laps) => shares(uses, laps));
  const isRight = fits.some(({ arrivals, expected, copied }) => {
    return sum(arrivals) === count && expected === copied;
  });
  // One phase more than there is a wait for may be any number of phases, if there is only one.
  const best = fits.findLast(({ arrivals }) => {
    return own.length > 0 || phases > 1 || sum(arrivals) <= count;
  });
  if (isRight || best === undefined) return null;
  const laps = total / count;
  // Roles that take turns bring to one phase each what would be too much for one.
  const isInTurns = best.arrivals.length > 1 && laps === phases + 1 && sum(best.arrivals) > count;
  if (isInTurns && best.arrivals.every(({ arrivals }) => arrivals === count)) return null;
  const isWhole = phases <= laps && laps <= phases + 1 && shares(uses, laps).length > 0;
  const isOdd = !isWhole || best.expected !== best.copied;
  const isEven = uses.every(
    ({ laps: { expected, copied } }) => areEqual(expected) && areEqual(copied),
  );
  const inAll = isEven ? null : bytesOf(uses);
  return { barrier, count, waiting: waiting.map(({ role }) => role), isOdd, inAll, ...best };
}

function areEqual(laps: ReadonlyMap<number, number>): boolean {
  return new Set(laps.values()).size <= 1;
}

function bytesOf(uses: readonly BarrierUse[]): Pick<Shares, 'expected' | 'copied'> {
  const sumOf = (of: (use: BarrierUse) => number): number =>
    uses.reduce((all, use) => all + of(use), 0);
  return { expected: sumOf((use) => use.expected), copied: sumOf((use) => use.copied) };
}

/** Whether roles wait for different phases: then no one of them counts all. */
export function areShared(waiting: readonly BarrierUse[]): boolean {
  return new Set(waiting.map(({ waits, startsFresh }) => `${waits} ${startsFresh}`)).size > 1;
}

/** Whether all that comes makes up a number of phases that the waits are enough for. */
function addsUp(uses: readonly BarrierUse[], total: number, count: number, least: number): boolean {
  const sumOf = (of: (use: BarrierUse) => number): number =>
    uses.reduce((all, use) => all + of(use), 0);
  const phases = total / count;
  const most = sumOf((use) => use.waits) + 1;
  const isPossible = Number.isInteger(phases) && phases >= least && phases <= most;
  return isPossible && sumOf((use) => use.expected) === sumOf((use) => use.copied);
}

type Shares = Pick<Misfit, 'arrivals' | 'expected' | 'copied'>;

/** By role: what it brings in each lap, for each number of laps that it may have. */
type SharesOfLaps = readonly (readonly Share[])[];

/** What each role brings in each of its own laps, where every arrival follows a wait. */
function sharesByLaps(
  uses: readonly BarrierUse[],
  waiting: readonly BarrierUse[],
  protocol: Protocol,
): { readonly arrivals: SharesOfLaps }[] {
  const bringing = uses.filter((use) => use.arrivals + use.expected + use.copied > 0);
  const arrivals = bringing.map(({ role, arrivals: all, signals }): Share[] => {
    const laps = new Set(lapsOf(role, waiting, protocol).filter((each) => each > 0));
    const whole = [...laps].filter((each) => all % each === 0 && signals % each === 0);
    return whole.map((each) => ({ role, arrivals: all / each, signals: signals / each }));
  });
  const isKnown =
    arrivals.every((shares) => shares.length > 0) &&
    bringing.every((use) => use.expected + use.copied === 0);
  return isKnown && bringing.length > 0 ? [{ arrivals }] : [];
}

function firstOf({ arrivals }: { readonly arrivals: SharesOfLaps }): Shares {
  return { arrivals: arrivals.map(([first]) => first!), expected: 0, copied: 0 };
}

/** Whether the roles bring what a phase takes, for some numbers of laps that they may have. */
function canMakeUp(arrivals: SharesOfLaps, count: number): boolean {
  let sums = new Set([0]);
  for (const shares of arrivals) {
    const next = [...sums].flatMap((all) => shares.map((share) => all + share.arrivals));
    sums = new Set(next.filter((all) => all <= count));
  }
  return sums.has(count);
}

/**
 * How many laps a role may have: its waits for what others provide, one for each phase. A role that
 * goes first may wait once more as it drains.
 */
function lapsOf(role: number, waiting: readonly BarrierUse[], protocol: Protocol): number[] {
  return partnersOf(role, waiting, protocol).flatMap(({ waits, phases, startsFresh }) => {
    if (startsFresh) return waits === phases + 1 ? [waits, phases] : [];
    return waits === phases ? [phases] : [];
  });
}

/** Waits of a role for barriers that one of some other roles provides; all where there are none. */
function partnersOf(
  role: number,
  waiting: readonly BarrierUse[],
  { barriers }: Protocol,
): BarrierUse[] {
  const provided = barriers.flatMap((uses) => {
    const isProvided = uses.some((use) => {
      return use.arrivals + use.copied > 0 && waiting.some((one) => one.role === use.role);
    });
    return isProvided ? uses.filter((use) => use.role === role && use.waits > 0) : [];
  });
  if (provided.length > 0) return provided;
  return barriers.flat().filter((use) => use.role === role && use.waits > 0);
}

/** What each role brings in each of `phases`, if that is a whole number for each of them. */
function shares(uses: readonly BarrierUse[], phases: number): Shares[] {
  const isWhole = ({ arrivals, signals, expected, copied }: BarrierUse): boolean =>
    [arrivals, signals, expected, copied].every((total) => total % phases === 0);
  if (!uses.every(isWhole)) return [];
  const arrivals = uses
    .filter((use) => use.arrivals > 0)
    .map((use) => {
      const { role } = use;
      return { role, arrivals: use.arrivals / phases, signals: use.signals / phases };
    });
  const total = (of: (use: BarrierUse) => number): number =>
    uses.reduce((all, use) => all + of(use), 0) / phases;
  return [{ arrivals, expected: total((use) => use.expected), copied: total((use) => use.copied) }];
}

export function sum(arrivals: readonly Share[]): number {
  return arrivals.reduce((total, share) => total + share.arrivals, 0);
}

/** Expected bytes that are not those that are copied, as a clause. */
function bytesText(
  name: string,
  { expected, copied, inAll }: Misfit,
): { readonly message: string; readonly help: string } {
  const isEven = inAll === null;
  const each = isEven ? 'in each phase' : 'in all its phases';
  const ofBarrier = `${isEven ? each : 'in all phases'} of ${name}`;
  const bytes = inAll ?? { expected, copied };
  const [more, fewer] = [formatNumber(bytes.expected), formatNumber(bytes.copied)];
  const difference = formatNumber(Math.abs(bytes.expected - bytes.copied));
  return {
    message:
      copied === 0
        ? `${name} expects ${more} B ${each}, and no copy delivers them`
        : expected > copied
          ? `${name} expects ${more} B ${each} and only ${fewer} B are copied: ` +
            `${difference} B are never copied`
          : expected === 0
            ? `${fewer} B are copied ${ofBarrier}, and no role expects them`
            : `${name} expects only ${more} B ${each} and ${fewer} B are copied: ` +
              `${difference} B are not expected`,
    help:
      copied === 0
        ? `copy them, or arrive on ${name} without expecting bytes`
        : isEven
          ? `expect the bytes that are copied: ${fewer} B in each phase`
          : 'expect in each phase the bytes that are copied in it',
  };
}

/** What does not add up, as a clause, and how it would. */
export function misfitText(
  scene: Pick<Scene, 'names' | 'system' | 'arrivals'>,
  misfit: Misfit,
): { readonly message: string; readonly help: string } {
  const { names, system } = scene;
  const { barrier, count, arrivals, expected, copied } = misfit;
  const name = names.barrier(barrier);
  const comes = sum(arrivals);
  if (comes === 0 && expected === 0 && copied > 0) {
    return {
      message:
        `${formatNumber(copied)} B are copied in each phase of ${name}, ` +
        'and no role expects them or arrives on it',
      help: wordsOf(system).expectBytes,
    };
  }
  if (comes === count) return bytesText(name, misfit);
  const only = comes < count ? 'only ' : '';
  const got = comes === 0 ? 'none' : `${only}${formatNumber(comes)}`;
  const from = sharesText(names, arrivals);
  const silent = silentRoles(system, misfit);
  const elsewhere =
    raisedText(names, system, misfit) ||
    misplaced(names, system, misfit) ||
    (silent === null ? '' : silentText(scene, misfit, silent));
  const isSkipped = silent !== null && areSkipped(scene, silent.roles, barrier);
  return {
    message:
      `${name} counts ${plural(count, 'arrival')} in each phase and gets ${got}${from}` + elsewhere,
    help: isSkipped
      ? skipHelp(name)
      : comes === 0 || elsewhere !== ''
        ? `let the roles that use what ${name} guards arrive on it`
        : `${wordsOf(system).declareCount(name, formatNumber(comes))}, ` +
          `or let ${comes < count ? 'another role arrive' : 'fewer threads or roles arrive'}`,
  };
}

/** `, from mma`, or `: 1 from left and 1 from right`. */
function sharesText(names: Scene['names'], shares: readonly Share[]): string {
  const parts = shares.map(({ role, arrivals, signals }) => {
    const of = arrivals > signals ? 'the threads of' : undefined;
    return { count: arrivals, name: names.agent(role), of };
  });
  const [only, second] = parts;
  if (only === undefined) return '';
  if (second !== undefined) return `: ${listOfShares(parts)}`;
  return only.of === undefined ? `, from ${only.name}` : `, from ${only.of} ${only.name}`;
}

/** Roles whose work arrives and raises the count for that: it completes nothing. */
function raisedText(names: Scene['names'], system: System, { barrier }: Misfit): string {
  const uses = protocolOf(system).barriers[barrier]!.filter(({ uncounted }) => uncounted > 0);
  if (uses.length === 0) return '';
  const who = list(uses.map(({ role }) => names.agent(role)));
  return `: the cp.async of ${who} raises the count before it arrives, for lack of .noinc`;
}

/** Roles that bring nothing, and the barrier that they wait for like those who do. */
interface Silent {
  readonly roles: readonly number[];
  /** −1 where no role brings anything. */
  readonly partner: number;
}

/** Roles that wait for what the arriving roles wait for, too, and do not arrive. */
function silentRoles(system: System, misfit: Misfit): Silent | null {
  if (sum(misfit.arrivals) >= misfit.count) return null;
  const { barriers } = protocolOf(system);
  const arriving = misfit.arrivals.map(({ role }) => role);
  if (arriving.length === 0) return silentTakers(system, misfit);
  for (const [partner, uses] of barriers.entries()) {
    const waits = uses.filter((use) => use.waits > 0 && !use.startsFresh).map(({ role }) => role);
    const provides = uses.some((use) => {
      return use.arrivals + use.copied > 0 && misfit.waiting.includes(use.role);
    });
    if (!provides || !arriving.every((role) => waits.includes(role))) continue;
    const roles = waits.filter(
      (role) => !arriving.includes(role) && !misfit.waiting.includes(role),
    );
    if (roles.length > 0) return { roles, partner };
  }
  return null;
}

/** Roles that wait for those who wait for the barrier, on which none arrives. */
function silentTakers(system: System, { waiting }: Misfit): Silent | null {
  const { barriers } = protocolOf(system);
  const provided = barriers.filter((uses) => {
    return uses.some((use) => use.arrivals + use.copied > 0 && waiting.includes(use.role));
  });
  const takers = (isFresh: boolean): number[] => {
    const uses = provided.flat().filter((use) => use.waits > 0 && use.startsFresh === isFresh);
    return [...new Set(uses.map(({ role }) => role))].filter((role) => !waiting.includes(role));
  };
  // Of several who fill something for them, any one may be meant.
  const fillers = takers(true);
  const roles = takers(false).length > 0 || fillers.length > 1 ? takers(false) : fillers;
  return roles.length === 0 ? null : { roles, partner: -1 };
}

/** `, while b waits for full and does not arrive on it`, or `: b, which waits for a, …`. */
function silentText(
  scene: Pick<Scene, 'names' | 'system' | 'arrivals'>,
  { barrier, waiting }: Misfit,
  { roles, partner }: Silent,
): string {
  const { names } = scene;
  const who = list(roles.map((role) => names.agent(role)));
  const wait = roles.length === 1 ? 'waits' : 'wait';
  const text = absenceText(scene, roles, barrier);
  if (partner >= 0) return `, while ${who} ${wait} for ${names.barrier(partner)} and ${text}`;
  const whom = list(waiting.map((role) => names.agent(role)));
  return `: ${who}, which ${wait} for ${whom}, ${text}`;
}

/** Another barrier of the same roles gets what this one lacks, or lacks what this one gets. */
function misplaced(names: Scene['names'], system: System, misfit: Misfit): string {
  const arriving = (one: Misfit): readonly number[] => one.arrivals.map(({ role }) => role);
  const lacks = (one: Misfit): boolean => sum(one.arrivals) < one.count;
  const other = misfits(system).find((one) => {
    if (one.barrier === misfit.barrier || lacks(one) === lacks(misfit)) return false;
    if (sum(one.arrivals) === one.count || sum(misfit.arrivals) === misfit.count) return false;
    const giver = lacks(one) ? misfit : one;
    // They are of one kind: as many arrivals, by roles that the giver has.
    const known = arriving(one).concat(arriving(misfit));
    return one.count === misfit.count && known.every((role) => arriving(giver).includes(role));
  });
  if (other === undefined) return '';
  const comes = sum(other.arrivals);
  const gets = comes === 0 ? 'none' : formatNumber(comes);
  return `, while ${names.barrier(other.barrier)} gets ${gets}${sharesText(names, other.arrivals)}`;
}
