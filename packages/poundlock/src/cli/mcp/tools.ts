// The tools of the MCP server: what each is for, its input, and the command that it stands for.
import type { Tool } from './sdk.ts';
import {
  ADVISE_INPUT,
  CHECK_INPUT,
  EXPLAIN_INPUT,
  SIMULATE_INPUT,
  type AdviseInput,
  type CheckInput,
  type ExplainInput,
  type KernelInput,
  type SimulateInput,
  type SourceInput,
} from './schema.ts';

/** Inputs of all tools, as the schema of the called one has accepted them. */
export interface ToolInput {
  readonly check: CheckInput;
  readonly explain: ExplainInput;
  readonly simulate: SimulateInput;
  readonly advise: AdviseInput;
}

export type ToolName = keyof ToolInput;

/** A tool: a verb of the command line. */
export interface ToolEntry<Name extends ToolName> {
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: object;
    readonly additionalProperties: boolean;
  };
  /** The words after the verb and the kernel. */
  readonly words: (input: ToolInput[Name]) => string[];
  /** The kernel that the command is about; `null` where it is about none. */
  readonly source: (input: ToolInput[Name]) => SourceInput | null;
}

const option = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`--${name}`, value];
const flag = (name: string, isSet: boolean | undefined): string[] =>
  isSet === true ? [`--${name}`] : [];
const each = (name: string, values: Readonly<Record<string, unknown>> = {}): string[] =>
  Object.entries(values).flatMap(([key, value]) => [`--${name}`, `${key}=${String(value)}`]);

const itself = (input: KernelInput): SourceInput => input;

export const TOOLS: { readonly [Name in ToolName]: ToolEntry<Name> } = {
  check: {
    description:
      'Finds why a GPU kernel hangs, races or misuses a stage: the cause, the line of each ' +
      'role, the change; or proves that it cannot. Launches of PTX are inferred: say what ' +
      'you know.',
    inputSchema: CHECK_INPUT,
    source: itself,
    words: ({ set, sweep, every, sizes, memory, accept = [], replay, schedule, ...launch }) => [
      ...option('block', launch.block),
      ...option('grid', launch.grid),
      ...option('cluster', launch.cluster),
      ...each('param', launch.param),
      ...each('set', set),
      ...each('sweep', sweep),
      ...option('every', every),
      ...option('sizes', sizes),
      ...option('memory', memory),
      ...accept.flatMap((name) => option('accept', name)),
      ...option('replay', replay),
      ...flag('verbose', schedule),
    ],
  },
  explain: {
    description:
      'Explains a word of an answer (a rule, an assumption, a term), a function of programs, ' +
      'CUTLASS, CuTe or Mojo, or an instruction of PTX.',
    inputSchema: EXPLAIN_INPUT,
    source: () => null,
    words: ({ rule }) => (rule === undefined ? [] : [rule]),
  },
  simulate: {
    description:
      'Predicts cycles on a GPU and where roles stall; with a sweep, how many stages are enough.',
    inputSchema: SIMULATE_INPUT,
    source: itself,
    words: ({ set, sweep, model }) => [
      ...each('set', set),
      ...each('sweep', sweep),
      ...option('model', model),
    ],
  },
  advise: {
    description:
      'Of a program: what other release points and stages gain. Of PTX: which barriers, waits ' +
      'and fences are not needed. Each is proved.',
    inputSchema: ADVISE_INPUT,
    source: itself,
    words: ({ set, model, sharedMemory, every }) => [
      ...each('set', set),
      ...option('model', model),
      ...option('smem', sharedMemory),
      ...option('every', every),
    ],
  },
};

/** What only the validation of a call needs: an agent reads the list before each task. */
const LIMITS: ReadonlySet<string> = new Set([
  'maxLength',
  'maxProperties',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'additionalProperties',
]);

/** A schema as it is listed: without limits, and described once, in the first tool that has it. */
function listedSchema(schema: object, described: Set<string>): Tool['inputSchema'] {
  const isNew = (text: unknown): boolean => {
    const isFirst = !described.has(String(text));
    described.add(String(text));
    return isFirst;
  };
  const listed = JSON.stringify(schema, (key, value: unknown) => {
    return LIMITS.has(key) || (key === 'description' && !isNew(value)) ? undefined : value;
  });
  return JSON.parse(listed) as Tool['inputSchema'];
}

/** The tools as the protocol lists them. */
export function listedTools(): Tool[] {
  const described = new Set<string>();
  return Object.entries(TOOLS).map(([name, { description, inputSchema }]) => ({
    name,
    description,
    inputSchema: listedSchema(inputSchema, described),
    annotations: { readOnlyHint: true },
  }));
}
