// Compiles the recorder's library, and the stand-in driver, at their first use, into the cache.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '@poundlock/core/internal/base';
import { privateFolder } from './recorded-folder.ts';

/** The machine on which the library is to run. */
export interface Machine {
  /** As Node names it, such as `linux`. */
  readonly platform: string;
  /** As Node names it, such as `x64`. */
  readonly architecture: string;
  /** The version of glibc; `undefined` where the C library is another one. */
  readonly glibc: string | undefined;
  /** The folder of the user's caches. */
  readonly cache: string;
  /** The C compiler. */
  readonly compiler: string;
  /** Makes names of drafts differ between processes. */
  readonly process: number;
}

const NATIVE = fileURLToPath(new URL('../../native/', import.meta.url));
/** What programs load as the driver, and what its folder is named by. */
const DRIVER = 'libcuda.so.1';
const FLAGS = ['-std=gnu11', '-O2', '-shared', '-fPIC', '-fvisibility=hidden'];
const LIBRARIES = ['-ldl', '-lpthread'];
const COMPILE_TIMEOUT_MS = 120_000;
const TRY_TIMEOUT_MS = 10_000;

/** The files of a library; the driver includes types of the recorder. */
function sources(folder: string): string[] {
  return readdirSync(join(NATIVE, folder))
    .filter((name) => /\.[ch]$/.test(name))
    .toSorted()
    .map((name) => join(folder, name));
}

/** The cache holds one library for each state of the sources, machine and C library. */
function keyOf({ architecture, glibc, compiler }: Machine, files: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([architecture, glibc, compiler, FLAGS]));
  for (const name of files) hash.update(`${name}\0`).update(readFileSync(join(NATIVE, name)));
  return hash.digest('hex').slice(0, 20);
}

/**
 * The path of the recorder's library, compiled if it is not there yet.
 *
 * @throws InputError where it cannot run or cannot be compiled.
 */
export function compileLibrary(machine: Machine): string {
  mustBeGlibc(machine);
  const files = sources('record');
  const library = join(machine.cache, 'poundlock', `record-${keyOf(machine, files)}.so`);
  return compiled(library, files, [], machine);
}

/**
 * The path of the stand-in driver, compiled if it is not there yet.
 *
 * @throws InputError where it cannot run or cannot be compiled.
 */
export function compileDriver(machine: Machine): string {
  mustBeGlibc(machine);
  const files = [...sources('driver'), join('record', 'driver-types.h')];
  const folder = join(machine.cache, 'poundlock', `driver-${keyOf(machine, files)}`);
  const flags = [`-Wl,-soname,${DRIVER}`];
  return compiled(join(folder, DRIVER), files, flags, machine);
}

function mustBeGlibc(machine: Machine): void {
  if (machine.platform !== 'linux' || machine.glibc === undefined)
    throw new InputError(
      'record needs Linux with glibc: elsewhere, `poundlock launch FILE.ptx` writes a launch file',
    );
}

function compiled(
  library: string,
  files: readonly string[],
  flags: readonly string[],
  machine: Machine,
): string {
  if (existsSync(library)) return library;
  privateFolder(dirname(library));
  const draft = `${library}.${machine.process}.tmp`;
  try {
    compileTo(draft, files, flags, machine.compiler);
    tryOut(draft);
    renameSync(draft, library);
  } finally {
    rmSync(draft, { force: true });
  }
  return library;
}

function compileTo(
  draft: string,
  files: readonly string[],
  flags: readonly string[],
  compiler: string,
): void {
  const units = files.filter((name) => name.endsWith('.c'));
  const args = [...FLAGS, ...flags, '-o', draft, ...units, ...LIBRARIES];
  const options = { cwd: NATIVE, encoding: 'utf8', timeout: COMPILE_TIMEOUT_MS } as const;
  const { error, status, stderr } = spawnSync(compiler, args, options);
  if (error !== undefined && 'code' in error && error.code === 'ENOENT')
    throw new InputError(
      `record compiles a small C library at its first use, and ${compiler} is not installed: ` +
        'install gcc or clang, or name one with CC',
    );
  if (status !== 0) {
    const reason = stderr?.split('\n').find((line) => /error/i.test(line)) ?? error?.message;
    throw new InputError(`${compiler} cannot compile the recorder's library: ${reason ?? status}`);
  }
}

/** A program that does nothing must run with the library as without it. */
function tryOut(library: string): void {
  const env = { PATH: '/usr/bin:/bin', LD_PRELOAD: library };
  const options = { env, encoding: 'utf8', timeout: TRY_TIMEOUT_MS } as const;
  const { status, stderr } = spawnSync('true', [], options);
  if (status !== 0 || stderr !== '')
    throw new InputError(
      `the recorder's library does not work here: ${stderr || `code ${status}`}`,
    );
}
