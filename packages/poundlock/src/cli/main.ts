// The command line: arguments in, exit code out.
import { Command, CommanderError } from 'commander';
import { InputError, nearest } from '@poundlock/core/internal/base';
import { ExitCode } from './exit-code.ts';
import { failureLines, oneLine, type Host } from '@poundlock/core/internal/host';
import { processHost } from './process-host.ts';
import { VERBS } from './verbs/index.ts';
import { version } from './version.ts';

const EXAMPLES = `
Examples:
  poundlock check gemm.ts --sweep stages=1..4
  poundlock explain deadlock`;

/** `error: unknown option '--sett'\n(Did you mean --set?)` as one line of ours. */
function usageError(text: string): string {
  return `poundlock: ${oneLine(text.replace(/^error: /, ''))}\n`;
}

function commandLine(host: Host): Command {
  const program = new Command('poundlock')
    .description(
      'Checks programs made of pipelines: rings of stages behind full and empty barriers.',
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

/** `poundlock gemm.ts` and `poundlock chek gemm.ts` are told what they probably mean. */
function unknownVerb(word: string, program: Command): InputError {
  const verbs = program.commands.map((command) => command.name());
  const guess = nearest(word, verbs);
  if (/\.[cm]?[jt]s$/.test(word)) {
    return new InputError(`there is no verb ${word}: did you mean \`poundlock check ${word}\`?`);
  }
  const help = guess === undefined ? `there are ${verbs.join(', ')}` : `did you mean ${guess}?`;
  return new InputError(`there is no verb ${word}: ${help}`);
}

async function run(argv: readonly string[], host: Host): Promise<ExitCode> {
  const program = commandLine(host);
  let code: ExitCode = ExitCode.couldNotRun;
  for (const verb of VERBS) verb(program, host, (answer) => void (code = answer));
  program.on('command:*', ([word = '']: string[]) => {
    throw unknownVerb(word, program);
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has written the help, the version or the error; only they end with 0.
    return error.exitCode === 0 ? ExitCode.clean : ExitCode.couldNotRun;
  }
  return code;
}

/**
 * Runs the command line and answers the exit code. Everything that goes wrong is told on stderr in
 * one line.
 */
export async function main(argv: readonly string[], host: Host = processHost()): Promise<ExitCode> {
  try {
    return await run(argv, host);
  } catch (error) {
    host.stderr.write(failureLines(error, host));
    return ExitCode.couldNotRun;
  }
}
