// The command line: parses the arguments, runs a verb and returns the exit code.
import '../own-folder.ts';
// Before it is loaded with the first kernel, what watches for endless loops has to know.
import '@poundlock/ptx/internal/own-folder';
import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { displayText, InputError, nearest } from '@poundlock/core/internal/base';
import { ExitCode } from './exit-code.ts';
import { failureLines, oneLine, type Host } from '@poundlock/core/internal/host';
import { endWith, processHost } from './process-host.ts';
import { VERBS, type VerbEntry } from './verbs/index.ts';
import type { Verb } from './verbs/verb.ts';
import { version } from './version.ts';

const LINT_PACKAGE = '@poundlock/lint';

const EXAMPLES = `
Examples:
  poundlock check kernel.cu                     why a kernel hangs, or that it cannot
  poundlock check gemm.ts --sweep stages=1..4   the same of a design
  poundlock explain deadlock`;

/** `error: unknown option '--sett'\n(Did you mean --set?)` as one line. */
function usageError(text: string): string {
  const line = oneLine(text.replace(/^error: /, ''));
  return `poundlock: ${displayText(line)}${meantChoice(line)}\n`;
}

/** What is said of a word that is not among the choices of an option or an argument. */
const NO_CHOICE =
  /(?:argument|value) '([^']*)' is invalid(?: for argument '\w+')?\. Allowed choices are (.*)\.$/;

/** ` (Did you mean search?)` where a word is not among the choices of an option. */
function meantChoice(line: string): string {
  const [, word = '', choices = ''] = NO_CHOICE.exec(line) ?? [];
  const meant = nearest(word, choices.split(', '));
  return word === '' || meant === undefined ? '' : ` (Did you mean ${meant}?)`;
}

function commandLine(host: Host): Command {
  const program = new Command('poundlock')
    .description(
      'A model checker, performance simulator and runtime for producer/consumer pipelines.',
    )
    .version(version(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', EXAMPLES)
    .configureOutput({
      writeOut: host.stdout.write,
      writeErr: host.stderr.write,
      outputError: (text, write) => write(usageError(text)),
      getOutHelpWidth: () => host.stdout.columns,
      getErrHelpWidth: () => host.stderr.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride();
  return program;
}

/** Suggests a command for `poundlock gemm.ts` and `poundlock chek gemm.ts`. */
function unknownVerb(word: string, program: Command): InputError {
  const verbs = program.commands.map((command) => command.name());
  const guess = nearest(word, verbs);
  if (/\.(?:[cm]?[jt]s|cu|ptx|cubin|so|jsonl?)$/i.test(word)) {
    return new InputError(`there is no command ${word}: did you mean \`poundlock check ${word}\`?`);
  }
  const help = guess === undefined ? `there are ${verbs.join(', ')}` : `did you mean ${guess}?`;
  return new InputError(`there is no command ${word}: ${help}`);
}

/** The verb that is called, or whose help is requested: only its module is loaded. */
function verbOf(argv: readonly string[]): string | undefined {
  const words = argv.filter((word) => !word.startsWith('-'));
  return words[0] === 'help' ? words[1] : words[0];
}

/** Lint is in its own package, because it depends on a compiler. */
async function loaded(name: string, load: VerbEntry['load']): Promise<Verb> {
  try {
    return await load();
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing || !String(error).includes(`'${LINT_PACKAGE}'`)) throw error;
    // Both, since this one may be that of a cache or of all users, which finds none of a project.
    const install = `npm install --save-dev poundlock ${LINT_PACKAGE} typescript@7.0`;
    const needs = `\`poundlock ${name}\` needs the package ${LINT_PACKAGE} beside it`;
    throw new InputError(`${needs}: ${install}, then npx poundlock ${name}`);
  }
}

async function run(argv: readonly string[], host: Host): Promise<number> {
  const program = commandLine(host);
  let code: number = ExitCode.couldNotRun;
  const called = verbOf(argv);
  for (const [name, { description, load }] of Object.entries(VERBS)) {
    const command = program.command(name).description(description);
    if (name !== called) continue;
    const verb = await loaded(name, load);
    verb(command, host, (answer) => void (code = answer));
  }
  program.on('command:*', ([word = '']: string[]) => {
    throw unknownVerb(word, program);
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed the help, the version or the error; only help and version return 0.
    return error.exitCode === 0 ? ExitCode.clean : ExitCode.couldNotRun;
  }
  return code;
}

/**
 * Runs the command line and returns the exit code. Every error is reported on stderr in one
 * line.
 */
export async function main(argv: readonly string[], host: Host): Promise<number> {
  try {
    return await run(argv, host);
  } catch (error) {
    host.stderr.write(failureLines(error, host));
    return ExitCode.couldNotRun;
  }
}

/** Runs the command line in this process and ends it. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  const host = processHost();
  // What ends the process before the work is done is no success.
  process.exitCode = ExitCode.couldNotRun;
  let code = await main(argv, host);
  for (const { file, error } of host.lateFailures()) {
    host.stderr.write(failureLines(error, host, file));
    code = ExitCode.couldNotRun;
  }
  await endWith(code);
}
