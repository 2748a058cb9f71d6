// `poundlock lint`: is every handle released exactly once on every path of the source?
import process from 'node:process';
import { InputError, requireWord } from '@poundlock/core/internal/base';
import { completedResults } from '@poundlock/core/internal/finding';
import { ExitCode } from '../exit-code.ts';
import type { Host } from '@poundlock/core/internal/host';
import {
  discover,
  lintOnce,
  SharedCompiler,
  type LintRequest,
} from '@poundlock/lint/internal/command';
import {
  addReporterOptions,
  writableTargets,
  writeReport,
  type ReporterOptions,
} from '../options/reporters.ts';
import { version } from '../version.ts';
import { repeatOnChange } from '../watch.ts';
import type { Verb } from './verb.ts';

interface Options extends ReporterOptions {
  readonly strict?: true;
  readonly sound?: string;
  readonly tests: string;
  readonly fix?: true;
  readonly baseline?: string;
  readonly updateBaseline?: true;
  readonly cache: boolean;
  readonly watch?: true;
}

const EXAMPLES = `
Examples:
  poundlock lint src                              every file below src
  poundlock lint 'packages/*/src/**/*.ts' --fix   and apply the safe fixes
  poundlock lint src --baseline lint.json --update-baseline   accept the current findings
  poundlock lint src --baseline lint.json         report only new findings

A finding is suppressed by a comment with a reason on the line before it:
  // poundlock-ignore-next-line leak -- lives as long as the process

Exit code: 0 no findings but notes, 1 findings, 2 could not run, or not for every file`;

/**
 * By how much the heap of TypeScript's process, which ends with this one, grows between two
 * collections, in percent. It reads that from the environment.
 */
const HEAP_GROWTH = '400';

async function run(words: readonly string[], options: Options, host: Host): Promise<ExitCode> {
  const { strict = false, fix = false, baseline, updateBaseline = false, cache } = options;
  if (updateBaseline && baseline === undefined) {
    throw new InputError('--update-baseline needs --baseline FILE');
  }
  const targets = writableTargets(options, host);
  let sources: readonly string[] = [];
  const compiler = options.watch === undefined ? undefined : new SharedCompiler();
  const request = (): LintRequest => ({
    files: discover(words, host.cwd),
    strict,
    sound: soundMode(options.sound),
    tests: testsMode(options.tests),
    fix,
    // What is in the cache does not say which files were read.
    cache: cache && options.watch === undefined,
    onSources: (read) => void (sources = read.filter((path) => !path.includes('/node_modules/'))),
    baseline,
    updateBaseline,
    ...(compiler !== undefined && { compiler }),
    version: version(),
  });
  const once = async (): Promise<ExitCode> => {
    const report = await lintOnce(request(), host);
    await writeReport(report, targets, host);
    const isComplete = completedResults(report).every(({ unread }) => unread === 0);
    if (!isComplete) return ExitCode.couldNotRun;
    const isClean = report.findings.every(({ severity }) => severity === 'note');
    return isClean ? ExitCode.clean : ExitCode.findings;
  };
  if (compiler === undefined) {
    process.env['GOGC'] ??= HEAP_GROWTH;
    return once();
  }
  const files = (): readonly string[] => [...new Set([...request().files, ...sources])];
  try {
    return await repeatOnChange({ once, files }, host);
  } finally {
    compiler.close();
  }
}

/** `--sound` and `--sound=raises`. */
function soundMode(word: string | undefined): LintRequest['sound'] {
  if (word === undefined) return undefined;
  requireWord('--sound', word, ['calls', 'raises'] as const);
  return word;
}

/** `--tests=error`. */
function testsMode(word: string): LintRequest['tests'] {
  requireWord('--tests', word, ['notes', 'error'] as const);
  return word;
}

export const lintVerb: Verb = (command, host, done) => {
  // The word after `--sound` is a file: its value stands behind a `=`.
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (words) =>
    parse(words.map((word) => (word === '--sound' ? '--sound=calls' : word)));
  command
    .argument('<FILE...>', 'files, directories and globs of TypeScript or JavaScript')
    .option('--strict', 'treat calls to unknown functions as potentially throwing')
    .option('--sound [CALLS]', 'prove every file; `raises`: only calls that are known to throw do')
    .option('--tests <LEVEL>', 'findings in tests: `notes`, or `error` as elsewhere', 'notes')
    .option('--fix', 'apply the safe fixes')
    .option('--baseline <FILE>', 'report only findings that this file does not list')
    .option('--update-baseline', 'write all findings to the baseline');
  addReporterOptions(command)
    .option('--no-cache', 'do not cache results')
    .option('--watch', 'lint again whenever a file or an import of it changes')
    .addHelpText('after', EXAMPLES)
    .action(async (words: string[], options: Options) => done(await run(words, options, host)));
};
