// What a shell completes: verbs, their options, and the words that these take.
import type { Argument, Command, Option } from 'commander';
import { ALL_RULES, ASSUMPTION_NAMES, WARNING_RULES } from '@poundlock/core/internal/finding';
import { FUNCTIONS } from '@poundlock/core/internal/pipeline';
import { mnemonics } from '@poundlock/ptx/internal/isa/describe';
import { REPORTER_NAMES } from '../../report/names.ts';
import { MODEL_NAMES } from '../../simulate/index.ts';

/** An option of a verb. */
export interface CompletedOption {
  /** With its dashes. */
  readonly flag: string;
  readonly description: string;
  /** Whether a value follows it, and the words that the value may be, if they are a closed list. */
  readonly takesValue: boolean;
  readonly words: readonly string[];
}

/** A verb. */
export interface CompletedVerb {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  /** The words of its first argument; files where there are none. */
  readonly words: readonly string[];
}

/** Words of options that their readers know, and not the parser: those of closed tables. */
const WORDS_OF_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  accept: ASSUMPTION_NAMES,
  deny: WARNING_RULES,
  model: MODEL_NAMES,
  reporter: REPORTER_NAMES,
};

/** Words of the first argument of verbs. */
const WORDS_OF_VERBS: Readonly<Record<string, () => readonly string[]>> = {
  explain: () => [...ALL_RULES, ...ASSUMPTION_NAMES],
  operations: () =>
    Object.values(FUNCTIONS)
      .flat()
      .map(({ name }) => name),
  isa: mnemonics,
};

/** A verb whose options have been declared on `command`. */
export function completedVerb(command: Command): CompletedVerb {
  const name = command.name();
  const [first] = command.registeredArguments as readonly Argument[];
  return {
    name,
    description: command.description(),
    options: command.options.flatMap(completedOption),
    words: first?.argChoices ?? WORDS_OF_VERBS[name]?.() ?? [],
  };
}

function completedOption(option: Option): CompletedOption[] {
  if (option.long === undefined || option.long === null || option.hidden) return [];
  return [
    {
      flag: option.long,
      description: option.description,
      takesValue: option.required || option.optional,
      words: option.argChoices ?? WORDS_OF_OPTIONS[option.attributeName()] ?? [],
    },
  ];
}
