// A state as the variables of a debugger: barriers, stages, who owes whom, and the possible moves.
import type { BarrierState } from '@poundlock/core/internal/finding';
import type { ExploredState } from '../../explore/index.ts';
import { grouped } from '../../report/index.ts';

/** A name with a value, and what is inside. */
export interface Shown {
  readonly name: string;
  readonly value: string;
  readonly inside: readonly Shown[];
}

const leaf = (name: string, value: string): Shown => ({ name, value, inside: [] });

function barrierOf({ name, phase, parity, pending, expected, txBytes }: BarrierState): Shown {
  const bytes = txBytes === 0 ? '' : `, ${grouped(txBytes)} B missing`;
  return {
    name,
    value: `phase ${phase}, ${pending} of ${expected} arrivals missing${bytes}`,
    inside: [
      leaf('phase', String(phase)),
      leaf('parity', String(parity)),
      leaf('pending arrivals', String(pending)),
      leaf('expected arrivals', String(expected)),
      leaf('missing bytes', String(txBytes)),
    ],
  };
}

/** The groups of a state, in the order in which they are shown. */
export function groupsOf(state: ExploredState): readonly Shown[] {
  const { barriers, slots, standing, moves } = state;
  const groups = [
    { name: 'Barriers', inside: barriers.map(barrierOf) },
    {
      name: 'Stages and buffers',
      inside: slots.map(({ name, owners, data, flights }) => {
        const held = owners.length === 0 ? [] : [`held by ${owners.join(', ')}`];
        const facts = [...(data === undefined ? [] : [data]), ...held, ...flights];
        return leaf(name, facts.length === 0 ? 'free' : facts.join('; '));
      }),
    },
    { name: 'Roles and units', inside: standing.map(({ agent, text }) => leaf(agent, text)) },
    {
      name: 'Possible moves',
      inside: moves.map(({ agent, text }, index) => leaf(`${index + 1} ${agent}`, text)),
    },
  ];
  return groups.filter(({ inside }) => inside.length > 0).map((group) => ({ ...group, value: '' }));
}

/** Numbers for values that have others inside, as the protocol refers to them. */
export class References {
  readonly #all: (readonly Shown[])[] = [];

  /** The reference of what is inside a value; 0 where nothing is. */
  to(inside: readonly Shown[]): number {
    return inside.length === 0 ? 0 : this.#all.push(inside);
  }

  /** What a reference stands for. */
  of(reference: number): readonly Shown[] {
    return this.#all[reference - 1] ?? [];
  }

  /** Every state has references of its own. */
  clear(): void {
    this.#all.length = 0;
  }
}
