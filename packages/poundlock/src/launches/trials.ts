// Tries launches within a bound of number and time, and remembers what came of each.
import type { CheckOptions } from '../check/index.ts';
import { slotsIn } from '@poundlock/ptx/internal/infer/skeleton';
import { runLaunch } from './subject.ts';
import type { LaunchRun, LaunchSubject } from './subject.ts';
import { hasGuessedNumbers, isGuessed, shapeText } from './shapes.ts';
import { grouped } from '@poundlock/core/internal/base';
import { formatNumber } from '@poundlock/core/internal/system';
import type { Shape } from './shapes.ts';
import { within } from './values.ts';
import type { SpecialValue, ValueRole } from './values.ts';

/** The most launches of a kernel. */
const MAX_RUNS = 96;
/** Milliseconds of all launches together, unless a time-out is supplied. */
export const DEFAULT_MS = 30_000;
/** Bounds of a launch: of the first one, of one that takes long, and of others. */
const MAX_MS = 8_000;
const SPECIAL_MS = 6_000;
const MAX_ORDINARY = 20_000_000;
const MAX_SPECIAL = 4_000_000;
/** The most special values of a shape: those that the text names, and small ones. */
const MAX_NAMED = 36;
const MAX_SMALL = 16;

/** A launch to try. */
export interface Trial {
  readonly shape: Shape;
  /** What all numbers are that nothing else says. */
  readonly base: number;
  readonly role: ValueRole;
  readonly special?: SpecialValue;
  /** Contents behind pointers, by the names of slots. */
  readonly contents?: ReadonlyMap<string, readonly number[]>;
  /** Whether only a proof is wanted: no schedule that fails is looked for. */
  readonly isProof?: boolean;
  /** The most milliseconds that it may take. */
  readonly mostMs?: number;
  /** Values of the user, by the names of slots. */
  readonly supplied?: ReadonlyMap<string, number>;
}

/** All launches of a kernel that were tried. */
export class Trials {
  readonly runs: LaunchRun[] = [];
  readonly subject: LaunchSubject;
  readonly #options: CheckOptions;
  readonly #end: number;
  readonly #timeoutMs: number;
  /** Special values that the text names and that were left out. */
  left = 0;

  constructor(subject: LaunchSubject, options: CheckOptions) {
    this.subject = subject;
    const { timeoutMs = DEFAULT_MS, ...others } = options;
    this.#options = others;
    this.#timeoutMs = timeoutMs;
    this.#end = this.#now + timeoutMs;
  }

  get #now(): number {
    return this.#options.now?.() ?? 0;
  }

  /** Whether no more launches are tried. */
  get isOver(): boolean {
    const { shouldStop } = this.#options;
    return this.runs.length >= MAX_RUNS || this.#now >= this.#end || shouldStop?.() === true;
  }

  /** Whether the time is up. */
  get isTimeUp(): boolean {
    return this.#now >= this.#end;
  }

  /** That the time is up, and how far it came. */
  get timeoutReason(): string {
    const bound = `the bound timeout of ${formatNumber(this.#timeoutMs)} ms was reached`;
    const last = this.runs.at(-1);
    if (last === undefined) return bound;
    const values = [...last.choice.values].map(([name, value]) => `${name}=${grouped(value)}`);
    const where = [shapeText(last.choice), ...values].join(', ');
    const tried = this.runs.length === 1 ? '1 launch' : `${grouped(this.runs.length)} launches`;
    return `${bound} after ${tried}, in ${where}`;
  }

  /** Whether a special value is left out, because there are many others. */
  isTooMany({ role }: SpecialValue, runs: readonly LaunchRun[]): boolean {
    const isSmall = role === 'small';
    const before = runs.filter((run) => (run.role === 'small') === isSmall).length;
    const isTooMany = this.isOver || before >= (isSmall ? MAX_SMALL : MAX_NAMED);
    if (isTooMany && !isSmall) this.left++;
    return isTooMany;
  }

  /** Tries a launch. */
  async add(trial: Trial): Promise<LaunchRun> {
    const { skeleton } = this.subject;
    const { shape, role, special = null, mostMs = MAX_MS, isProof = false } = trial;
    const known = {
      shape: !isGuessed(skeleton),
      values: special === null ? !hasGuessedNumbers(skeleton) : false,
      shared: skeleton.supplied.isOfCompiler === true,
    };
    const isOrdinary = role === 'ordinary' || role === 'given';
    const left = Math.max(100, this.#end - this.#now);
    const limits = {
      maxInstructions: isOrdinary ? MAX_ORDINARY : MAX_SPECIAL,
      timeoutMs: Math.min(left, isOrdinary ? mostMs : Math.min(mostMs, SPECIAL_MS)),
    };
    await this.#options.pause?.();
    const { contents } = trial;
    const { block, cluster } = shape;
    const own = contents === undefined ? {} : { contents };
    const choice = { block, cluster, values: this.#valuesOf(trial), ...own };
    const about = { role, base: trial.base, special, known };
    const engine = isProof ? { engine: 'certify' as const } : {};
    const options = { ...this.#options, ...engine };
    const run = await runLaunch(this.subject, choice, about, options, limits);
    this.runs.push(run);
    return run;
  }

  #valuesOf({ base, special, supplied }: Trial): ReadonlyMap<string, number> {
    const { skeleton } = this.subject;
    const values = new Map<string, number>();
    for (const slot of slotsIn(skeleton)) {
      const own = supplied?.get(slot.name) ?? skeleton.supplied.values.get(slot.name)?.[0];
      if (own !== undefined) values.set(slot.name, own);
      else if (slot.kind === 'number') values.set(slot.name, within(slot, base));
    }
    if (special !== undefined) values.set(special.slot.name, special.value);
    return values;
  }
}
