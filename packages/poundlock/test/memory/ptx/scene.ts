// Where the warps, locations and barriers of a litmus program are in the PTX of a kernel.
import type { LitmusProgram } from '@poundlock/fuzz/internal/memory';

/** Bytes from one location to the next. */
export const SLOT = 1024;
/** Where locations with offsets of their own are. */
const PLACED = 32 * SLOT;

/** The places of a program. */
export class Scene {
  readonly program: LitmusProgram;
  readonly ctas: number;
  /** Warps of each CTA. */
  readonly warps: number;
  readonly #names: readonly string[];

  constructor(program: LitmusProgram) {
    const { agents, mem = {}, bars = {} } = program;
    this.program = program;
    this.#names = Object.keys(mem);
    const all = [...agents, ...Object.values(mem), ...Object.values(bars)];
    this.ctas = 1 + Math.max(...all.map(({ cta = 0 }) => cta));
    this.warps = Math.max(...[0, 1].map((cta) => this.agentsOf(cta).length));
  }

  /** Bytes of shared memory that hold all locations. */
  get bytes(): number {
    return PLACED + 4 * SLOT;
  }

  agentsOf(rank: number) {
    return this.program.agents.filter(({ cta = 0 }) => cta === rank);
  }

  /** The CTA of a location. */
  homeOf(name: string): number {
    return this.program.mem![name]!.cta ?? 0;
  }

  /** The number of a location. */
  numberOf(name: string): number {
    return this.#names.indexOf(name);
  }

  isTensor(name: string): boolean {
    return this.program.mem![name]!.space === 'tm';
  }

  /** Whether some location is in tensor memory. */
  get hasTensors(): boolean {
    return this.#names.some((name) => this.isTensor(name));
  }

  /** Offsets in the memory of a CTA of what asynchronous work reads and nothing writes. */
  unwrittenIn(rank: number): number[] {
    const ops = this.program.agents.flatMap((agent) => agent.ops);
    const isWritten = (name: string): boolean =>
      ops.some(({ k, l, w = [] }) => (k === 'W' && l === name) || w.includes(name));
    const read = new Set(ops.flatMap(({ r = [] }) => r));
    const names = this.#names.filter((name) => this.isShared(name) && this.homeOf(name) === rank);
    return names
      .filter((name) => read.has(name) && !isWritten(name))
      .map((name) => this.#offsetOf(name));
  }

  isMap(name: string): boolean {
    return this.program.mem![name]!.space === 'map';
  }

  isShared(name: string): boolean {
    return this.program.mem![name]!.space === undefined;
  }

  /** A barrier is in the CTA of those that wait for it: no other can. */
  ctaOf(barrier: string): number {
    const { agents, bars } = this.program;
    const waits = agents.find(({ ops }) => ops.some(({ k, b }) => k === 'wait' && b === barrier));
    return waits?.cta ?? bars![barrier]!.cta ?? 0;
  }

  /** Puts the address of a location into a register of a thread of a CTA. */
  location(register: string, name: string, own: number): string {
    return `mov.u32 ${register}, mem; ${mapped(register, this.#offsetOf(name), this.homeOf(name), own)}`;
  }

  #offsetOf(name: string): number {
    const { at } = this.program.mem![name]!;
    return at === undefined ? SLOT * this.#names.indexOf(name) : PLACED + at;
  }

  /** The same for a barrier. */
  barrier(register: string, name: string, own: number): string {
    return `mov.u32 ${register}, bar_${name}; ${mapped(register, 0, this.ctaOf(name), own)}`;
  }
}

function mapped(register: string, offset: number, to: number, own: number): string {
  const sum = `add.u32 ${register}, ${register}, ${offset};`;
  return to === own ? sum : `${sum} mapa.shared::cluster.u32 ${register}, ${register}, ${to};`;
}
