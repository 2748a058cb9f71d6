// Lowers the steps of one warp, each by the family it belongs to.
import type { Doubt } from './doubt.ts';
import type { WarpSteps } from '../steps/run.ts';
import type { Step, StepName } from '../steps/step.ts';
import { WarpAccesses } from './accesses.ts';
import { barrierLowerings } from './barriers.ts';
import { mapLowerings } from './maps.ts';
import { orderLowerings } from './orders.ts';
import type { Action } from './plan.ts';
import { registerLowering } from './registers.ts';
import { renewedInits } from './renewed-barriers.ts';
import { tensorLowerings } from './tensor-pool.ts';
import { WarpScope } from './warp-scope.ts';
import type { Lowerings, RunScope } from './warp-scope.ts';
import { wordLowerings } from './words.ts';
import { WarpWork } from './work.ts';

/** Steps that plain accesses are merged across: they order nothing. */
const THROUGH: ReadonlySet<StepName> = new Set(['join', 'allocate', 'free', 'relinquish']);

/** Lowers the steps of one warp. */
export class WarpLowering {
  readonly #scope: WarpScope;
  readonly #index: number;
  readonly #accesses: WarpAccesses;
  readonly #work: WarpWork;
  readonly #lowerings: Lowerings<StepName>;

  constructor(run: RunScope, warp: WarpSteps, name: string, index: number) {
    this.#scope = new WarpScope(run, warp, name, index);
    this.#index = index;
    this.#accesses = new WarpAccesses(this.#scope);
    this.#work = new WarpWork(this.#scope);
    this.#lowerings = {
      ...barrierLowerings(this.#scope),
      ...orderLowerings(this.#scope),
      ...mapLowerings(this.#scope),
      ...wordLowerings(this.#scope),
      ...registerLowering(this.#scope),
      ...tensorLowerings(this.#scope),
      ...this.#work.lowerings,
      access: (step) => this.#accesses.ordered(step),
      last: (step) => this.#last(step),
      join: (step) => this.#scope.actions.push(...run.joins.of(index, step)),
    };
  }

  /** Instructions whose accesses may happen. */
  get possible(): ReadonlyMap<number, Doubt> {
    return this.#scope.possible;
  }

  /** All that the lowering of later steps depends on, as a text. */
  get state(): string {
    const last = this.#scope.actions.at(-1);
    const open = last?.kind === 'use' ? `${last.at} ${last.unit}` : '';
    const joins = this.#scope.run.joins.stateOf(this.#index);
    return [this.#accesses.state, this.#work.state, joins, open].join('; ');
  }

  /** What the warp does. `watch` is called before each step, and at the end of the steps. */
  lower(watch?: (steps: number, actions: number) => void): readonly Action[] {
    const { warp, actions } = this.#scope;
    const renewed = renewedInits(warp.steps);
    for (const [index, step] of warp.steps.entries()) {
      watch?.(index, actions.length);
      if (!renewed.has(index)) this.#step(step);
    }
    watch?.(warp.steps.length, actions.length);
    if (warp.stuck !== null && warp.stuck.op !== 'named') this.#step(warp.stuck);
    this.#accesses.flush();
    return actions;
  }

  #step(step: Step): void {
    if (step.op === 'access' && step.kind === 'plain') return this.#accesses.plain(step);
    const isMeeting = step.op === 'join' && this.#scope.warp.strand !== undefined;
    if (isMeeting || !THROUGH.has(step.op)) this.#accesses.flush();
    (this.#lowerings[step.op] as (each: Step) => void)(step);
  }

  #last({ at, equals, steps }: Extract<Step, { op: 'last' }>): void {
    const { actions } = this.#scope;
    const first = actions.length;
    for (const step of steps) this.#step(step);
    this.#accesses.flush();
    const inner = actions.splice(first);
    actions.push({ kind: 'last', at, equals, actions: inner });
  }
}
