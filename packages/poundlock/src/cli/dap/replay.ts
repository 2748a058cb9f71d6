// A schedule with a position in it: steps forward and back, each state explored anew.
import type { TraceStep } from '@poundlock/core/internal/finding';
import { writeToken } from '@poundlock/core/internal/replay';
import type { ExploredState, ExploreSession, Values } from '../../explore/index.ts';

/** The most states that are remembered. */
const MAX_STATES = 64;

/** A line of a file, as the steps name it. */
export interface Line {
  readonly file: string;
  readonly line: number;
}

/** Whether a step is at a line of its source, or of the PTX that was built from it. */
export function isAt({ file, line, ptx }: TraceStep, at: Line): boolean {
  if (file === at.file && line === at.line) return true;
  return ptx?.file === at.file && ptx.line === at.line;
}

/** Steps through one schedule of a kernel. */
export class Replay {
  readonly #session: ExploreSession;
  readonly #params: Values;
  readonly #states = new Map<string, ExploredState>();
  #isOwn = true;
  #whole: ExploredState;
  #now: ExploredState;

  private constructor(
    session: ExploreSession,
    params: Values,
    both: [ExploredState, ExploredState],
  ) {
    this.#session = session;
    this.#params = params;
    [this.#whole, this.#now] = both;
  }

  /** Starts before the first step of the schedule of a token. */
  static async of(session: ExploreSession, params: Values, token: string): Promise<Replay> {
    const whole = await session.state(params, token);
    return new Replay(session, params, [whole, await session.state(params, '')]);
  }

  /** The state after the steps that are made. */
  get now(): ExploredState {
    return this.#now;
  }

  /** How many steps are made. */
  get position(): number {
    return this.#now.path.length;
  }

  /** Every step of the schedule, as far as it is known. */
  get steps(): readonly TraceStep[] {
    return this.#whole.trace;
  }

  /** Whether it is still the schedule of its token: no other move was chosen. */
  get isOwn(): boolean {
    return this.#isOwn;
  }

  get isAtEnd(): boolean {
    return this.position >= this.#whole.path.length;
  }

  /** The role or unit that moves next: that of the schedule, or the first that can. */
  get nextAgent(): string | undefined {
    return this.steps[this.position]?.agent ?? this.#now.moves[0]?.agent;
  }

  /** Makes one step; after the end of the schedule, the first move that is possible. */
  async forward(): Promise<boolean> {
    return this.isAtEnd ? await this.choose(0) : await this.goTo(this.position + 1);
  }

  /** Makes one of the possible moves: the schedule goes on from there, and its rest is gone. */
  async choose(index: number): Promise<boolean> {
    const move = this.#now.moves[index];
    if (move === undefined) return false;
    const next = this.#whole.path[this.position];
    if (next !== undefined && next[0] === move.letter && next[1] === move.option)
      return await this.goTo(this.position + 1);
    const steps = this.#now.path.map(([letter, option]) => ({ letter, option }));
    this.#whole = await this.#state(writeToken([...steps, move]));
    this.#now = this.#whole;
    this.#isOwn = false;
    return true;
  }

  /** Goes to a position; `false` where that is before the start or where it is already. */
  async goTo(position: number): Promise<boolean> {
    const to = Math.max(0, Math.min(position, this.#whole.path.length));
    if (to === this.position) return false;
    const steps = this.#whole.path.slice(0, to).map(([letter, option]) => ({ letter, option }));
    this.#now = await this.#state(writeToken(steps));
    return true;
  }

  /** Makes steps until an agent has made one, or the schedule ends. */
  async untilMovedBy(agent: string): Promise<boolean> {
    const at = this.steps.findIndex((step, index) => {
      return index >= this.position && step.agent === agent;
    });
    return at < 0 ? await this.forward() : await this.goTo(at + 1);
  }

  /** The position before the next step at one of some lines, else the end or the start. */
  nextAt(lines: readonly Line[], direction: 1 | -1): number {
    const last = this.#whole.path.length;
    for (let at = this.position + direction; at > 0 && at < last; at += direction) {
      const step = this.steps[at]!;
      if (lines.some((one) => isAt(step, one))) return at;
    }
    return direction === 1 ? last : 0;
  }

  async #state(token: string): Promise<ExploredState> {
    const known = this.#states.get(token);
    if (known !== undefined) return known;
    const state = await this.#session.state(this.#params, token);
    this.#states.set(token, state);
    const [oldest] = this.#states.keys();
    if (this.#states.size > MAX_STATES) this.#states.delete(oldest!);
    return state;
  }
}
