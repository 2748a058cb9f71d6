// The tools of the MCP server: what each is for, its input, and the command that it stands for.
import type { Tool } from './sdk.ts';
import {
  ADVISE_INPUT,
  CHECK_INPUT,
  EXPLAIN_INPUT,
  OUTPUT,
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
      'Proves that no interleaving of a GPU kernel with full/empty mbarriers can deadlock, race ' +
      'or misuse a stage, or shows a counterexample: the rule, the source line of every role ' +
      'involved, the cause, and a replay token. For a program of poundlock, or PTX with its ' +
      'launch. Use it for a kernel that hangs or gives wrong results, and after every change of ' +
      'its synchronization.',
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
      'Explains a word of an answer: a rule, with a rejected and a fixed program; an assumption; ' +
      'a term. Also a function of programs (tma.load) by its name here, in CUTLASS, CuTe or ' +
      'Mojo, or an instruction of PTX. Lists all words without one.',
    inputSchema: EXPLAIN_INPUT,
    source: () => null,
    words: ({ rule }) => (rule === undefined ? [] : [rule]),
  },
  simulate: {
    description:
      'Predicts how many cycles a kernel takes on a GPU, and where its roles stall; with a sweep ' +
      'how many stages are enough. Says so where the kernel is unlike what was measured.',
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
      'For a program: which other release points and numbers of stages are correct, and what ' +
      'they gain. For PTX: which barriers, waits and fences are not needed, each proved.',
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

/** The tools as the protocol lists them. */
export function listedTools(): Tool[] {
  return Object.entries(TOOLS).map(([name, { description, inputSchema }]) => ({
    name,
    description,
    // A type of JSON alone, which has no readonly parts.
    inputSchema: inputSchema as Tool['inputSchema'],
    outputSchema: OUTPUT as Tool['outputSchema'],
    annotations: { readOnlyHint: true, openWorldHint: false },
  }));
}
