// Whether some order in which roles take registers gets stuck: cuts of an order of changes (Q04).

/** A change of the registers of a role. */
export interface RegisterChange {
  /** How many registers it gives back; below 0 it takes some. */
  readonly freed: number;
  /** By role: how many of its changes come before this one. */
  readonly before: readonly number[];
}

/** What roles of one CTA do to its registers, each its changes in their order. */
export interface RegisterUse {
  /** What no role has at first. */
  readonly free: number;
  readonly roles: readonly (readonly RegisterChange[])[];
}

/** The most cuts of one CTA (bound `register-cuts`). */
export const MAX_REGISTER_CUTS = 200_000;

/** What the orders of changes come to. */
export type RegisterOrders =
  | { readonly kind: 'fit' }
  /** After these changes, as roles in their order, every next taking is too large. */
  | { readonly kind: 'stuck'; readonly order: readonly number[]; readonly free: number }
  | { readonly kind: 'bound' };

/**
 * Looks for a cut that is closed under the order of changes, that takings which fit lead to, and
 * whose every next taking is too large. What gives registers back is done as soon as it can be:
 * that only helps the others.
 */
export function registerOrders(use: RegisterUse, maxCuts = MAX_REGISTER_CUTS): RegisterOrders {
  return new Cuts(use, maxCuts).find();
}

/** A cut: by role, how many of its changes are made; what is free; and how it is reached. */
interface Cut {
  readonly at: number[];
  free: number;
  readonly from: Cut | null;
  /** The changes since the cut before, as roles. */
  readonly changes: number[];
}

class Cuts {
  readonly #use: RegisterUse;
  readonly #maxCuts: number;
  /** By role and position: the most that the role will have beyond what it has there. */
  readonly #needs: readonly (readonly number[])[];
  readonly #classes: readonly (readonly number[])[];

  constructor(use: RegisterUse, maxCuts: number) {
    this.#use = use;
    this.#maxCuts = maxCuts;
    this.#needs = use.roles.map(needsOf);
    this.#classes = classesOf(use.roles);
  }

  find(): RegisterOrders {
    const { free, roles } = this.#use;
    const seen = new Set<string>();
    const open: Cut[] = [{ at: roles.map(() => 0), free, from: null, changes: [] }];
    for (let cut = open.pop(); cut !== undefined; cut = open.pop()) {
      this.#give(cut);
      if (this.#isEnough(cut)) continue;
      const key = this.#keyOf(cut);
      if (seen.has(key)) continue;
      if (seen.size >= this.#maxCuts) return { kind: 'bound' };
      seen.add(key);
      const takers = [...roles.keys()].filter((role) => this.#isNext(cut.at, role));
      const next = takers.filter((role) => -this.#changeAt(cut, role).freed <= cut.free);
      if (next.length === 0 && takers.length > 0)
        return { kind: 'stuck', order: orderTo(cut), free: cut.free };
      for (const role of next) open.push(this.#after(cut, role));
    }
    return { kind: 'fit' };
  }

  #changeAt({ at }: Cut, role: number): RegisterChange {
    return this.#use.roles[role]![at[role]!]!;
  }

  /** Whether all that comes before the next change of a role is done. */
  #isNext(at: readonly number[], role: number): boolean {
    const change = this.#use.roles[role]![at[role]!];
    return change !== undefined && change.before.every((count, other) => at[other]! >= count);
  }

  #after(cut: Cut, role: number): Cut {
    const at = [...cut.at];
    at[role]!++;
    const free = cut.free + this.#changeAt(cut, role).freed;
    return { at, free, from: cut, changes: [role] };
  }

  /** Makes all changes that give and can be made. */
  #give(cut: Cut): void {
    const { roles } = this.#use;
    for (let hasMoved = true; hasMoved;) {
      hasMoved = false;
      for (const role of roles.keys()) {
        while (this.#isNext(cut.at, role) && this.#changeAt(cut, role).freed >= 0) {
          cut.free += this.#changeAt(cut, role).freed;
          cut.at[role]!++;
          cut.changes.push(role);
          hasMoved = true;
        }
      }
    }
  }

  /** Whether there is enough for the most that all roles will have at one time. */
  #isEnough({ at, free }: Cut): boolean {
    let most = 0;
    for (const [role, needs] of this.#needs.entries()) most += needs[at[role]!]!;
    return most <= free;
  }

  /** Roles that are alike are exchanged freely: only how many of them are where counts. */
  #keyOf({ at }: Cut): string {
    const positions = (roles: readonly number[]): string =>
      roles
        .map((role) => at[role]!)
        .toSorted((one, other) => one - other)
        .join(',');
    return this.#classes.map(positions).join('|');
  }
}

/** By position: the most that a role takes from there on, less what it gives back before. */
function needsOf(changes: readonly RegisterChange[]): number[] {
  const needs = [0];
  for (const { freed } of changes.toReversed()) needs.unshift(Math.max(0, needs[0]! - freed));
  return needs;
}

function orderTo(last: Cut): number[] {
  const parts: number[][] = [];
  for (let cut: Cut | null = last; cut !== null; cut = cut.from) parts.unshift(cut.changes);
  return parts.flat();
}

type Roles = RegisterUse['roles'];

/**
 * Classes of roles of which any two can be exchanged: if that is so of two and the first of their
 * class, the exchange of the two is one after the other of these.
 */
function classesOf(roles: Roles): number[][] {
  const classes: number[][] = [];
  for (const role of roles.keys()) {
    const own = classes.find(([first]) => areAlike(roles, first!, role));
    if (own === undefined) classes.push([role]);
    else own.push(role);
  }
  return classes;
}

/** Whether the order of changes is the same after the exchange of two roles. */
function areAlike(roles: Roles, one: number, other: number): boolean {
  const exchanged = (role: number): number => {
    if (role === one) return other;
    return role === other ? one : role;
  };
  return roles.every((changes, role) => {
    const images = roles[exchanged(role)]!;
    if (images.length !== changes.length) return false;
    return changes.every(({ freed, before }, at) => {
      const image = images[at]!;
      return (
        image.freed === freed &&
        before.every((count, earlier) => image.before[exchanged(earlier)] === count)
      );
    });
  });
}
