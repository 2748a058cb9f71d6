// `poundlock record`: which kernels does a command launch, and how?
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Option } from 'commander';
import { InputError } from '@poundlock/core/internal/base';
import { fileName, kindOf, systemMessage, type Host } from '@poundlock/core/internal/host';
import {
  chipOf,
  collect,
  collectPython,
  compileLibrary,
  merged,
  privateFolder,
  readCopies,
  summaryLines,
  type Collected,
  type Copies,
} from '../../record/index.ts';
import { CheckSession } from '../check-files.ts';
import { ExitCode } from '../exit-code.ts';
import { acceptOption, readAccepted, readCheckOptions } from '../options/check-options.ts';
import { readCheckConfig, withConfig } from '../options/config.ts';
import { readCount } from '../options/amount.ts';
import { readReplacements } from '../options/replace.ts';
import { writeReport } from '../options/reporters.ts';
import { runCommand } from '../recorded-command.ts';
import { launchFilesBelow } from '../recorded-files.ts';
import type { LibraryOptions } from '../recording-environment.ts';
import { compilerCaches, recordedEnvironment, thisMachine } from '../recording-environment.ts';
import type { WithoutGpu } from '../without-gpu.ts';
import { environmentWithoutGpu, lackingNotes, NOTHING_RAN, USUAL_GPU } from '../without-gpu.ts';
import type { Verb } from './verb.ts';

interface Options {
  readonly out: string;
  readonly kernel?: string;
  readonly launches: string;
  readonly all?: true;
  readonly copy?: readonly string[];
  readonly withIntegers?: readonly string[];
  readonly state?: true;
  readonly follow?: true;
  readonly ptx?: readonly string[];
  readonly from?: string;
  readonly noGpu?: true;
  readonly gpu?: string;
  readonly check?: true;
  readonly accept?: readonly string[];
  readonly replace?: readonly string[];
}

const EXAMPLES = `
Examples:
  poundlock record -- python train.py               the kernels of a program, into recorded/
  poundlock check recorded                          every launch of them
  poundlock record --check --out gemm -- ./gemm     both in one command
  poundlock record --no-gpu --gpu sm_100 -- python train.py
                                                    compile and launch nothing, on any machine
  poundlock record --with-integers 5 -- python varlen.py
                                                    and the small integers behind parameter 5

Exit code: that of the command; with --check, if the command returns 0, that of the checks;
2 could not run`;

/** How the folder with the raw files of a recording begins: it is gone at the end. */
const RAW = '.recording-';

/** The most launches of a kernel. */
const MAX_LAUNCHES = 32;

/** Refuses options without an effect, before anything is recorded. */
function requireEffect(command: readonly string[], options: Options): void {
  if (options.accept !== undefined && options.check !== true)
    throw new InputError('--accept has no effect without --check');
  if (options.gpu !== undefined && options.noGpu !== true)
    throw new InputError('--gpu has no effect without --no-gpu');
  if (options.gpu !== undefined) chipOf(options.gpu);
  if (options.noGpu === true && options.from !== undefined)
    throw new InputError('--no-gpu has no effect with --from');
  // A wrong name is known before anything is recorded.
  readAccepted(options);
  if (options.from === undefined ? command.length === 0 : command.length > 0)
    throw new InputError(
      options.from === undefined
        ? 'write the command to record behind --: poundlock record -- python train.py'
        : '--from takes a recording that is there already, and no command',
    );
  if (options.replace !== undefined && options.from !== undefined)
    throw new InputError('--replace has no effect with --from: no command runs');
  if (options.replace !== undefined && options.noGpu === true)
    throw new InputError('--replace has no effect with --no-gpu: no kernel runs');
}

async function run(command: readonly string[], options: Options, host: Host): Promise<number> {
  requireEffect(command, options);
  const launches = readCount('--launches', options.launches);
  if (launches > MAX_LAUNCHES)
    throw new InputError(`--launches ${launches}: at most ${MAX_LAUNCHES}`);
  const copies = readCopies(options.copy ?? [], options.withIntegers ?? [], options.state === true);
  const replacements = readReplacements(options.replace ?? [], host);
  for (const folder of options.ptx ?? []) mustBeFolder(`--ptx ${folder}`, folder, host);
  if (options.from !== undefined) mustBeFolder(`--from ${options.from}`, options.from, host);
  if (options.from !== undefined) {
    const from = rawFolder(resolve(host.cwd, options.from));
    const out = newFolder(options.out, host, from);
    const collected = collectTo(from, out, launches, copies, options, host);
    // What is collected in place was left by a recording that was killed.
    if (dirname(from) === out) rmSync(from, { recursive: true, force: true });
    return checkAll(ExitCode.clean, collected, options, host);
  }
  const out = newFolder(options.out, host);
  const recording = realpathSync(mkdtempSync(join(out, RAW)));
  try {
    const { kernel, follow = false } = options;
    const settings = { folder: recording, launches, kernel, copies, follow, replacements };
    const { env, notes } = environmentOf(options, settings, host);
    const code = await runCommand(command, env, host);
    const collected = collectTo(recording, out, launches, copies, options, host);
    if (options.noGpu === true)
      for (const line of [...notes, ...lackingNotes(recording), NOTHING_RAN])
        host.stderr.write(`poundlock: note: ${line}\n`);
    noteReplacements(replacements, collected, host);
    return await checkAll(code, collected, options, host);
  } finally {
    rmSync(recording, { recursive: true, force: true });
  }
}

/** Says which kernels were not replaced. */
function noteReplacements(
  replacements: ReadonlyMap<string, string>,
  { notes }: Collected,
  host: Host,
): void {
  for (const name of replacements.keys())
    if (!notes.some((note) => note.includes(`${name} runs from `)))
      host.stderr.write(`poundlock: ${name} was not looked up by name: it is not replaced\n`);
}

/** The environment of the command, with a GPU or without one. */
function environmentOf(
  { noGpu, gpu = USUAL_GPU }: Options,
  settings: Omit<LibraryOptions, 'library'>,
  host: Host,
): WithoutGpu {
  if (noGpu === true) return environmentWithoutGpu(gpu, settings, host);
  const library = compileLibrary(thisMachine(host.env));
  return { env: recordedEnvironment(host.env, { ...settings, library }), notes: [] };
}

function mustBeFolder(shown: string, folder: string, host: Host): void {
  const kind = kindOf(resolve(host.cwd, folder), shown);
  if (kind === 'folder') return;
  throw new InputError(`${shown}: ${kind === null ? 'no such folder' : 'is no folder'}`);
}

/** The raw files in a folder: its own, or those of a recording that was killed. */
function rawFolder(folder: string): string {
  const killed = readdirSync(folder).find(isRaw);
  return killed === undefined ? folder : join(folder, killed);
}

const isRaw = (name: string): boolean => name.startsWith(RAW);

/** A recording does not mix with another one. `from` are raw files that may be in it. */
function newFolder(name: string, host: Host, from?: string): string {
  const path = resolve(host.cwd, name);
  let names: readonly string[];
  try {
    privateFolder(path);
    names = readdirSync(path).filter((each) => join(path, each) !== from);
  } catch (error) {
    throw new InputError(`cannot write ${name}: ${systemMessage(error)}`);
  }
  if (names.length === 0) return path;
  if (names.some(isRaw))
    throw new InputError(
      `${name} has a recording that still runs or was killed: ` +
        `collect it by --from ${name} --out ${name}`,
    );
  throw new InputError(`${name} is not empty: name a new folder with --out`);
}

function collectTo(
  recording: string,
  out: string,
  launches: number,
  copies: Copies,
  { all, kernel, ptx = [] }: Options,
  host: Host,
): Collected {
  const named = ptx.map((folder) => resolve(host.cwd, folder));
  let collected: Collected;
  try {
    const caches = [...named, ...compilerCaches(host.env)];
    const sources = realpathSync(host.cwd);
    const chosen = { recording, out, sources, caches, launches, all: all === true, kernel, copies };
    collected = merged(collect(chosen), collectPython(chosen));
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot collect the recording: ${systemMessage(error)}`);
  }
  const lines = summaryLines(collected, (folder) => fileName(folder, host.cwd));
  for (const line of lines) host.stderr.write(`poundlock: ${line}\n`);
  return collected;
}

/** With `--check`, a command that ends well gets the exit code of the checks. */
async function checkAll(
  code: number,
  { kernels }: Collected,
  { out, check, accept }: Options,
  host: Host,
): Promise<number> {
  if (check !== true || kernels.length === 0) return code;
  const request = { sets: new Map<string, string>(), sweeps: [] };
  const words = { engine: 'auto', sizes: 'requested', ...(accept && { accept }) } as const;
  const chosen = readCheckOptions(withConfig(words, await readCheckConfig(host)), true);
  const files = launchFilesBelow(out, host.cwd);
  const session = new CheckSession(host, { files, request, chosen });
  await writeReport(await session.run(), [{ name: 'terminal' }], host);
  return code === 0 ? session.exitCode : code;
}

/** It is no negation of `--gpu`, which it may be combined with. */
function noGpuOption(): Option {
  const option = new Option('--no-gpu', 'without a GPU: compile kernels, and execute none');
  option.negate = false;
  return option;
}

export const recordVerb: Verb = (command, host, done) => {
  command
    .argument('[COMMAND...]', 'the command and its arguments, behind --')
    .option('--out <DIR>', 'the new folder that gets a folder for each kernel', 'recorded')
    .option('--kernel <GLOB>', 'only kernels with such a name; * and ? match any letters')
    .option('--launches <N>', `launches of a kernel that differ (at most ${MAX_LAUNCHES})`, '4')
    .option('--all', 'kernels without mbarriers, named barriers and asynchronous copies, too')
    .addOption(
      new Option(
        '--copy <PARAMETER:BYTES...>',
        'contents of device memory behind the pointer in a parameter',
      ),
    )
    .addOption(
      new Option(
        '--with-integers <PARAMETER...>',
        'the small integers at the start of the memory behind a parameter, such as offsets',
      ),
    )
    .option('--state', 'the small integers that decide branches, addresses or copies')
    .option('--follow', 'look for tensor maps behind pointers')
    .addOption(
      new Option(
        '--ptx <DIR...>',
        'folders with X.ptx beside X.cubin, such as the cache of a compiler',
      ),
    )
    .addOption(
      new Option(
        '--replace <KERNEL=FILE.ptx...>',
        'run a kernel from another PTX, such as the one of check --delays',
      ),
    )
    .option(
      '--from <DIR>',
      'collect what a killed recording left, or one on a machine without Node',
    )
    .addOption(noGpuOption())
    .option('--gpu <NAME>', `with --no-gpu: the GPU to stand in for (default: "${USUAL_GPU}")`)
    .option('--check', 'check each launch that was recorded')
    .addOption(acceptOption('with --check: '))
    .addHelpText('after', EXAMPLES)
    .action(async (words: string[], options: Options) => done(await run(words, options, host)));
};
