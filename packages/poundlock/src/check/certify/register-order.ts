// Registers in a certificate: no order in which roles give and take them may get stuck (Q04).
import type { Instruction } from '@poundlock/core/internal/machine';
import type { Program } from '@poundlock/core/internal/program';
import { formatNumber, list, plural } from '@poundlock/core/internal/system';
import type { MemoryProfile } from '../options.ts';
import { MAX_REGISTER_CUTS, registerOrders, type RegisterUse } from '../register-cuts.ts';
import { CertificateFailure } from './certificate-failure.ts';
import type { Knowledge, SetId } from './knowledge.ts';
import type { Practice } from './memory/fault.ts';
import { Warpgroups } from './warpgroups.ts';

/** What a proof asks of changes of registers. */
export interface RegisterChecks {
  /** A role is about to change what each of its threads has, which is `held`. */
  change(instruction: Instruction, held: number): void;
  /** All roles have ended. */
  requireEnd(): void;
  /** By practice: the changes that rely on it. */
  readonly practices: ReadonlyMap<Practice, ReadonlySet<string>>;
}

/** A change of a role: which changes of the others come before it. */
interface Change {
  readonly freed: number;
  /** Its event, which {@link Changes.events} keeps. */
  readonly event: number;
  /** By role: how many of its changes are known; roles that have made none yet are missing. */
  readonly known: ReadonlyMap<number, number>;
}

interface Changes {
  readonly cta: number;
  readonly events: SetId;
  readonly list: Change[];
}

/** The changes of registers of one run, in the order that holds without the pool (T11). */
export class RegisterOrder implements RegisterChecks {
  readonly #know: Knowledge;
  readonly #program: Program;
  readonly #changes = new Map<number, Changes>();
  readonly #warpgroups: Warpgroups;

  constructor(know: Knowledge, program: Program, profile: MemoryProfile) {
    this.#know = know;
    this.#program = program;
    this.#warpgroups = new Warpgroups(program, profile);
  }

  get practices(): ReadonlyMap<Practice, ReadonlySet<string>> {
    return this.#warpgroups.practices;
  }

  change({ role, cta, units, threads }: Instruction, held: number): void {
    const know = this.#know;
    const own = this.#changes.get(role) ?? { cta, events: know.addList(true), list: [] };
    const known = new Map<number, number>();
    for (const [other, { list: changes }] of this.#changes)
      if (other !== role) known.set(other, this.#countKnown(role, changes));
    this.#changes.set(role, own);
    know.event(role);
    know.add(own.events);
    own.list.push({ freed: (held - units) * threads, event: know.last, known });
  }

  /** A role that knows a change of another one knows all before it. */
  #countKnown(role: number, changes: readonly Change[]): number {
    let [known, end] = [0, changes.length];
    while (known < end) {
      const middle = (known + end) >>> 1;
      if (this.#know.knowsEvent(role, changes[middle]!.event)) known = middle + 1;
      else end = middle;
    }
    return known;
  }

  requireEnd(): void {
    this.#requireJoins();
    const byCta = Map.groupBy(this.#changes.keys(), (role) => this.#changes.get(role)!.cta);
    for (const [cta, roles] of byCta) this.#requireNoneStuck(cta, roles);
  }

  /** Q06: a change of a warp comes after the ones before of all warps of its warpgroup. */
  #requireJoins(): void {
    for (const [role, { list: changes }] of this.#changes) {
      for (const other of this.#changes.keys()) {
        if (other === role || !this.#warpgroups.areTogether(role, other)) continue;
        for (const [turn, { known }] of changes.entries())
          if ((known.get(other) ?? 0) < turn) this.#warpgroups.rely(role, turn);
      }
    }
  }

  #requireNoneStuck(cta: number, roles: readonly number[]): void {
    const use = this.#useOf(cta, roles);
    const orders = registerOrders(use);
    switch (orders.kind) {
      case 'fit':
        return;
      case 'bound':
        throw new CertificateFailure(
          'bound',
          `the bound register-cuts of ${formatNumber(MAX_REGISTER_CUTS)} was reached: ` +
            'roles can take registers in too many orders',
        );
      case 'stuck':
        throw new CertificateFailure('Q', this.#whyStuck(use, roles, orders), {
          place: `CTA ${cta}`,
          changes: orders.order.map((role) => roles[role]!),
        });
    }
  }

  #useOf(cta: number, roles: readonly number[]): RegisterUse {
    const { declarations, roles: all } = this.#program;
    const { perThread, threads } = declarations.registers!;
    let free = perThread * threads;
    for (const role of all) if (role.cta === cta) free -= perThread * role.lanes;
    const changesOf = (role: number) =>
      this.#changes.get(role)!.list.map(({ freed, known }, at) => {
        const before = roles.map((other) => (other === role ? at : (known.get(other) ?? 0)));
        return { freed, before };
      });
    return { free, roles: roles.map(changesOf) };
  }

  #whyStuck(
    use: RegisterUse,
    roles: readonly number[],
    { order, free }: { readonly order: readonly number[]; readonly free: number },
  ): string {
    const done = use.roles.map((_, role) => order.filter((one) => one === role).length);
    const nameOf = (role: number): string => this.#program.roles[roles[role]!]!.name;
    const takes = (role: number, at: number): boolean => (use.roles[role]![at]?.freed ?? 0) < 0;
    const all = [...use.roles.keys()];
    const waiting = all.find((role) => takes(role, done[role]!))!;
    const wanted = plural(-use.roles[waiting]![done[waiting]!]!.freed, 'register');
    const holders = all.filter((role) => takes(role, done[role]! - 1)).map(nameOf);
    const after = holders.length === 0 ? '' : `, after ${list(holders)} took theirs`;
    return (
      `${nameOf(waiting)} can wait forever for ${wanted}, of which ${formatNumber(free)} are ` +
      `free${after}`
    );
  }
}
