// Reads the text of a program: a module with its imports, or PTX with its launch files.
import { dirname, relative, resolve, sep } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { readText, type Host } from '@poundlock/core/internal/host';
import type { Kernel } from '@poundlock/core/internal/program';
import { loadKernel } from '../load-kernel.ts';
import { isPtx, isSteps, ptxOptions } from '../load-ptx.ts';
import { modulesOf } from '../module-graph.ts';
import { programOf, type JobProgram, type ProgramFile } from './job.ts';

/** The most characters of a program that can be a job. */
const MAX_PROGRAM = 64 * 1024 * 1024;

/** A program on disk, as jobs have it. */
export interface ReadProgram {
  /** The folder that names in its results are relative to. */
  readonly folder: string;
  readonly program: JobProgram;
}

/** A program and its kernel. */
export interface LoadedProgram extends ReadProgram {
  readonly kernel: Kernel;
}

/** Loads the kernel of a file, and reads the text of its program. */
export async function loadProgram(
  file: string,
  host: Host,
  timeoutMs?: number,
): Promise<LoadedProgram> {
  const path = resolve(host.cwd, file);
  if (isSteps(path)) throw new InputError('a steps file is no program that jobs can be made of');
  const kernel = await loadKernel(file, host, timeoutMs);
  const read = isPtx(path) ? await readPtxProgram(file, host) : readModules(path);
  return { ...read, kernel };
}

/** The modules of a kernel that was loaded. */
function readModules(path: string): ReadProgram {
  const [entry, ...others] = modulesOf(path);
  const folder = dirname(entry!);
  const files = [entry!, ...others].map((each) => readFile(each, folder));
  mustBeSmall(files);
  const sorted = files.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  const program = programOf({ kind: 'module', entry: files[0]!.file, files: sorted });
  return { folder, program };
}

function readFile(path: string, folder: string): ProgramFile {
  const file = relative(folder, path).split(sep).join('/');
  return { file, text: readText(path, file) };
}

function mustBeSmall(files: readonly ProgramFile[]): void {
  const length = files.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= MAX_PROGRAM) return;
  throw new InputError(`its text has more than ${MAX_PROGRAM} characters`);
}

/** A kernel as built, without running it. */
export async function readPtxProgram(file: string, host: Host): Promise<ReadProgram> {
  const options = await ptxOptions(file, host);
  const { ptx, launch, otherLaunches = [], launchIndex, entry, assumeBoxes = false } = options;
  const folder = dirname(resolve(host.cwd, ptx.file));
  const inFolder = (each: ProgramFile): ProgramFile => {
    return { ...each, file: relative(folder, resolve(host.cwd, each.file)).split(sep).join('/') };
  };
  const texts = [ptx, launch, ...otherLaunches];
  mustBeSmall(texts);
  const program = programOf({
    kind: 'ptx',
    ptx: inFolder(ptx),
    launch: inFolder(launch),
    otherLaunches: otherLaunches.map(inFolder),
    assumeBoxes,
    ...(launchIndex !== undefined && { launchIndex }),
    ...(entry !== undefined && { kernel: entry }),
  });
  return { folder, program };
}
