// The wheel of this platform, built twice, and a virtual environment that has it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const { buildWheel, nodePackage } = (await import(join(ROOT, 'scripts', 'wheel.mjs'))) as {
  buildWheel: (platform: string, node: string) => { name: string; bytes: Buffer };
  nodePackage: (platform: string) => string;
};

/** Debian's Python: one of another kind may lack pytest. */
export const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

/** Why the tests are skipped; `false` where they run. */
export const isSkipped: string | false =
  spawnSync(PYTHON, ['-c', 'import ensurepip, pytest, xdist']).status === 0
    ? false
    : 'needs Python with venv, pytest and pytest-xdist: npm run setup python';

/** A wheel that was written to a folder. */
export interface Wheel {
  readonly name: string;
  readonly bytes: Buffer;
  readonly file: string;
  readonly folder: string;
  readonly remove: () => void;
}

/** Builds the wheel of this platform. */
export function build(): { name: string; bytes: Buffer } {
  const platform = `${process.platform}-${process.arch}`;
  return buildWheel(platform, nodePackage(platform));
}

/** Builds it into a temporary folder. */
export function wheel(): Wheel {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-wheel-'));
  const { name, bytes } = build();
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return { name, bytes, file, folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** What a program of an environment writes. */
export type Start = (
  program: string,
  words: readonly string[],
  env?: Readonly<Record<string, string>>,
) => { readonly code: number | null; readonly out: string; readonly err: string };

/** A virtual environment with the wheel, without a network; it has pytest of the machine. */
export function environment({ folder, file }: Wheel): Start {
  const home = join(folder, 'venv');
  const bin = join(home, 'bin');
  // No Node on the path, and the cache of verdicts is of this test.
  const clean = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, NO_COLOR: '1', LANG: 'C.UTF-8' };
  const start: Start = (program, words, env = {}) => {
    const options = { cwd: folder, env: { ...clean, ...env }, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(program, words, options);
    return { code: status, out: stdout ?? '', err: stderr ?? '' };
  };
  const venv = start(PYTHON, ['-m', 'venv', '--system-site-packages', home]);
  if (venv.code !== 0) throw new Error(venv.err + venv.out);
  const pip = join(bin, 'pip');
  const installed = start(pip, ['install', '-q', '--no-index', '--no-deps', file]);
  if (installed.code !== 0) throw new Error(installed.err);
  return (program, words, env) => start(join(bin, program), words, env);
}
