// The kernel of a job's program, in a thread that runs jobs: each program is loaded once.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { fileName, type Host } from '@poundlock/core/internal/host';
import type { Kernel } from '@poundlock/core/internal/program';
import type { PtxKernelOptions } from '@poundlock/ptx/internal/kernel/kernel';
import { loadKernel } from '../load-kernel.ts';
import { programOf, type JobProgram, type ModuleProgram, type PtxProgram } from './job.ts';
import { withSource } from '../program-source.ts';
import { loadProgram } from './read-program.ts';

/** Where a thread gets the program of a job from. */
export type ProgramSource =
  /** A file of this machine, whose text must have the hash. */
  | { readonly path: string; readonly sha256: string }
  /** The text itself, from another machine. */
  | { readonly program: JobProgram };

/** A kernel, and how the files of its results are named. */
export interface JobKernel {
  readonly kernel: Kernel;
  readonly name: (file: string) => string;
  /** The text of a kernel as built; `null` for a program. */
  readonly built: PtxKernelOptions | null;
}

/** The most programs that one thread keeps. */
const MAX_PROGRAMS = 64;

/** Loads programs and keeps them. */
export class JobKernels {
  readonly #host: Host;
  readonly #loaded = new Map<string, Promise<JobKernel>>();

  constructor(host: Host) {
    this.#host = host;
  }

  of(source: ProgramSource): Promise<JobKernel> {
    const sha256 = 'program' in source ? source.program.sha256 : source.sha256;
    const known = this.#loaded.get(sha256);
    if (known !== undefined) return known;
    if (this.#loaded.size >= MAX_PROGRAMS) this.#loaded.clear();
    const loading = this.#load(source);
    this.#loaded.set(sha256, loading);
    return loading;
  }

  async #load(source: ProgramSource): Promise<JobKernel> {
    if ('path' in source) return this.#loadFile(source.path, source.sha256);
    const { sha256, text } = source.program;
    if (programOf(text).sha256 !== sha256)
      throw new InputError(`the text of the program does not have the hash ${sha256}`);
    return text.kind === 'ptx' ? kernelOfPtx(text) : this.#loadText(text);
  }

  async #loadFile(path: string, sha256: string): Promise<JobKernel> {
    const { kernel, program, folder } = await loadProgram(path, this.#host);
    if (program.sha256 !== sha256)
      throw new InputError('the program was changed after the command had started');
    if (program.text.kind === 'ptx') return kernelOfPtx(program.text);
    return { kernel, name: (file) => fileName(file, folder), built: null };
  }

  /** Modules are written to a folder of their own, and executed: only for those who are trusted. */
  async #loadText(text: ModuleProgram): Promise<JobKernel> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'poundlock-program-')));
    try {
      const folder = folderFor(text, root);
      for (const { file, text: content } of text.files) {
        const path = resolve(folder, file);
        if (!path.startsWith(root + sep))
          throw new InputError(`${file}: is outside of the program`);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      }
      const entry = join(folder, text.entry);
      const loaded = await loadKernel(entry, this.#host);
      // The files are gone when a proof asks for them.
      const texts = new Map(text.files.map((each) => [resolve(folder, each.file), each.text]));
      const kernel = withSource(loaded, entry, (file) => texts.get(file)!);
      return { kernel, name: (file) => fileName(file, folder), built: null };
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
}

/** The folder of the entry: so deep that every name of the program stays inside of the root. */
function folderFor({ files }: ModuleProgram, root: string): string {
  const up = files.map(({ file }) => file.split('/').filter((part) => part === '..').length);
  const depth = up.reduce((most, each) => Math.max(most, each), 0);
  return join(root, ...Array.from({ length: depth + 1 }, () => 'p'));
}

/** A kernel as built needs no file. */
async function kernelOfPtx(text: PtxProgram): Promise<JobKernel> {
  const { ptxKernel } = await import('@poundlock/ptx/internal/kernel/kernel');
  const { ptx, launch, otherLaunches, launchIndex, kernel: entry, assumeBoxes } = text;
  const built: PtxKernelOptions = {
    ptx,
    launch,
    otherLaunches,
    assumeBoxes,
    ...(launchIndex !== undefined && { launchIndex }),
    ...(entry !== undefined && { entry }),
  };
  const name = (file: string): string => (file.startsWith('/') ? relative('/', file) : file);
  return { kernel: ptxKernel(built), name, built };
}
