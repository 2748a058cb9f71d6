// Compiles the recorder's library at its first use, into the user's cache folder.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
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

const SOURCES = fileURLToPath(new URL('../../native/record/', import.meta.url));
const FLAGS = ['-std=gnu11', '-O2', '-shared', '-fPIC', '-fvisibility=hidden'];
const LIBRARIES = ['-ldl', '-lpthread'];
const COMPILE_TIMEOUT_MS = 120_000;
const TRY_TIMEOUT_MS = 10_000;

function sources(): string[] {
  return readdirSync(SOURCES)
    .filter((name) => /\.[ch]$/.test(name))
    .toSorted();
}

/** The cache holds one library for each state of the sources, machine and C library. */
function keyOf({ architecture, glibc, compiler }: Machine): string {
  const hash = createHash('sha256').update(JSON.stringify([architecture, glibc, compiler, FLAGS]));
  for (const name of sources()) hash.update(`${name}\0`).update(readFileSync(join(SOURCES, name)));
  return hash.digest('hex').slice(0, 20);
}

/**
 * The path of the library, compiled if it is not there yet.
 *
 * @throws InputError where it cannot run or cannot be compiled.
 */
export function compileLibrary(machine: Machine): string {
  if (machine.platform !== 'linux' || machine.glibc === undefined)
    throw new InputError(
      'record needs Linux with glibc: elsewhere, write launch.json by hand (docs/how-to/ptx.md)',
    );
  const folder = join(machine.cache, 'poundlock');
  const library = join(folder, `record-${keyOf(machine)}.so`);
  if (existsSync(library)) return library;
  privateFolder(folder);
  const draft = `${library}.${machine.process}.tmp`;
  try {
    compileTo(draft, machine.compiler);
    tryOut(draft);
    renameSync(draft, library);
  } finally {
    rmSync(draft, { force: true });
  }
  return library;
}

function compileTo(draft: string, compiler: string): void {
  const files = sources().filter((name) => name.endsWith('.c'));
  const args = [...FLAGS, '-o', draft, ...files, ...LIBRARIES];
  const options = { cwd: SOURCES, encoding: 'utf8', timeout: COMPILE_TIMEOUT_MS } as const;
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
