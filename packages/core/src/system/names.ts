// Names as the user wrote them, for physical ids, agents and instructions.
import { displayName } from '../base/index.ts';
import { letterAgents, type TokenAgent } from '../replay/index.ts';
import { NAMED_BARRIERS } from '../machine/index.ts';
import { UNITS } from '../op/index.ts';
import { READING_UNITS } from '../program/index.ts';
import type { System } from './system.ts';

/** Numbers with thousands separators: 32,768. */
export function formatNumber(value: number): string {
  return value.toString().replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 arrival`, `2 arrivals`. */
export function plural(count: number, what: string): string {
  return `${formatNumber(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** `a`, `a and b`, `a, b and c`; of `warp4`, `warp5` and `warp6` the first and the last one. */
export function list(names: readonly string[]): string {
  const shown = withSeries(names);
  if (shown.length < 2) return shown.join('');
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)!}`;
}

/** From this many on, names whose numbers follow one another are a series. */
const LEAST_SERIES = 3;
const NUMBERED = /^([a-z][\w.$]*?)(\d+)$/i;

function withSeries(names: readonly string[]): string[] {
  const shown: string[] = [];
  for (let at = 0; at < names.length;) {
    const end = endOfSeries(names, at);
    if (end - at < LEAST_SERIES) shown.push(names[at++]!);
    else {
      shown.push(`${names[at]!}–${names[end - 1]!}`);
      at = end;
    }
  }
  return shown;
}

/** The first name after those from `start` on whose numbers follow one another. */
function endOfSeries(names: readonly string[], start: number): number {
  const [, head, first] = NUMBERED.exec(names[start]!) ?? [];
  let at = start + 1;
  if (head === undefined) return at;
  while (names[at] === `${head}${Number(first) + at - start}`) at++;
  return at;
}

/** What one role brings: how many, and in which words. */
interface Shared {
  readonly count: number;
  /** The name of the role. */
  readonly name: string;
  /** What of the role brings them: `the threads of`. */
  readonly of?: string | undefined;
}

/** `1 from load and 2 from mma`; `32 from each of warp4–warp7`. */
export function listOfShares(shares: readonly Shared[]): string {
  const alike = Map.groupBy(shares, ({ count, of = '' }) => `${count} ${of}`);
  const parts = [...alike.values()].flatMap((group) => {
    const names = group.map(({ name }) => name);
    const [{ count, of }] = group as [Shared];
    const before = of === undefined ? '' : `${of} `;
    const isSeries = withSeries(names).length < names.length;
    const whom = isSeries ? [`each of ${list(names)}`] : names;
    return whom.map((who) => `${formatNumber(count)} from ${before}${who}`);
  });
  return list(parts);
}

/** What a declaration is called; what is in global memory is in no CTA (C02). */
interface Named {
  readonly name: string;
  readonly isGlobal?: boolean;
}

/** Names of what a program declared, as they can be shown. */
export class Names {
  readonly agents: readonly TokenAgent[];
  readonly #system: System;
  readonly #show: (name: string) => string;

  constructor(system: System, show = displayName) {
    this.#show = show;
    this.#system = system;
    const { roles } = system.program;
    this.agents = letterAgents(
      roles.map((role) => show(role.name)),
      [...Object.values(UNITS), ...READING_UNITS].map(({ name }) => name),
    );
  }

  /** The name of a role, or of a unit given as number of roles + unit. */
  agent(agent: number): string {
    return this.agents[agent]?.name ?? `unit ${agent - this.#system.roles}`;
  }

  /** The letter of an agent in a replay token. */
  letter(agent: number): string {
    return this.agents[agent]?.letter ?? `[u${agent - this.#system.roles}]`;
  }

  /** The agent with a letter, or −1. A unit that a program made itself has its number. */
  agentWith(letter: string): number {
    const unit = /^\[u(\d+)\]$/.exec(letter);
    if (unit !== null) return this.#system.roles + Number(unit[1]);
    return this.agents.findIndex((one) => one.letter === letter);
  }

  barrier(id: number): string {
    return this.#inCta(id, (declared) => this.#system.program.declarations.barriers[declared]!);
  }

  /** A piece by the buffers that cover it; global memory is that of all CTAs. */
  buffer(id: number): string {
    const { ctas, pieces } = this.#system.program;
    const piece = Math.floor(id / ctas);
    const name = this.#show(pieces.nameOf(piece));
    return pieces.isGlobal(piece) ? name : name + this.#ofCta(id % ctas);
  }

  cell(id: number): string {
    return this.#inCta(id, (declared) => this.#system.program.declarations.cells[declared]!);
  }

  pool(id: number): string {
    return this.#inCta(id, (declared) => this.#system.program.declarations.pools[declared]!);
  }

  ring(id: number): string {
    return this.#show(this.#system.program.declarations.rings[id]!.name);
  }

  /** A named barrier by its number in all CTAs; those beyond the hardware's join strands (W02). */
  namedBarrier(id: number): string {
    const { namedBarriers, written } = this.#system.program;
    const number = id % namedBarriers;
    const role = written[number - NAMED_BARRIERS];
    if (role === undefined) return `named barrier ${number}`;
    return `the join of ${this.#show(role.part?.family ?? role.name)}`;
  }

  #inCta(id: number, find: (declared: number) => Named): string {
    const { ctas } = this.#system.program;
    const { name, isGlobal = false } = find(Math.floor(id / ctas));
    return this.#show(name) + (isGlobal ? '' : this.#ofCta(id % ctas));
  }

  /** Which CTA something is in, if there are several; where there are grids, which one of those. */
  #ofCta(cta: number): string {
    const { ctas, gridCtas, declarations } = this.#system.program;
    if (ctas === 1) return '';
    const grid = gridCtas.findIndex(({ end }) => cta < end);
    const name = declarations.grids[grid];
    if (name === undefined) return ` of CTA ${cta}`;
    const { first, end } = gridCtas[grid]!;
    const which = end - first === 1 ? '' : `CTA ${cta - first} of `;
    return ` of ${which}grid ${this.#show(name)}`;
  }
}
