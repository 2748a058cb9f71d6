// `poundlock hang`: which warp owes what, from what a hung GPU left behind.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { documentation, InputError } from '@poundlock/core/internal/base';
import type { Host } from '@poundlock/core/internal/host';
import {
  readCoreDump,
  readDebuggerText,
  type ByteSource,
  type HangVerdict,
  type StoppedGpu,
} from '../../hang/index.ts';
import { hangText } from '../../report/index.ts';
import { ExitCode, worst } from '../exit-code.ts';
import { openFile } from '../hang/file-source.ts';
import { reportHang, type HangChoice, type HangReport } from '../hang/hang-report.ts';
import { readPtxFile } from '../hang/kernel-source.ts';
import { changesBetween } from '../hang/later-dump.ts';
import { hangDocument, shownHang } from '../hang/shown-hang.ts';
import { readCount, readTime } from '../options/amount.ts';
import { addColorOptions, readColor, type ColorOptions } from '../options/color.ts';

import { reporterEnvironment } from '../reporter-environment.ts';
import type { Verb } from './verb.ts';

interface Options extends ColorOptions {
  /** Whether the arguments are a command. */
  readonly command?: boolean;
  readonly after?: string;
  readonly out?: string;
  readonly pid?: string;
  readonly text?: string;
  readonly ptx?: string;
  readonly launch?: string;
  readonly launchIndex: string;
  readonly emitPtx?: string;
  readonly timeout: string;
  readonly verbose?: true;
  readonly json?: true;
}

const EXAMPLES = `
Examples:
  poundlock hang hang.core                          a core dump of a GPU that hangs
  poundlock hang hang.core --launch launch.json     one without the parameters of the launch
  poundlock hang --after 2m -- python train.py      runs the program, and triggers the dump

How to write a dump: ${documentation('how-to/hang.md')}

Exit code: 1 the hang or the exception is explained; 0 the kernel is slow, and not hung;
3 cannot say; 2 not a dump`;

const CODES: Readonly<Record<HangVerdict, ExitCode>> = {
  deadlock: ExitCode.findings,
  exception: ExitCode.findings,
  slow: ExitCode.clean,
  unexplained: ExitCode.inconclusive,
};

async function run(words: readonly string[], options: Options, host: Host): Promise<number> {
  const { text, pid, after } = options;
  const isCommand = options.command === true;
  const doors = [isCommand || words.length > 0, text !== undefined, pid !== undefined];
  if (doors.filter(Boolean).length !== 1)
    throw new InputError(
      'name one of these: the core dump of a GPU that hangs, a command behind --, --text or --pid',
    );
  if (after !== undefined && !isCommand) throw new InputError('--after is for a command behind --');
  const choice = readChoice(options, host);
  if (isCommand) return runCommand(words, options, choice, host);
  if (pid !== undefined) return ofProcess(readCount('--pid', pid), options, choice, host);
  if (words.length > 2) throw new InputError('name one core dump, or two of one hang');
  return ofFiles(words, options, choice, host);
}

function readChoice(options: Options, host: Host): HangChoice {
  return {
    ptx: options.ptx === undefined ? undefined : readPtxFile(options.ptx, host),
    launch: options.launch,
    launchIndex: readCount('--launch-index', options.launchIndex, 0),
    emit: options.emitPtx,
    timeoutMs: readTime('--timeout', options.timeout),
  };
}

/** Explains a dump, the text of a debugger, or the later one of two dumps. */
async function ofFiles(
  files: readonly string[],
  options: Options,
  choice: HangChoice,
  host: Host,
): Promise<ExitCode> {
  const { text } = options;
  const opened = (text === undefined ? files : [text]).map((file) => openFile(file, host));
  try {
    const reports: HangReport[] = [];
    for (const { source } of opened) {
      const gpu = text === undefined ? readCoreDump(source) : readText(source);
      reports.push(await reportHang(gpu, choice, host));
    }
    const report = reports.at(-1)!;
    const [first, second] = reports;
    const changes = second === undefined ? [] : changesBetween(first!.table, second.table);
    const { explanation } = report;
    const notes = [...changes, ...explanation.notes];
    write({ ...report, explanation: { ...explanation, notes } }, options, host);
    return CODES[explanation.verdict];
  } finally {
    for (const { close } of opened) close();
  }
}

/** Runs a command until its GPU hangs, and explains each dump. */
async function runCommand(
  command: readonly string[],
  options: Options,
  choice: HangChoice,
  host: Host,
): Promise<number> {
  if (command.length === 0) throw new InputError('write the command behind --');
  const { out, after } = options;
  const folder =
    out === undefined ? mkdtempSync(join(tmpdir(), 'poundlock-hang-')) : resolve(host.cwd, out);
  const afterMs = after === undefined ? null : readTime('--after', after);
  const { runHanging } = await import('../hang/hanging-command.ts');
  try {
    const { dumps, recorded, code } = await runHanging(command, folder, afterMs, host);
    if (dumps.length === 0) {
      host.stderr.write('poundlock: the command ended, or no GPU was stopped: there is no dump\n');
      return code ?? ExitCode.inconclusive;
    }
    const launch = choice.launch ?? recorded ?? undefined;
    const codes: ExitCode[] = [];
    for (const dump of dumps) codes.push(await ofDump(dump, options, { ...choice, launch }, host));
    return worst(codes);
  } finally {
    if (out === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Explains a dump; without its launch where the recording has none. */
async function ofDump(
  dump: string,
  options: Options,
  choice: HangChoice,
  host: Host,
): Promise<ExitCode> {
  try {
    return await ofFiles([dump], options, choice, host);
  } catch (error) {
    if (!(error instanceof InputError) || options.launch !== undefined) throw error;
    return ofFiles([dump], options, { ...choice, launch: undefined }, host);
  }
}

/** Triggers the dump of a process, and explains it. */
async function ofProcess(
  pid: number,
  options: Options,
  choice: HangChoice,
  host: Host,
): Promise<ExitCode> {
  const { placesOfProcess, triggerDump, whenWritten } = await import('../hang/trigger.ts');
  const { pipe, file } = placesOfProcess(pid);
  if (!triggerDump(pipe)) throw new InputError(`--pid ${pid}: nothing reads from ${pipe}`);
  const [dump] = await whenWritten(
    () => [file],
    host.now,
    () => false,
  );
  if (dump === undefined) throw new InputError(`--pid ${pid}: no dump was written to ${file}`);
  return ofFiles([dump], options, choice, host);
}

/** The most bytes of the text of a debugger. */
const MAX_TEXT = 1 << 26;

function readText(source: ByteSource): StoppedGpu {
  if (source.size > MAX_TEXT)
    throw new InputError(`${source.name} has more than ${MAX_TEXT} bytes`);
  const bytes = source.read(0, source.size);
  return readDebuggerText(new TextDecoder().decode(bytes), source.name);
}

function write(report: HangReport, options: Options, host: Host): void {
  if (options.json === true) {
    host.stdout.write(`${JSON.stringify(hangDocument(report, host), null, 2)}\n`);
    return;
  }
  const schedules = options.verbose === true ? 'folded' : 'hidden';
  const environment = reporterEnvironment(host, host.stdout, {
    schedules,
    color: readColor(options),
  });
  const { ptx } = report;
  const lines = ptx === undefined || ptx.isFile ? [] : ptx.text.split('\n');
  const sourceLine = (name: string, line: number): string | undefined => {
    // The PTX of a dump is in no file.
    return name === ptx?.file && lines.length > 0
      ? lines[line - 1]
      : environment.sourceLine(name, line);
  };
  host.stdout.write(hangText(shownHang(report, host), { ...environment, sourceLine }));
}

export const hangVerb: Verb = (command, host, done) => {
  addColorOptions(command)
    .argument('[DUMP...]', 'a core dump of a GPU, two of one hang, or a command behind --')
    .option('--after <TIME>', 'with a command: trigger the dump then (default: at Ctrl-\\)')
    .option('--out <DIR>', 'with a command: the folder that gets the dump and the recording')
    .option('--pid <N>', 'trigger the dump of a process that was started with the variables')
    .option('--text <FILE>', 'the output of cuda-gdb in place of a dump; - is stdin')
    .option('--ptx <FILE>', 'PTX, a cubin or another dump, where the dump has no PTX')
    .addOption(
      new Option(
        '--launch <FILE.json>',
        'how the kernel was launched, or a folder of record (default: what the dump has)',
      ),
    )
    .option('--launch-index <N>', 'which launch of the file, from 0', '0')
    .option('--emit-ptx <FILE>', 'write the PTX of the dump, so that findings can be replayed')
    .option('--timeout <TIME>', 'how long the cause is looked for', '30s')
    .option('--verbose', 'show the schedule of the finding as a space-time table')
    .option('--json', `the table and the cause as JSON: ${documentation('schema/hang.json')}`)
    .addHelpText('after', EXAMPLES)
    .action(async (words: string[], options: Options) => {
      const { rawArgs = [] } = (command.parent ?? {}) as { readonly rawArgs?: readonly string[] };
      done(await run(words, { ...options, command: rawArgs.includes('--') }, host));
    });
};
