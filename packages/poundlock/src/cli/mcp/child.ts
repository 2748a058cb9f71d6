// Runs a command of poundlock in a process that may only read, with limits of time and memory.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Megabytes of the heap of a child. */
const MAX_HEAP_MB = 3_000;
/** The most characters that are read of each of its outputs; the first and the last are passed. */
const MAX_OUTPUT = 2_000_000;
/** Seconds that a child has beyond its own time-out, in which it reports what it knows. */
const GRACE_SECONDS = 3;

const PACKAGE = realpathSync(fileURLToPath(new URL('../../../', import.meta.url)));

/** What a child printed. */
export interface ChildOutcome {
  /** `null` where it was ended from outside. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a child is started. */
export interface ChildLimits {
  /** Its folder, the only one beside packages that it can read. */
  readonly cwd: string;
  readonly seconds: number;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/** Runs `poundlock …words`. */
export function runChild(
  words: readonly string[],
  { cwd, seconds, signal }: ChildLimits,
): Promise<ChildOutcome> {
  const bin = join(PACKAGE, 'bin', 'poundlock.js');
  const heap = `--max-old-space-size=${MAX_HEAP_MB}`;
  const child = spawn(process.execPath, [heap, ...permissions(cwd), bin, ...words], {
    cwd,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
    timeout: (seconds + GRACE_SECONDS) * 1000,
  });
  const stdout = collected(child.stdout);
  const stderr = collected(child.stderr);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => void done({ code, stdout: stdout(), stderr: stderr() }));
  });
}

function collected(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text += chunk;
    if (text.length <= MAX_OUTPUT) return;
    const half = MAX_OUTPUT / 4;
    text = `${text.slice(0, half)}\n[…]\n${text.slice(-half)}`;
  });
  return () => text;
}

/** Nothing of this process's environment but what a Node needs: it may hold secrets. */
function environment(): NodeJS.ProcessEnv {
  const passed = ['PATH', 'SystemRoot', 'TEMP', 'TMPDIR', 'LANG'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // The packages of this repository find their sources by it.
  const isSource = import.meta.url.endsWith('.ts');
  const options = isSource ? { NODE_OPTIONS: '--conditions=poundlock-source' } : {};
  return { ...Object.fromEntries(passed), ...options, NO_COLOR: '1', NODE_NO_WARNINGS: '1' };
}

/** Reading its folder and the code of packages: no writing, no processes, no threads. */
function permissions(cwd: string): string[] {
  const folders = new Set([cwd, ...codeFolders()]);
  const reads = [...folders].map((folder) => `--allow-fs-read=${folder}`);
  return ['--permission', ...reads];
}

/** This package, and the folders of installed packages that it finds its dependencies in. */
function codeFolders(): string[] {
  const require = createRequire(join(PACKAGE, 'package.json'));
  const homes = (require.resolve.paths('commander') ?? []).filter((path) => existsSync(path));
  const own = ['core', 'dialects', 'ptx', 'ring'].map((name) => {
    const found = homes
      .map((home) => join(home, '@poundlock', name))
      .find((path) => existsSync(path));
    return found === undefined ? [] : [realpathSync(found)];
  });
  return [PACKAGE, ...homes.filter((path) => isOf(path)), ...own.flat()];
}

/** Global folders of modules belong to others. */
function isOf(path: string): boolean {
  const owner = dirname(path);
  return PACKAGE.startsWith(owner.endsWith(sep) ? owner : `${owner}${sep}`);
}
