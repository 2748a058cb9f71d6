// Compiles the kernels of this folder to the PTX beside them; needs nvcc 13.0 and no GPU:
// node examples/ptx/bugs/compile.ts [NAME…]
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { KERNELS } from './about.ts';

const FOLDER = import.meta.dirname;
const HEADERS = ['gpu.cuh', 'tensor-memory.cuh'];
const MAX_PTX = 1 << 24;
const run = promisify(execFile);

/** The PTX file of a kernel as it is, or with its fix. */
export function ptxFile(name: string, fixed: boolean): string {
  return join(FOLDER, name, fixed ? 'fix.ptx' : 'bug.ptx');
}

/** What the PTX of a kernel is made from, as one number. */
export function digestOf(name: string): string {
  const hash = createHash('sha256').update(KERNELS[name]!.arch);
  for (const file of [...HEADERS, join(name, 'kernel.cu')]) {
    hash.update(readFileSync(join(FOLDER, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** The digests of all kernels at the time when they were compiled, as the text of a file. */
export function digests(): string {
  const all = Object.fromEntries(Object.keys(KERNELS).map((name) => [name, digestOf(name)]));
  return `${JSON.stringify(all, null, 2)}\n`;
}

/** The file with the digests. */
export const DIGESTS = join(FOLDER, 'compiled.json');

/**
 * What nvcc makes of a kernel: its PTX, with the names of files relative to the kernel's folder,
 * and the letters of the names of functions, which some versions print one to a line, on one line.
 */
export async function compile(name: string, fixed: boolean): Promise<string> {
  const cwd = join(FOLDER, name);
  const { arch } = KERNELS[name]!;
  const words = [`-arch=${arch}`, '-lineinfo', '-ptx', `-DFIXED=${fixed}`, 'kernel.cu', '-o', '-'];
  const { stdout } = await run('nvcc', words, { cwd, maxBuffer: MAX_PTX });
  const named = stdout.replaceAll(/(?<=^\s*\.file\s+\d+ )"([^"]+)"/gm, (_, file: string) => {
    const path = relative(cwd, resolve(cwd, file));
    return `"${path.startsWith('../..') ? `toolkit/${basename(path)}` : path}"`;
  });
  return named.replaceAll(/(?<=^\.b8 \d+)\n\.b8 (?=\d+$)/gm, ',');
}

async function main(names: readonly string[]): Promise<void> {
  for (const name of Object.keys(KERNELS)) {
    if (names.length > 0 && !names.some((each) => name.startsWith(each))) continue;
    for (const fixed of [false, true]) {
      const file = ptxFile(name, fixed);
      const text = await compile(name, fixed);
      if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
      writeFileSync(file, text);
      console.log(`${relative(process.cwd(), file)}: ${text.length} bytes`);
    }
  }
  if (names.length === 0) writeFileSync(DIGESTS, digests());
}

if (import.meta.main) await main(process.argv.slice(2));
