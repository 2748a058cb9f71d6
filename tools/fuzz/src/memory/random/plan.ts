// A program that is drawn: what it has so far, and who performs its next operation.
import type { LitmusOp, LitmusProgram } from '../litmus-program.ts';
import type { Draw } from './draw.ts';

/** What a program is about; the operations of a theme are drawn more often in it. */
export interface Theme {
  readonly agents: number;
  readonly ctas: number;
  /** Agents of two strands. */
  readonly strands: number;
  readonly hasInits: boolean;
  readonly hasMaps: boolean;
  readonly hasRanges: boolean;
  readonly hasTeam: boolean;
  readonly hasEnds: boolean;
  readonly hasBegins: boolean;
  readonly hasGrids: boolean;
  readonly hasRegisters: boolean;
}

interface PlannedAgent {
  readonly n: string;
  readonly cta: number;
  readonly strands: number;
  readonly grid: number;
  readonly threads?: number;
  readonly regs?: number;
  readonly ops: LitmusOp[];
}

type Memory = NonNullable<LitmusProgram['mem']>;

export class Plan {
  readonly draw: Draw;
  readonly theme: Theme;
  readonly agents: PlannedAgent[];
  readonly memory: Record<string, Memory[string]>;
  readonly barriers: Record<string, { n: number; cta: number }> = {};
  #agent: number;
  /** The strand that acts, or `null` for all of them. */
  #strand: number | null = null;
  #names = 0;

  constructor(draw: Draw, theme: Theme, memory: Record<string, Memory[string]>) {
    this.draw = draw;
    this.theme = theme;
    this.memory = memory;
    const { agents, ctas, strands, hasGrids, hasRegisters } = theme;
    const first = draw.below(agents);
    this.agents = Array.from({ length: agents }, (_, i) => ({
      n: 'abcd'[i]!,
      // Every CTA has an agent.
      cta: ctas > 1 && i < ctas ? i : draw.below(ctas),
      strands: (i + first) % agents < strands ? 2 : 1,
      grid: hasGrids && i * 2 >= agents ? 1 : 0,
      ...(hasRegisters ? { threads: 128, regs: 128 } : {}),
      ops: [],
    }));
    this.#agent = draw.below(agents);
    this.moveTo(this.#agent);
  }

  get agent(): number {
    return this.#agent;
  }

  get here(): PlannedAgent {
    return this.agents[this.#agent]!;
  }

  get strand(): number | null {
    return this.#strand;
  }

  /** Another agent acts from now on, or one of its strands. */
  moveTo(agent: number, strand?: number | null): void {
    this.#agent = agent;
    const isOne = this.here.strands === 1;
    this.#strand = isOne ? null : strand === undefined ? this.draw.pick([0, 1, null]) : strand;
  }

  /** Operations of the strands that act. */
  add(...ops: readonly LitmusOp[]): void {
    const { strands } = this.here;
    const strand = this.#strand;
    for (const op of ops) {
      this.here.ops.push(strands === 1 || strand === null ? op : { ...op, by: [strand] });
    }
  }

  /** Operations that one thread makes: if all strands act, the first of them. */
  addOfOne(...ops: readonly LitmusOp[]): void {
    const { strands } = this.here;
    for (const op of ops) {
      this.here.ops.push(strands === 1 ? op : { ...op, by: [this.#strand ?? 0] });
    }
  }

  /** A new barrier, in the CTA of those that wait for it. */
  barrier(cta: number, n = 1): string {
    const name = `b${this.#names++}`;
    this.barriers[name] = { n, cta };
    return name;
  }

  /** A number that no other named barrier has. */
  get newId(): number {
    return this.#names++ % 16;
  }

  /** Locations of one kind that the agent may use: of its CTA, and of others within reach. */
  locations(space: Memory[string]['space'], cta?: number): string[] {
    const all = Object.entries(this.memory).filter(([, one]) => one.space === space);
    const near = all.filter(([, one]) => cta === undefined || (one.cta ?? 0) === cta);
    return near.map(([name]) => name).filter((name) => this.isOfGrid(name, this.here.grid));
  }

  /** Grids have no shared memory in common. */
  isOfGrid(name: string, grid: number): boolean {
    if (!this.theme.hasGrids || this.memory[name]!.space === 'gl') return true;
    return (name === 's') === (grid === 0);
  }

  program(id: string): LitmusProgram {
    const agents = this.agents.map(({ n, cta, strands, grid, threads, regs, ops }) => ({
      n,
      ops,
      ...(cta > 0 ? { cta } : {}),
      ...(strands > 1 ? { strands } : {}),
      ...(grid > 0 ? { grid, cta: 5 } : {}),
      ...(threads === undefined ? {} : { threads }),
      ...(regs === undefined ? {} : { regs }),
    }));
    const { hasEnds, hasBegins } = this.theme;
    const ends = { ...(hasEnds ? { multi: true } : {}), ...(hasBegins ? { begin: true } : {}) };
    return { id, mem: this.memory, bars: this.barriers, agents, ...ends };
  }
}
