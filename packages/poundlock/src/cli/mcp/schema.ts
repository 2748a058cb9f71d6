// The inputs of the tools as JSON schemas, and their types.
import { MEMORY_PROFILES, SIZES } from '../../check/index.ts';
import { CHECK_CHARACTERS, DEFAULT_CHARACTERS, MAX_CHARACTERS, MIN_CHARACTERS } from './bounded.ts';

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

const text = (description?: string) => ({ type: 'string', maxLength: MAX_INPUT, description });
const word = (description?: string) => ({ type: 'string', maxLength: 4096, description });

/** An object with a value for each name; its example says what the values are. */
const table = (type: string | readonly string[], description: string) => ({
  type: 'object',
  maxProperties: MAX_PARAMETERS,
  additionalProperties: { type, maxLength: 1000 },
  description,
});

const SOURCE = {
  file: word('PTX, a program (.ts) or a launch (.json) in the folder of the server'),
  program: text('its text instead'),
  ptx: text('or the text of PTX'),
  launch: {
    type: ['object', 'string'],
    maxLength: MAX_INPUT,
    description: 'of a text: {"grid", "block", "params", …}; of a file: a file',
  },
  entry: word('which kernel of the PTX'),
};

const COMMON = {
  set: table(['string', 'number', 'boolean'], 'parameters of a program: {"stages": 3}'),
  timeoutSeconds: {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: MAX_SECONDS,
    description: `default ${DEFAULT_SECONDS}`,
  },
};

const charactersOf = (count: number) => ({
  type: 'integer',
  minimum: MIN_CHARACTERS,
  maximum: MAX_CHARACTERS,
  description: `of the answer, default ${count}`,
});

const SWEEP = table('string', '{"stages": "1..8", "tiles": "0,1,16"}');
const EVERY = word('a parameter: proved for every value');
const MODEL = word('h200 (default) or h100');

function inputOf(own: object, characters = DEFAULT_CHARACTERS) {
  return {
    type: 'object' as const,
    properties: { ...SOURCE, ...own, ...COMMON, maxCharacters: charactersOf(characters) },
    additionalProperties: false,
  };
}

export const CHECK_INPUT = inputOf(
  {
    block: word('of PTX: threads, such as 128 or 32,4'),
    grid: word('of PTX: blocks'),
    cluster: word(),
    param: table(['string', 'number'], 'of PTX, by name or place: {"n": 1024, "2": "0..64"}'),
    sweep: SWEEP,
    every: EVERY,
    sizes: { enum: [...SIZES] },
    memory: { enum: [...MEMORY_PROFILES] },
    accept: {
      type: 'array',
      items: { type: 'string', maxLength: 64 },
      description: 'names of assumptions',
    },
    replay: word('a token of a finding: its schedule, step by step'),
    schedule: { type: 'boolean', description: 'with the schedule of each finding (long)' },
  },
  CHECK_CHARACTERS,
);

export const SIMULATE_INPUT = inputOf({ sweep: SWEEP, model: MODEL });

export const ADVISE_INPUT = inputOf({
  sharedMemory: word('for stages, such as 100KiB'),
  every: EVERY,
  model: MODEL,
});

export const EXPLAIN_INPUT = {
  type: 'object' as const,
  properties: {
    rule: word('the word; all are listed without it'),
    maxCharacters: charactersOf(DEFAULT_CHARACTERS),
  },
  additionalProperties: false,
};
