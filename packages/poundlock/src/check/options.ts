// The options of `check`, and the bounds of its engines.
import { option, optionTable, requireOptions } from '@poundlock/core/internal/base';
import { uselessOption, type OptionsOf } from '@poundlock/core/internal/base';
import { requireWord } from '@poundlock/core/internal/base';
import { WARNING_RULES } from '@poundlock/core/internal/finding';
import type { AssumptionName, RuleId } from '@poundlock/core/internal/finding';
import type { Kernel, KernelParameters, PlacedText } from '@poundlock/core/internal/program';

/** How far a search is, for a progress line. */
export interface CheckProgress {
  /** States stored so far. */
  readonly states: number;
  /** Transitions executed so far. */
  readonly transitions: number;
  /** Steps from the start to the state that is expanded. */
  readonly depth: number;
  /** States that are still to be expanded. */
  readonly frontier: number;
}

/**
 * The engines that a caller can choose; which deciders each of them uses is a table in check.ts.
 */
export const ENGINES = ['auto', 'certify', 'reduced', 'search'] as const;
/** An engine that a caller can choose: see {@link Question.engine}. */
export type Engine = (typeof ENGINES)[number];

/** Which sizes a check covers: see {@link CheckOptions.sizes}. */
export const SIZES = ['around', 'requested'] as const;
/** One of the values of {@link CheckOptions.sizes}. */
export type Sizes = (typeof SIZES)[number];

/**
 * What of memory is checked, beside the order of accesses: nothing more; what working kernels rely
 * on is let pass and counted (`practice`); or everything that the ISA does not promise (`isa`).
 */
export const MEMORY_PROFILES = ['none', 'practice', 'isa'] as const;
/** A memory profile: see {@link CheckOptions.memory}. */
export type MemoryProfile = (typeof MEMORY_PROFILES)[number];

const QUESTION = optionTable({
  /**
   * `certify` proves the kernel from few runs, or is inconclusive; `search` explores every
   * interleaving, and `reduced` enough of them to find every violation. `auto` certifies; if that
   * is inconclusive, it constructs a counterexample or searches with reduction, and then searches
   * without it for a shorter schedule.
   */
  engine: option.oneOf(...ENGINES),
  /**
   * Whether `certify` takes counts of many items for any number, as `auto` does.
   *
   * @internal
   */
  takesManyForAny: option.internal(option.flag),
  /**
   * Whether only the verdict is asked for: no run is looked for that shows what is left over.
   *
   * @internal
   */
  isVerdictAlone: option.internal(option.flag),
  /**
   * Whether an access of a block is where it is by guessed parts of a launch: that two blocks meet
   * there is a note then.
   *
   * @internal
   */
  isGuessedPlace: option.internal(option.callable<(access: PlacedText) => boolean>()),
  /**
   * Loads the kernel again, with the variables of its module as they were at first.
   *
   * @internal
   */
  loadAgain: option.internal(option.callable<() => Promise<Kernel>>()),
  /**
   * Which rules of memory hold: proxies, scopes, fences. `none` checks the order of accesses alone,
   * `practice` reports what is undefined and what no working kernel relies on, `isa` all that the
   * text of the PTX ISA does not promise. Unless specified, it is `practice` for a kernel whose
   * threads and asynchronous work reach the same memory, or that has a fence or says how it reaches
   * memory, and `none` for others.
   */
  memory: option.oneOf(...MEMORY_PROFILES),
  /** A replay token: this one schedule is executed instead of all. */
  replay: option.text,
  /** Whether to return a shortest schedule without a finding. */
  example: option.flag,
});

/** How a check decides, and what it shows. */
export interface Question extends OptionsOf<typeof QUESTION> {}

const LIMITS = optionTable({
  /** Events of a certificate before it is inconclusive; 50 million unless specified. */
  maxEvents: option.amount,
  /** States that a search stores before it is inconclusive; 20 million unless specified. */
  maxStates: option.amount,
  /**
   * Milliseconds before the check is inconclusive; needs {@link now}. Unless specified, it is ten
   * minutes where there is a clock, and a search that follows a failed certificate has four times
   * what the certificate took, at least two seconds.
   */
  timeoutMs: option.amount,
  /** A clock in milliseconds; without it times are 0. */
  now: option.callable<() => number>(),
  /** Awaited between slices of work, so that timers and signals are handled. */
  pause: option.callable<() => Promise<void>>(),
  /** Called between slices of work; `true` ends the check as inconclusive. */
  shouldStop: option.callable<() => boolean>(),
  /** Called between slices of work: why there is no memory for more, or `null`. */
  whyFull: option.callable<() => string | null>(),
  /**
   * Called where the time is up.
   *
   * @internal
   */
  onTimeout: option.internal(option.callable<() => void>()),
  /** Called between slices of a search. */
  onProgress: option.callable<(progress: CheckProgress) => void>(),
});

/** The limits of a check, and how the caller follows and ends it. */
export interface Limits extends OptionsOf<typeof LIMITS> {}

export const CHECK = optionTable({
  ...QUESTION.values,
  ...LIMITS.values,
  /** Parameters that differ from their defaults: typed values, or text as on a command line. */
  params: option.checkedLater<KernelParameters>(),
  /** The parameter whose every value is to be proved: a number that the kernel only counts with. */
  every: option.text,
  /**
   * Which sizes are checked. `around`: for each parameter that only counts items, also values
   * around the requested one: 0, 1, the next ones, and those at the number of stages of a ring, as
   * far as that takes milliseconds; for one with a range, values of the range, both ends included.
   * `requested`: the requested size alone. Unless specified, it is `around` for the engine `auto`,
   * and `requested` for all others, a replay and an example.
   */
  sizes: option.oneOf(...SIZES),
  /** Rules of warnings that are errors here, so that they make the verdict a counterexample. */
  deny: option.checkedLater<readonly RuleId[]>(),
  /**
   * Assumptions that are taken for granted: a verdict that rests on others that are not proved is
   * inconclusive.
   */
  accept: option.checkedLater<readonly AssumptionName[]>(),
  /** How many smaller parameters are tried to show the first finding; none unless specified. */
  shrinkTries: option.amount,
});

/** Options of {@link check}. */
export interface CheckOptions extends OptionsOf<typeof CHECK> {}

/** By option: why it has no effect beside others, if so. */
const USELESS: {
  readonly [Name in keyof CheckOptions]?: (options: CheckOptions) => string | null;
} = {
  engine: ({ engine = 'auto', replay, example }) => {
    if (engine === 'auto') return null;
    if (replay !== undefined) return BESIDE_REPLAY;
    return example === true && engine !== 'search' ? 'beside example, which is searched' : null;
  },
  every: (options) => besideSchedule(options),
  example: ({ replay }) => (replay === undefined ? null : BESIDE_REPLAY),
  sizes: (options) =>
    options.every === undefined ? besideSchedule(options) : 'beside every, which is of all sizes',
  maxEvents: (options) => {
    const { engine } = options;
    const isSearched = engine === 'search' || engine === 'reduced';
    return isSearched
      ? `with engine '${engine}', which certifies nothing`
      : besideSchedule(options);
  },
  shrinkTries: ({ replay }) => (replay === undefined ? null : BESIDE_REPLAY),
  timeoutMs: ({ now }) => (now === undefined ? 'without now, the clock' : null),
};

const BESIDE_REPLAY = 'beside replay, which executes one schedule';

function besideSchedule({ replay, example }: CheckOptions): string | null {
  if (replay !== undefined) return BESIDE_REPLAY;
  return example === true ? 'beside example, which is searched' : null;
}

/** The first option that has no effect beside the others, and the reason; `null` without one. */
export function uselessCheckOption(options: CheckOptions): readonly [string, string] | null {
  for (const [name, whyUseless] of Object.entries(USELESS)) {
    if (options[name as keyof CheckOptions] === undefined) continue;
    const why = whyUseless(options);
    if (why !== null) return [name, why];
  }
  return null;
}

/** Throws unless these are options of `check`, each with an effect. */
export function requireCheckOptions(options: CheckOptions): void {
  requireOptions('check()', CHECK, options);
  for (const rule of options.deny ?? []) requireWord('a rule of deny', rule, WARNING_RULES);
  const useless = uselessCheckOption(options);
  if (useless !== null) throw uselessOption('check()', ...useless);
}

export const DEFAULT_MAX_EVENTS = 50_000_000;
/** The time-out of a check that has a clock: what takes longer is asked for (`timeoutMs`). */
export const DEFAULT_TIMEOUT_MS = 600_000;
/**
 * What a search after a failed proof may take unless a time-out is asked for: so many milliseconds,
 * or so many times what the proof took (bound `search-time`).
 */
export const SEARCH_MS = 2_000;
export const SEARCH_FACTOR = 4;
/** The default of {@link CheckOptions.maxStates}. */
export const DEFAULT_MAX_STATES = 20_000_000;
/**
 * Events for each operation that is compared with a second instance, after which a run is long, and
 * a proof for any number of items is tried instead.
 */
export const FIRST_EVENTS = 1.25;
/** Counts of so many items or more are then taken for any number; fewer are counted out. */
export const MANY_ITEMS = 100;
/**
 * So many items or more for the square of the number of barriers: a proof for any number of them
 * goes around every ring, and each state on the way has all barriers in it.
 */
export const MANY_FOR_BARRIERS = 8;
/** The most states of such a proof: where it does not close soon, the run goes on. */
export const MAX_SHORTCUT_STATES = 2_000;
/**
 * The longest run whose tries are followed with all their results where a sample was compared, and
 * the states of that: it takes several times as long as the run.
 */
export const MAX_EXACT_EVENTS = 2_000;
export const MAX_EXACT_STATES = 100;
/** Events of a certificate between two pauses. */
export const CERTIFY_SLICE = 2_000_000;
/** The most states of a proof by choices, about a kilobyte each: beyond, a search needs less. */
export const MAX_CHOICE_POINTS = 1_000_000;
/** Choices of a proof between two pauses. */
export const EXPLORE_SLICE = 2_000;
/** States of the short search that is tried before reduction, and for shortest schedules. */
export const FEW_STATES = 20_000;
/** The same for those that the search with reduction takes turns with. */
export const TURN_STATES = 500_000;
/** States that the unreduced search stores to show what the reduced one found in fewer steps. */
export const CONFIRM_STATES = 200_000;
/** Transitions of a search between two pauses. */
export const SLICE = 50_000;
/** The same of a search with reduction, which looks ahead for each. */
export const REDUCED_SLICE = 2_000;
/** Findings that are reported of the shortest depth. */
export const MAX_FINDINGS = 4;
/** The greatest value that is tried where no proof for every value holds (bound `tried`). */
export const MAX_TRIED = 64;
