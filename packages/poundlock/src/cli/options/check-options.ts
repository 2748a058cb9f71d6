// The options of `check` on the command line, with a reader for each.
import { Option } from 'commander';
import { findName, InputError, nearest } from '@poundlock/core/internal/base';
import { assumptionNames, WARNING_RULES, type RuleId } from '@poundlock/core/internal/finding';
import { uselessCheckOption, type CheckOptions, type Sizes } from '../../check/index.ts';
import { readCount, readTime } from './amount.ts';
import { flagName } from './flag-name.ts';

/** Options that only the command itself sets, for each check. */
export type PerCheck = 'params' | 'now' | 'pause' | 'shouldStop' | 'whyFull' | 'onProgress';
/** Options that are set for some checks: of a repeated proof, a file's first, one size of many. */
export type PerProof =
  | 'takesManyForAny'
  | 'loadAgain'
  | 'isVerdictAlone'
  | 'isGuessedPlace'
  | 'onTimeout';
/** The options of `check` that are options of the command line. */
export type ChosenOptions = Omit<CheckOptions, PerCheck | PerProof>;

/** The arguments of each option, as parsed by the command line. */
export interface CheckWords {
  readonly engine: NonNullable<CheckOptions['engine']>;
  readonly every?: string;
  readonly sizes?: Sizes | undefined;
  readonly maxEvents?: string;
  readonly maxStates?: string;
  readonly timeout?: string;
  readonly shrinkTries?: string;
  readonly memory?: NonNullable<CheckOptions['memory']>;
  readonly deny?: readonly string[];
  readonly replay?: string;
  readonly example?: true;
  readonly accept?: readonly string[];
  readonly assume?: 'boxes';
}

/** How many smaller sizes are tried to show a finding, unless there are many results. */
export const DEFAULT_SHRINK_TRIES = 32;

/** A proof covers one number: a second one is not dropped. */
export function oneEvery(name: string, before?: string): string {
  if (before === undefined || before === name) return name;
  throw new InputError(
    `--every ${before} --every ${name}: one proof covers every value of one number; ` +
      `prove one of them for values of the other, such as --every ${before} --sweep ${name}=1..16`,
  );
}

type Read<T> = (words: CheckWords, many: boolean) => T;

function optional<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  return text === undefined ? undefined : read(text);
}

/** A rule that `--deny` can make an error. */
function readWarning(word: string): RuleId {
  const rule = findName(word, WARNING_RULES);
  if (rule !== undefined) return rule;
  const guess = nearest(word, WARNING_RULES);
  const hint = guess === undefined ? '' : `: did you mean ${guess}?`;
  const list = WARNING_RULES.join(', ');
  throw new InputError(`--deny ${word}: there is no such warning${hint} (there are ${list})`);
}

/** The names of assumptions that are taken; boxes that are solved by request are named by it. */
export function readAccepted({ accept = [], assume }: Pick<CheckWords, 'accept' | 'assume'>) {
  const names = assumptionNames(assume === undefined ? accept : [...accept, assume]);
  return names.length === 0 ? undefined : [...new Set(names)];
}

/** How each option is read: a new option of `check` is a compile error here. */
const READERS = {
  engine: ({ engine }) => engine,
  every: ({ every }) => every,
  sizes: ({ sizes }) => sizes,
  maxEvents: ({ maxEvents }) => optional(maxEvents, (text) => readCount('--max-events', text)),
  maxStates: ({ maxStates }) => optional(maxStates, (text) => readCount('--max-states', text)),
  timeoutMs: ({ timeout }) => optional(timeout, (text) => readTime('--timeout', text)),
  shrinkTries: ({ shrinkTries, replay }, many) => {
    if (replay !== undefined && shrinkTries === undefined) return undefined;
    const tries = many ? 0 : DEFAULT_SHRINK_TRIES;
    return shrinkTries === undefined ? tries : readCount('--shrink-tries', shrinkTries, 0);
  },
  memory: ({ memory }) => memory,
  deny: ({ deny }) => deny?.map(readWarning),
  replay: ({ replay }) => replay,
  example: ({ example }) => example,
  accept: readAccepted,
} satisfies { readonly [Name in keyof Required<ChosenOptions>]: Read<ChosenOptions[Name]> };

/** Converts the arguments of the command line to options of `check`. */
export function readCheckOptions(words: CheckWords, many: boolean): ChosenOptions {
  const read = Object.entries<Read<unknown>>(READERS).map(
    ([name, reader]) => [name, reader(words, many)] as const,
  );
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** Throws where an option has no effect beside the others. */
export function requireEffect(options: ChosenOptions): void {
  const useless = uselessCheckOption({ ...options, now: () => 0 });
  if (useless === null) return;
  throw new InputError(`${flagOf(useless[0])} has no effect ${flagsIn(useless[1])}`);
}

/** The option of the command line: `--max-events`. */
function flagOf(name: string): string {
  return `--${flagName(name === 'timeoutMs' ? 'timeout' : name)}`;
}

/** A reason, with the options of the command line in it. */
function flagsIn(why: string): string {
  return why.replaceAll(/\b(?:every|example|replay)\b/g, flagOf).replace('engine ', '--engine ');
}

/** Options that can be given several times. */
export function repeatable(flags: string, description: string): Option {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  return new Option(flags, description).argParser(collect);
}

/** `--accept`, of verbs that check. */
export function acceptOption(when = ''): Option {
  return repeatable(
    '--accept <NAME>',
    `${when}take an assumption for granted, by its name (repeatable)`,
  );
}
