// The PTX assembler of CUDA as an oracle, where it is installed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether `ptxas` of a CUDA that has PTX 9.0 is there. */
export function hasPtxas(): boolean {
  const { stdout } = spawnSync('ptxas', ['--version'], { encoding: 'utf8' });
  return Number(/release (\d+)/.exec(stdout ?? '')?.[1] ?? 0) >= 13;
}

const folder = mkdtempSync(join(tmpdir(), 'ptxas-'));

/** Why ptxas refuses a text; `null` if it takes it. */
export function refusalOf(text: string): string | null {
  const path = join(folder, 'text.ptx');
  writeFileSync(path, text);
  const architecture = /\.target\s+(sm_\w+)/.exec(text)?.[1] ?? 'sm_90a';
  const options = ['-O0', `-arch=${architecture}`, path, '-o', join(folder, 'out.cubin')];
  const { status, stderr, stdout } = spawnSync('ptxas', options, { encoding: 'utf8' });
  return status === 0 ? null : `${stderr}${stdout}`;
}
