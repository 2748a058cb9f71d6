// The words of an opcode as the effects read them: by what a word stands for.
import { scalarType, type ScalarType } from './scalar-type.ts';
import type { AtomicOperation, Multicast, Order, Scope, Space } from './effect.ts';

const SPACES: Readonly<Record<string, Space>> = {
  shared: 'shared',
  'shared::cta': 'shared',
  'shared::cluster': 'shared',
  global: 'global',
  local: 'local',
  param: 'param',
  'param::entry': 'param',
  'param::func': 'param',
  const: 'const',
};
const ORDERS: Readonly<Record<string, Order>> = {
  weak: 'weak',
  relaxed: 'relaxed',
  acquire: 'acquire',
  release: 'release',
  acq_rel: 'acq_rel',
  sc: 'sc',
};
const SCOPES: Readonly<Record<string, Scope>> = {
  cta: 'cta',
  cluster: 'cluster',
  gpu: 'gpu',
  gl: 'gpu',
  sys: 'sys',
};
const OPERATIONS: Readonly<Record<AtomicOperation, AtomicOperation>> = {
  add: 'add',
  and: 'and',
  or: 'or',
  xor: 'xor',
  min: 'min',
  max: 'max',
  inc: 'inc',
  dec: 'dec',
  exch: 'exch',
  cas: 'cas',
};
const MULTICASTS: Readonly<Record<string, Multicast>> = {
  'multicast::cluster': 16,
  'multicast::cluster::16b': 16,
  'multicast::cluster::32b': 32,
};
const GROUPS: Readonly<Record<string, 1 | 2>> = { 'cta_group::1': 1, 'cta_group::2': 2 };

/** Whether a word names a state space. */
export function isSpace(word: string): boolean {
  return Object.hasOwn(SPACES, word);
}

/** The words of an opcode: those of its name, and its modifiers in the order of its form. */
export class Words {
  readonly name: readonly string[];
  readonly modifiers: readonly string[];

  constructor(name: string, modifiers: readonly string[]) {
    this.name = name.split('.');
    this.modifiers = modifiers;
  }

  /** Whether a word is in its name or among its modifiers. */
  has(word: string): boolean {
    return this.name.includes(word) || this.modifiers.includes(word);
  }

  /** What the first modifier of a table stands for; `undefined`: none is there. */
  pick<Value>(table: Readonly<Record<string, Value>>): Value | undefined {
    const word = this.modifiers.find((each) => Object.hasOwn(table, each));
    return word === undefined ? undefined : table[word];
  }

  /** The one of some words that is in its name or among its modifiers. */
  one<Word extends string>(...words: readonly Word[]): Word | null {
    return words.find((word) => this.has(word)) ?? null;
  }

  /** The state spaces that it names, in its order. */
  get spaces(): readonly Space[] {
    return this.modifiers.flatMap((word) => SPACES[word] ?? []);
  }

  get space(): Space {
    return this.pick(SPACES) ?? 'generic';
  }

  get isOfCluster(): boolean {
    return this.has('shared::cluster');
  }

  get order(): Order | undefined {
    return this.pick(ORDERS);
  }

  get scope(): Scope | null {
    return this.pick(SCOPES) ?? null;
  }

  get operation(): AtomicOperation | null {
    return this.pick<AtomicOperation>(OPERATIONS) ?? null;
  }

  get multicast(): Multicast | null {
    return this.pick(MULTICASTS) ?? null;
  }

  get ctaGroup(): 1 | 2 | null {
    return this.pick(GROUPS) ?? null;
  }

  /** The types that it names, in its order. */
  get types(): readonly ScalarType[] {
    return this.modifiers.flatMap((word) => scalarType(word) ?? []);
  }

  /** The numbers of the first modifier that fits a pattern with groups; `null`: none does. */
  numbers(pattern: RegExp): readonly number[] | null {
    for (const word of this.modifiers) {
      const match = pattern.exec(word);
      if (match !== null) return match.slice(1).map(Number);
    }
    return null;
  }
}
