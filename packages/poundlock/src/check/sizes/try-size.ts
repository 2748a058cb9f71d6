// One value of a parameter beside the one that is to be checked: what it comes to, within bounds.
import { BoundError, InputError } from '@poundlock/core/internal/base';
import type { CheckResult, TriedSizes } from '@poundlock/core/internal/finding';
import { Program } from '@poundlock/core/internal/program';
import type { Kernel, ResolvedParameters } from '@poundlock/core/internal/program';
import type { Budget } from '../budget.ts';
import type { Limits, MemoryProfile, Question } from '../options.ts';
import type { Coverage } from './coverage.ts';

/** Bounds of one size, and whether more than its verdict is asked for. */
export type BoundsOfSize = Limits & Pick<Question, 'isVerdictAlone'>;

/** Checks a kernel with other parameters, within bounds of its own. */
export type CheckSize = (params: ResolvedParameters, bounds: BoundsOfSize) => Promise<CheckResult>;

/** A check that tries several sizes: what it started with, and what it may do. */
export interface SizeChecker {
  readonly kernel: Kernel;
  readonly params: ResolvedParameters;
  readonly budget: Budget;
  readonly check: CheckSize;
  /** The memory profile that is asked for. */
  readonly memory: MemoryProfile | undefined;
  /** What of a kernel as built was executed. */
  readonly covered: Coverage;
}

/** Bounds of the check of one size; milliseconds count where there is a clock. */
export type SizeBounds = Required<Pick<Limits, 'maxEvents' | 'maxStates' | 'timeoutMs'>>;

/** What a size came to; an error of a size that is declared ends the list. */
type Outcome = 'certified' | 'refused' | 'open' | 'undeclared';

/** The sizes of one parameter, by what they came to. */
export class SizeList {
  readonly parameter: string;
  readonly #sizes: Readonly<Record<Outcome, Set<number>>> = {
    certified: new Set(),
    refused: new Set(),
    open: new Set(),
    undeclared: new Set(),
  };

  constructor(parameter: string) {
    this.parameter = parameter;
  }

  add(what: Outcome, size: number): void {
    this.#sizes[what].add(size);
  }

  get scope(): TriedSizes {
    const sorted = (sizes: Set<number>): number[] => [...sizes].toSorted((a, b) => a - b);
    const { certified, refused, open, undeclared } = this.#sizes;
    return {
      parameter: this.parameter,
      certified: sorted(certified),
      refused: sorted(refused),
      open: sorted(open),
      ...(undeclared.size === 0 ? {} : { undeclared: sorted(undeclared) }),
    };
  }
}

/** The program with another size; `null` where the kernel refuses it. */
export function programOf(
  { kernel, params, budget }: Pick<SizeChecker, 'kernel' | 'params' | 'budget'>,
  changes: Readonly<Record<string, number>>,
): Program | null {
  return orRefused(
    () => new Program(kernel, params.change(changes), null, undefined, budget.alarm),
  );
}

/** What `call` returns; `null` where the kernel refuses its parameters, or they are too much. */
export function orRefused<T>(call: () => T): T | null {
  try {
    return call();
  } catch (error) {
    if (error instanceof InputError || error instanceof BoundError) return null;
    throw error;
  }
}

/** The result of one size; `null` where the kernel refuses it. */
export async function resultOf(
  { params, budget, check }: SizeChecker,
  changes: Readonly<Record<string, number>>,
  most: SizeBounds,
  isVerdictAlone = false,
): Promise<CheckResult | null> {
  try {
    const bounds = {
      maxEvents: Math.min(most.maxEvents, budget.maxEvents),
      maxStates: Math.min(most.maxStates, budget.maxStates),
      timeoutMs: Math.min(most.timeoutMs, budget.leftMs),
    };
    return await check(params.change(changes), { ...bounds, isVerdictAlone });
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
