// What the launch leaves open, in words: what decides something, and what it does not say.
import type { Answerer } from '@poundlock/core/internal/program';
import { Cause } from '../../values/origin.ts';
import type { Source } from '../../values/origin.ts';
import type { Warp } from '../warp/warp.ts';
import { causesOf } from './causes.ts';
import type { Causes } from './causes.ts';
import { originOf } from './expressions.ts';

/** Who answers a question whose sources are of several kinds: the first one of these. */
const ANSWERERS = ['data', 'none', 'place', 'machine', 'time'] as const satisfies Answerer[];

export function answererOf({ bits }: Causes): Answerer {
  return ANSWERERS.find((by) => (bits & Cause[by]) !== 0) ?? 'data';
}

/** The sources of one kind, by their names. */
function named({ sources }: Causes, by: Answerer): string[] {
  const own = sources.filter(({ cause }) => cause === Cause[by]);
  return [...new Set(own.map(({ text }: Source) => text))].toSorted();
}

/** What is open of where buffers lie. */
function placesOf(buffers: readonly string[]): string {
  const [one, other, ...more] = buffers;
  if (other === undefined) return `where ${one ?? 'a buffer'} lies`;
  if (more.length > 0) return `where ${buffers.join(', ')} lie`;
  return `whether ${one} and ${other} are one buffer`;
}

const OPEN: Readonly<Record<Answerer, (causes: Causes, what: string) => string>> = {
  data: (_causes, what) => `unknown data decides ${what}`,
  none: (causes, what) => {
    return `nothing has written ${named(causes, 'none').join(', ')} before it decides ${what}`;
  },
  place: (causes) => `the launch does not say ${placesOf(named(causes, 'place'))}`,
  machine: (causes) => `the launch does not say what ${named(causes, 'machine').join(' and ')} is`,
  time: (_causes, what) => `a clock decides ${what}`,
};

/** That the launch leaves open what decides something. */
export function openText(causes: Causes, what: string): string {
  return OPEN[answererOf(causes)](causes, what);
}

const DECIDERS: Readonly<Record<Answerer, string>> = {
  data: 'data',
  none: 'what nothing has written',
  place: 'the place of memory',
  machine: 'the machine',
  time: 'a clock',
};

/** What decides something that the launch leaves open. */
export function deciderOf(causes: Causes): string {
  return DECIDERS[answererOf(causes)];
}

const NOUNS: Readonly<Record<Answerer, (causes: Causes) => string>> = {
  data: () => 'unknown data',
  none: (causes) => `unwritten ${named(causes, 'none').join(', ')}`,
  place: (causes) => `up to ${placesOf(named(causes, 'place'))}`,
  machine: (causes) => `up to ${named(causes, 'machine').join(' and ')}`,
  time: () => 'up to a clock',
};

/** What some lanes of a register hold that is not known. */
export function unknownIn({ registers }: Warp, register: number, lanes: number): string {
  const origin = registers.depends[register] === 0 ? null : originOf(registers, register);
  const causes = causesOf(origin, lanes);
  return NOUNS[answererOf(causes)](causes);
}
