// Roles for the lanes of one warp: what they are called, and how they join.
import { roleName } from '../text/names.ts';
import { NAMED_BARRIERS } from '@poundlock/core/internal/machine';
import { AUTO } from '@poundlock/core/internal/op';
import { spanOf } from '@poundlock/core/internal/program';
import type { StrandClass } from '@poundlock/core/internal/program';
import type { ReferenceRun } from '../steps/run.ts';
import type { JoinStep } from '../steps/step.ts';
import type { Action, PlannedBarrier } from './plan.ts';

/** Lanes of a warp. */
const LANES = 32;

/** The name of a role, and what it is a part of. */
export interface Part {
  readonly name: string;
  readonly cta: number;
  readonly part?: StrandClass;
}

/** The names of the roles of a run, and which warps they are parts of. */
export function partsOf({ warps, ctas }: ReferenceRun): readonly Part[] {
  return warps.map((warp, at) => {
    const family = roleName(ctas, warp.cta, warp.warp);
    if (warp.strand === undefined) return { name: family, cta: warp.cta };
    const { lanes: members, index, count: classes } = warp.strand;
    const name = `${family}.${nameOfLanes(members)}`;
    const strand = { members, index, classes, strands: LANES, threadsEach: 1 };
    return { name, cta: warp.cta, part: { ...strand, family, written: at - index } };
  });
}

/** `lane0`, `lanes1-31`. */
function nameOfLanes(lanes: readonly number[]): string {
  return `${lanes.length === 1 ? 'lane' : 'lanes'}${spanOf(lanes)}`;
}

/** How the roles of a warp join: all at a barrier that no kernel has, some at one of their own. */
export class StrandJoins {
  readonly #parts: readonly Part[];
  readonly #barriers: PlannedBarrier[];
  /** Barriers for joins of some roles, by the first of them and their number among its warp. */
  readonly #ofSome = new Map<string, number>();
  /** How often a role has joined at a barrier. */
  readonly #rounds = new Map<string, number>();

  /** Adds to `barriers` what the joins need. */
  constructor(parts: readonly Part[], barriers: PlannedBarrier[]) {
    this.#parts = parts;
    this.#barriers = barriers;
  }

  /** The turns of a role at the barriers where some roles join, as a text. */
  stateOf(role: number): string {
    return [...this.#rounds]
      .filter(([key]) => key.startsWith(`${role} `))
      .map(([key, round]) => `${key} ${round & 1}`)
      .join();
  }

  /** What a role does to join; nothing where it stands for its whole warp. */
  of(role: number, { at, lanes }: JoinStep): readonly Action[] {
    const { part } = this.#parts[role]!;
    if (part === undefined) return [];
    const { written, classes, family } = part;
    const sisters = this.#parts.slice(written, written + classes);
    const members = sisters.filter((sister) => {
      return lanes === undefined || sister.part!.members.some((lane) => (lanes >>> lane) & 1);
    });
    if (members.length < 2) return [];
    if (members.length === sisters.length) {
      const threads = sisters.reduce((sum, sister) => sum + sister.part!.members.length, 0);
      const id = NAMED_BARRIERS + written;
      const arriving = part.members.length;
      return [{ kind: 'named', at, id, threads, arriving, isPartOfWarp: false, isSync: true }];
    }
    const joined = spanOf(members.flatMap((sister) => sister.part!.members).toSorted(byNumber));
    const name = `${family}'s join of lanes ${joined}`;
    let barrier = this.#ofSome.get(name);
    if (barrier === undefined) {
      barrier = this.#barriers.push({ name, count: members.length }) - 1;
      this.#ofSome.set(name, barrier);
    }
    const key = `${role} ${barrier}`;
    const round = this.#rounds.get(key) ?? 0;
    this.#rounds.set(key, round + 1);
    return [
      {
        kind: 'arrive',
        at,
        barrier,
        rank: this.#parts[role]!.cta,
        arrivals: 1,
        bytes: 0,
        order: AUTO,
      },
      { kind: 'wait', at, barrier, parity: round & 1, order: AUTO },
    ];
  }
}

function byNumber(one: number, other: number): number {
  return one - other;
}
