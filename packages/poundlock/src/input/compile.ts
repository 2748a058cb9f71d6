// CUDA sources through the user's own compiler, into a private folder.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';

/** How a source is compiled. */
export interface Compiling {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether this process must not start another one. */
  readonly isAlone?: boolean;
  /** The compiler; found unless specified. */
  readonly nvcc: string | undefined;
  /** The target, such as `sm_90a`. */
  readonly gpu: string | undefined;
  /** Words that the compiler gets, too. */
  readonly flags: readonly string[];
  /** Gets what the compiler itself writes. */
  readonly onMessage: (text: string) => void;
}

const DEFAULT_GPU = 'sm_90a';
const USUAL = '/usr/local/cuda/bin/nvcc';
const MAX_MS = 600_000;
const MAX_OUTPUT = 1 << 24;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a compiler: one that is named, or the first of the usual ones. */
function compilerOf({ cwd, env, nvcc }: Compiling): { path: string; isClang: boolean } | null {
  const onPath = (name: string): string[] => {
    return (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  };
  const wanted = nvcc ?? env['NVCC'];
  const named = wanted?.includes('/') === true ? [resolve(cwd, wanted)] : onPath(wanted ?? 'nvcc');
  const others = wanted === undefined ? [USUAL, ...onPath('clang++')] : [];
  const path = [...named, ...others].find(isExecutable);
  return path === undefined ? null : { path, isClang: /clang/.test(path.split('/').at(-1)!) };
}

/** Compiles a CUDA source to PTX. @throws InputError where that fails, with what to run. */
export function compileCuda(source: string, shown: string, compiling: Compiling): string {
  const gpu = compiling.gpu ?? DEFAULT_GPU;
  const compiler = compiling.isAlone === true ? null : compilerOf(compiling);
  const ptx = shown.replace(/\.[^.]*$/, '.ptx');
  if (compiler === null) {
    const { nvcc, isAlone } = compiling;
    const missing = nvcc === undefined ? 'no nvcc and no clang++' : `no ${nvcc}`;
    const why = isAlone === true ? 'no compiler is started' : `${missing} here`;
    const command = `nvcc -arch=${gpu} -lineinfo -ptx ${shown} -o ${ptx}`;
    throw new InputError(`${why}: where nvcc is, run ${command}, then check ${ptx}`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-'));
  try {
    const out = join(folder, 'kernel.ptx');
    const words = compiler.isClang
      ? [`--cuda-gpu-arch=${gpu}`, '--cuda-device-only', '-S', '-gline-tables-only']
      : [`-arch=${gpu}`, '-lineinfo', '-ptx'];
    const done = spawnSync(compiler.path, [...words, ...compiling.flags, source, '-o', out], {
      cwd: compiling.cwd,
      env: compiling.env as NodeJS.ProcessEnv,
      encoding: 'utf8',
      timeout: MAX_MS,
      maxBuffer: MAX_OUTPUT,
    });
    if (done.stderr !== '' && done.stderr !== null) compiling.onMessage(done.stderr);
    if (done.error !== undefined) throw new InputError(`${compiler.path}: ${done.error.message}`);
    if (done.status !== 0) throw new InputError(`${compiler.path} ended with code ${done.status}`);
    return readFileSync(out, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
