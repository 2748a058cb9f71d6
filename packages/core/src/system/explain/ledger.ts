// The ledger of a barrier: arrivals and bytes that roles bring in each phase, and those it expects.
import { formatNumber, list, plural } from '../names.ts';
import type { System } from '../system.ts';
import type { Scene } from './draft.ts';
import { protocolOf, type BarrierUse } from './protocol.ts';

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
  if (!protocol.isWhole) return [];
  return protocol.barriers.flatMap((uses, barrier) => {
    if (protocol.changed.has(barrier)) return [];
    const declared = system.machine.shape.barriers[Math.floor(barrier / system.program.ctas)]!;
    const count = protocol.counts.get(barrier) ?? declared.count;
    const found = count > 0 ? misfitOf(uses, barrier, count) : null;
    return found === null ? [] : [found];
  });
}

/**
 * The roles' totals tell how many phases there are: that of the last wait, or one more where the
 * last phase is not waited for. Every role must bring the same in each of them, or nothing is said.
 */
function misfitOf(uses: readonly BarrierUse[], barrier: number, count: number): Misfit | null {
  const waiting = uses.filter((use) => use.waits > 0);
  const laps = Math.max(0, ...waiting.map((use) => use.phases));
  // A wait that never changes its phase or parity says nothing about the number of phases.
  if (laps === 0 || waiting.some((use) => use.repeats > 0)) return null;
  const fits = [laps + 1, laps].flatMap((phases) => shares(uses, phases));
  const isRight = fits.some(({ arrivals, expected, copied }) => {
    return sum(arrivals) === count && expected === copied;
  });
  // One phase more than there is a wait for may be any number of phases, if there is only one.
  const best = fits.findLast(({ arrivals }) => laps > 1 || sum(arrivals) <= count);
  if (isRight || best === undefined) return null;
  return { barrier, count, waiting: waiting.map(({ role }) => role), ...best };
}

type Shares = Pick<Misfit, 'arrivals' | 'expected' | 'copied'>;

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

/** What does not add up, as a clause, and how it would. */
export function misfitText(
  { names, system }: Pick<Scene, 'names' | 'system'>,
  misfit: Misfit,
): { readonly message: string; readonly help: string } {
  const { barrier, count, arrivals, expected, copied } = misfit;
  const name = names.barrier(barrier);
  const comes = sum(arrivals);
  if (comes === 0 && expected === 0 && copied > 0) {
    return {
      message:
        `${formatNumber(copied)} B are copied in each phase of ${name}, ` +
        'and no role expects them or arrives on it',
      help: 'expect the bytes that are copied: use tma.load, or tma.expect before tma.copy',
    };
  }
  if (comes === count) {
    const [more, fewer] = [formatNumber(expected), formatNumber(copied)];
    const difference = formatNumber(Math.abs(expected - copied));
    return {
      message:
        copied === 0
          ? `${name} expects ${more} B in each phase, and no copy delivers them`
          : expected > copied
            ? `${name} expects ${more} B in each phase and only ${fewer} B are copied: ` +
              `${difference} B are never copied`
            : expected === 0
              ? `${fewer} B are copied in each phase of ${name}, and no role expects them`
              : `${name} expects only ${more} B in each phase and ${fewer} B are copied: ` +
                `${difference} B are not expected`,
      help:
        copied === 0
          ? `copy them, or arrive on ${name} without expecting bytes`
          : `expect the bytes that are copied: ${fewer} B in each phase`,
    };
  }
  const only = comes < count ? 'only ' : '';
  const got = comes === 0 ? 'none' : `${only}${formatNumber(comes)}`;
  const from = sharesText(names, arrivals);
  const elsewhere = comes < count ? silentText(names, system, misfit) : '';
  return {
    message:
      `${name} counts ${plural(count, 'arrival')} in each phase and gets ${got}${from}` + elsewhere,
    help:
      comes === 0 || elsewhere !== ''
        ? `let the roles that use what ${name} guards arrive on it`
        : `declare ${name} with the count ${formatNumber(comes)}, ` +
          `or let ${comes < count ? 'another role arrive' : 'fewer threads or roles arrive'}`,
  };
}

/** `, from mma`, or `: 1 from left and 1 from right`. */
function sharesText(names: Scene['names'], shares: readonly Share[]): string {
  const who = ({ role, arrivals, signals }: Share): string =>
    arrivals > signals ? `the threads of ${names.agent(role)}` : names.agent(role);
  const [only, second] = shares;
  if (only === undefined) return '';
  if (second === undefined) return `, from ${who(only)}`;
  return `: ${list(shares.map((share) => `${formatNumber(share.arrivals)} from ${who(share)}`))}`;
}

/** Who lets a barrier down: the same barrier of another CTA, or a role that is silent. */
function silentText(names: Scene['names'], system: System, misfit: Misfit): string {
  const elsewhere = misplaced(names, system, misfit);
  if (elsewhere !== '') return elsewhere;
  const { ctas, declarations } = system.program;
  const [declared, cta] = [Math.floor(misfit.barrier / ctas), misfit.barrier % ctas];
  for (const { full, empty } of declarations.rings) {
    const stage = Math.max(full.indexOf(declared), empty.indexOf(declared));
    if (stage < 0) continue;
    const partner = (full.includes(declared) ? empty : full)[stage]! * ctas + cta;
    const silent = protocolOf(system).barriers[partner]!.filter(({ role, waits }) => {
      return waits > 0 && misfit.arrivals.every((share) => share.role !== role);
    });
    if (silent.length === 0) return '';
    const who = list(silent.map(({ role }) => names.agent(role)));
    const [wait, arrive] = silent.length === 1 ? ['waits', 'arrives'] : ['wait', 'arrive'];
    return `, while ${who} ${wait} for ${names.barrier(partner)} and never ${arrive} on it`;
  }
  return '';
}

/** The same barrier of another CTA gets what this one lacks. */
function misplaced(names: Scene['names'], system: System, misfit: Misfit): string {
  const { ctas } = system.program;
  if (ctas === 1 || sum(misfit.arrivals) >= misfit.count) return '';
  const declared = Math.floor(misfit.barrier / ctas);
  const other = misfits(system).find((one) => {
    return Math.floor(one.barrier / ctas) === declared && sum(one.arrivals) > one.count;
  });
  if (other === undefined) return '';
  const gets = formatNumber(sum(other.arrivals));
  return `, while ${names.barrier(other.barrier)} gets ${gets}${sharesText(names, other.arrivals)}`;
}
