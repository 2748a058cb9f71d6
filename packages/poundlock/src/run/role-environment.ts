// The environment of one role's operations: its state and its tools, created before it starts.
import type { Program, View } from '@poundlock/core/internal/program';
import type { WasmAtomics } from '@poundlock/ring/internal';
import type { Plan } from './plan.ts';
import { RoleProgress, Register } from './progress.ts';
import { LockedOps } from './locked-ops.ts';
import type { TraceRecorder } from './recorder.ts';
import type { FutexWaiter } from './futex-wait.ts';

export interface RoleEnvironment {
  readonly program: Program;
  readonly plan: Plan;
  readonly words: Int32Array;
  readonly progress: RoleProgress;
  readonly role: number;
  readonly waiter: FutexWaiter;
  readonly recorder: TraceRecorder;
  readonly locked: LockedOps;
  readonly view: View;
  /** Identifies the current round of a loop. */
  readonly stretch: () => number;
  readonly atomics: WasmAtomics;
  /** By ring and side: the declared barriers that a wait of a stage tests, by stage. */
  readonly ringBarriers: readonly Int32Array[];
  readonly ctas: number;
  /** By declared barrier: 1 where waits count phases instead of parities (M09). */
  readonly isCounter: Uint8Array;
  /** Buffers that exist only between an allocation and its release (A02). */
  readonly pooled: ReadonlySet<number>;
  /** Whether lifetimes of barriers and CTAs are checked from the start, or once one has ended. */
  readonly mayEnd: boolean;
  /** By count. */
  readonly totals: readonly number[];
}

type Derived = 'progress' | 'locked' | 'ringBarriers' | 'ctas' | 'isCounter' | 'pooled' | 'mayEnd';

/** Completes an environment from the declarations of the program. */
export function roleEnvironmentOf(
  inputs: Omit<RoleEnvironment, Derived | 'totals'>,
): RoleEnvironment {
  const { program, plan, words, role, waiter, recorder } = inputs;
  const { rings, counts, barriers, pools } = program.declarations;
  const registers = rings.flatMap(({ stages }) => [new Register(stages), new Register(stages)]);
  const progress = new RoleProgress(registers, counts.length, plan.taken(words, role));
  progress.settle(recorder.isOn);
  return {
    ...inputs,
    progress,
    locked: new LockedOps(plan, words, waiter),
    ringBarriers: rings.flatMap(({ full, empty }) => [
      Int32Array.from(empty),
      Int32Array.from(full),
    ]),
    ctas: program.ctas,
    isCounter: Uint8Array.from(barriers, ({ mode }) => Number(mode === 'counter')),
    pooled: new Set(pools.flatMap(({ buffers }) => buffers)),
    mayEnd: program.ctas > 1 || barriers.some(({ count }) => count === 0),
    totals: counts.map(({ total }) => total),
  };
}
