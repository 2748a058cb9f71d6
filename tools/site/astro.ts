// Runs Astro in a process of its own, without telemetry.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

const FOLDER = import.meta.dirname;
const CLI = join(FOLDER, 'node_modules', 'astro', 'bin', 'astro.mjs');

/** Starts a command of Astro. */
export function astro(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  stdio: 'inherit' | 'pipe',
): ChildProcess {
  // Packages of poundlock are no part of the site's own modules.
  const own = { ...process.env, ...env, NODE_OPTIONS: '', ASTRO_TELEMETRY_DISABLED: '1' };
  return spawn(process.execPath, [CLI, ...words], { cwd: FOLDER, env: own, stdio });
}

/** Builds the site; throws with the output if that fails. */
export function astroBuild(base: string): Promise<void> {
  const child = astro(['build', '--silent'], { SITE_BASE: base }, 'pipe');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`astro build: ${output}`));
    });
  });
}
