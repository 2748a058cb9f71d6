// The inputs of the tools as JSON schemas, and their types.
import { MEMORY_PROFILES, SIZES } from '../../check/index.ts';
import { DEFAULT_CHARACTERS, MAX_CHARACTERS, MIN_CHARACTERS } from './bounded.ts';

/** The most characters of a text in a call; larger ones are files. */
const MAX_INPUT = 4_000_000;
/** Seconds of a call, unless specified, and the most. */
export const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 600;
/** The most parameters of a call, and values of a sweep. */
const MAX_PARAMETERS = 100;

/** What a call is about: one of `program`, `ptx` and `file`. */
export interface SourceInput {
  readonly program?: string;
  readonly ptx?: string;
  readonly launch?: string | object;
  readonly file?: string;
  readonly launchFile?: string;
  readonly entry?: string;
}

/** What all tools that execute a kernel take. */
export interface KernelInput extends SourceInput {
  readonly set?: Readonly<Record<string, string | number | boolean>>;
  readonly timeoutSeconds?: number;
  readonly maxCharacters?: number;
}

/** What `check` takes beside. */
export interface CheckInput extends KernelInput {
  readonly sweep?: Readonly<Record<string, string>>;
  readonly every?: string;
  readonly sizes?: string;
  readonly memory?: string;
  readonly accept?: readonly string[];
  readonly replay?: string;
  readonly schedule?: boolean;
  readonly block?: string;
  readonly grid?: string;
  readonly cluster?: string;
  readonly param?: Readonly<Record<string, string | number>>;
}

/** What `simulate` takes beside. */
export interface SimulateInput extends KernelInput {
  readonly sweep?: Readonly<Record<string, string>>;
  readonly model?: string;
}

/** What `advise` takes beside. */
export interface AdviseInput extends KernelInput {
  readonly model?: string;
  readonly sharedMemory?: string;
  readonly every?: string;
}

/** What `explain` takes. */
export interface ExplainInput {
  readonly rule?: string;
  readonly maxCharacters?: number;
}

const text = (description: string) => ({ type: 'string', maxLength: MAX_INPUT, description });
const word = (description: string) => ({ type: 'string', maxLength: 4096, description });

const SOURCE = {
  program: text(
    'The text of a TypeScript module that exports a kernel by default and imports from ' +
      "'poundlock'. It is executed in a restricted process.",
  ),
  ptx: text('PTX text, with `launch` where you know it.'),
  launch: {
    description: 'How the PTX is launched: {"grid", "block", "params", …}, as JSON or its text.',
    anyOf: [{ type: 'object' }, { type: 'string', maxLength: MAX_INPUT }],
  },
  file: word(
    'Instead of a text: a program (.ts), PTX, launch file (.json) or steps file (.jsonl) in the ' +
      'folder of the server. Use it for everything that is in a file already.',
  ),
  launchFile: word('The launch file of a PTX `file`, if it is not launch.json beside it.'),
  entry: word('The kernel of a PTX with several, by its name or a part of it.'),
};

const COMMON = {
  set: {
    type: 'object',
    maxProperties: MAX_PARAMETERS,
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    description: 'Parameters that differ from their defaults: {"stages": 3}.',
  },
  timeoutSeconds: {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: MAX_SECONDS,
    description: `Ends as inconclusive after this time (default ${DEFAULT_SECONDS}).`,
  },
};

export const CHARACTERS = {
  type: 'integer',
  minimum: MIN_CHARACTERS,
  maximum: MAX_CHARACTERS,
  description: `The most characters of the answer (default ${DEFAULT_CHARACTERS}).`,
};

const SWEEP = {
  type: 'object',
  maxProperties: MAX_PARAMETERS,
  additionalProperties: { type: 'string', maxLength: 1000 },
  description: 'Ranges or lists of values: {"stages": "1..8", "tiles": "0,1,16"}.',
};
const EVERY = word('A parameter that is proved for every value, if it only counts items.');
const MODEL = word('The GPU: h200 (default) or h100.');

function inputOf(own: object) {
  return {
    type: 'object' as const,
    properties: { ...SOURCE, ...COMMON, ...own, maxCharacters: CHARACTERS },
    additionalProperties: false,
  };
}

export const CHECK_INPUT = inputOf({
  sweep: SWEEP,
  every: EVERY,
  sizes: {
    enum: [...SIZES],
    description: 'Also the sizes around (default), or the requested alone.',
  },
  memory: {
    enum: [...MEMORY_PROFILES],
    description: 'Rules of proxies, scopes and fences; by default those the kernel needs.',
  },
  accept: {
    type: 'array',
    items: { type: 'string', maxLength: 64 },
    description: 'Assumptions that are taken for granted, by the name in brackets behind them.',
  },
  block: word('Of PTX, instead of a launch: threads of a block, such as 128 or 32,4.'),
  grid: word('Of PTX: blocks of the grid.'),
  cluster: word('Of PTX: blocks of a cluster.'),
  param: {
    type: 'object',
    maxProperties: MAX_PARAMETERS,
    additionalProperties: { type: ['string', 'number'] },
    description: 'Of PTX: numbers by name or place: {"n": 1024, "2": "0..64"}.',
  },
  replay: word('A replay token of a finding: shows its schedule step by step.'),
  schedule: {
    type: 'boolean',
    description: 'Shows the schedule of every finding as a table (long).',
  },
});

export const SIMULATE_INPUT = inputOf({ sweep: SWEEP, model: MODEL });

export const ADVISE_INPUT = inputOf({
  model: MODEL,
  sharedMemory: word('Shared memory for stages of a program, such as 100KiB.'),
  every: EVERY,
});

export const EXPLAIN_INPUT = {
  type: 'object' as const,
  properties: {
    rule: word(
      'A word that a verdict prints: the rule of a finding, such as deadlock, an assumption, ' +
        'such as no-trap, or a term, such as choice point; all are listed without it.',
    ),
    maxCharacters: CHARACTERS,
  },
  additionalProperties: false,
};

/** The outcome of a tool beside its text. */
export const OUTPUT = {
  type: 'object' as const,
  properties: {
    outcome: {
      enum: ['certified', 'counterexample', 'inconclusive', 'could not run', 'done'],
      description: 'Of several results the worst.',
    },
    exitCode: { type: 'integer', description: 'That of the command line: 0, 1, 2 or 3.' },
    cutLines: { type: 'integer', description: 'Lines of the text that were left out.' },
  },
  required: ['outcome', 'exitCode', 'cutLines'],
};
