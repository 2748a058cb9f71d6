// Calls a tool: validates its input, runs the command, and bounds what it printed.
import { InputError, unknownName } from '@poundlock/core/internal/base';
import { inputErrorText, oneLine } from '@poundlock/core/internal/host';
import { ExitCode } from '../exit-code.ts';
import { main } from '../main.ts';
import { bounded, CHECK_CHARACTERS, DEFAULT_CHARACTERS } from './bounded.ts';
import { runChild, type ChildOutcome } from './child.ts';
import { collectingHost } from './collecting-host.ts';
import { DEFAULT_SECONDS, type KernelInput } from './schema.ts';
import { AjvJsonSchemaValidator, type CallToolResult } from './sdk.ts';
import { placeSource } from './source.ts';
import { TOOLS, type ToolEntry, type ToolName } from './tools.ts';

/** What is said of a command that had to be ended from outside. */
const ENDED =
  'inconclusive: ended at its limit of memory, or after its time-out: a role with a loop that ' +
  'never ends and has no `yield*`? `poundlock check FILE` in a terminal names the line';

const schemas = new AjvJsonSchemaValidator();

/** Calls the tool `name`; what the caller can correct is a result with `isError`. */
export async function callTool(
  name: string,
  input: unknown,
  root: string,
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    if (!isTool(name)) throw new InputError(`there is no tool ${name}`);
    // The schema is that of the tool.
    const tool = TOOLS[name] as ToolEntry<ToolName>;
    const names = Object.keys(Object(input) as object);
    const unknown = unknownName(names, Object.keys(tool.inputSchema.properties ?? {}));
    if (unknown !== null) throw new InputError(`the input of ${name} has ${unknown}`);
    const { valid, data, errorMessage } = validator(tool)(input);
    if (!valid) throw new InputError(`the input does not fit: ${errorMessage}`);
    return await run(name, tool, data, root, signal);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return answerOf(name, ExitCode.couldNotRun, inputErrorText(error, root), DEFAULT_CHARACTERS);
  }
}

type Schema = Parameters<AjvJsonSchemaValidator['getValidator']>[0];

/** What validates the input of a tool; the SDK has two types of schemas. */
function validator({ inputSchema }: ToolEntry<ToolName>) {
  return schemas.getValidator<KernelInput>(inputSchema as Schema);
}

function isTool(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}

const defaultOf = (name: ToolName): number =>
  name === 'check' ? CHECK_CHARACTERS : DEFAULT_CHARACTERS;

async function run(
  name: ToolName,
  tool: ToolEntry<ToolName>,
  input: KernelInput,
  root: string,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { timeoutSeconds: seconds = DEFAULT_SECONDS, maxCharacters = defaultOf(name) } = input;
  const source = tool.source(input);
  if (source === null) {
    // No code of a program runs.
    const { host, written } = collectingHost(root);
    const code = await main([name, ...tool.words(input)], host);
    return answerOf(name, code, textOf({ code, ...written }), maxCharacters);
  }
  const { cwd, words, remove } = placeSource(source, root);
  try {
    const all = [name, ...words, ...tool.words(input), '--timeout', String(seconds)];
    const outcome = await runChild(all, { cwd, seconds, signal });
    const code = outcome.code ?? ExitCode.inconclusive;
    const ended = outcome.code === null ? [`${ENDED} (${seconds} s)`] : [];
    return answerOf(name, code, [...ended, textOf(outcome)].join('\n'), maxCharacters);
  } finally {
    remove();
  }
}

/** What was printed: why something cannot be run comes first. */
function textOf({ stdout, stderr }: ChildOutcome): string {
  return [stderr, stdout]
    .map((text) => text.trimEnd())
    .filter(Boolean)
    .join('\n');
}

/** What a command printed as an answer of at most so many characters. */
export function answerOf(
  name: string,
  exitCode: number,
  text: string,
  most: number,
): CallToolResult {
  const cut = bounded(text, most);
  const outcome = outcomeOf(name, exitCode);
  return {
    content: [{ type: 'text', text: cut.text === '' ? oneLine(outcome) : cut.text }],
    structuredContent: { outcome, exitCode, cutLines: cut.cutLines },
    isError: exitCode === ExitCode.couldNotRun,
  };
}

function outcomeOf(name: string, exitCode: number): string {
  if (exitCode === ExitCode.clean) return name === 'check' ? 'certified' : 'done';
  if (exitCode === ExitCode.findings) return 'counterexample';
  return exitCode === ExitCode.inconclusive ? 'inconclusive' : 'could not run';
}
