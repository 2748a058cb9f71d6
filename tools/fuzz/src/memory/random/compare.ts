// One program in one profile: what `check` says of it, and what all its executions show.
import type { Checker, CheckerOptions } from '../../checker.ts';
import { litmusKernel } from '../litmus-kernel.ts';
import type { LitmusProgram } from '../litmus-program.ts';
import { explore } from '../view-machine/explore.ts';
import { sceneOf } from '../view-machine/scene-builder.ts';

export type Profile = 'practice' | 'isa';

/**
 * How both agree: `good` and `bad` if they do; `unsound` if a certified program has a bad
 * execution; `strict` if a rejected one has none and the contract asks for more than executions
 * show; `alarm` if the contract does not either; and `undecided` if one of them met a bound.
 */
export type Agreement = 'good' | 'bad' | 'unsound' | 'strict' | 'alarm' | 'undecided';

export interface Compared {
  readonly agreement: Agreement;
  /** What `check` found, and what executions show. */
  readonly rules: readonly string[];
  readonly shown: readonly string[];
}

/** The most states of a program. */
const MOST_STATES = 20_000;

/** Warnings of what is no fault of an execution; in practice uneven fences are one of them. */
const ADVICE = new Set(['not-quiescent', 'unused-registers', 'late-pass']);
/** G03 is about who waits, whatever comes of it. */
const OF_TEXT = new Set(['group-of-another-thread']);
const UNEVEN = 'unfenced-reuse';

export async function compare(
  check: Checker,
  program: LitmusProgram,
  profile: Profile,
  engine: CheckerOptions['engine'] = 'auto',
): Promise<Compared> {
  const scene = sceneOf(program);
  const bounds = { profile, mostStates: MOST_STATES, stopsAtFirst: true } as const;
  const explored = explore(scene, bounds);
  const shown = [...explored.faults].map(([kind, text]) => `${kind}: ${text}`);
  const { verdict, findings } = await check(litmusKernel(program), {
    memory: profile,
    engine,
    sizes: 'requested',
  });
  const rules = findings
    .map(({ rule }) => rule)
    .filter((rule) => !ADVICE.has(rule) && (profile === 'isa' || rule !== UNEVEN));
  const answer = (agreement: Agreement): Compared => ({ agreement, rules, shown });
  if (explored.isCut || verdict === 'inconclusive') return answer('undecided');
  const isCertified = verdict === 'certified' && rules.length === 0;
  const isGood = shown.length === 0;
  if (isCertified) return answer(isGood ? 'good' : 'unsound');
  if (!isGood) return answer('bad');
  if (rules.every((rule) => OF_TEXT.has(rule))) return answer('strict');
  const strict = explore(scene, { ...bounds, readsHaveLevels: true });
  return answer(strict.faults.size > 0 ? 'strict' : 'alarm');
}
