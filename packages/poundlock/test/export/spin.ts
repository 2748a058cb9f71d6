// Runs SPIN on an exported program: translate, compile, search.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 1 << 26;
const TIMEOUT_MS = 60_000;

/** What SPIN says: `PASS`, `DEADLOCK`, or the word that begins the assertion that failed. */
export async function spinVerdict(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'poundlock-export-'));
  const options = { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES, timeout: TIMEOUT_MS };
  try {
    await writeFile(join(folder, 'kernel.pml'), text);
    await run('spin', ['-a', 'kernel.pml'], options);
    const defines = ['-DSAFETY', '-DVECTORSZ=8192', '-DMEMLIM=2048'];
    await run('gcc', ['-w', '-O0', ...defines, '-o', 'pan', 'pan.c'], options);
    const { stdout } = await run('./pan', ['-m1000000', '-w18'], options);
    return read(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function read(output: string): string {
  const failed = /^pan:\d+: assertion violated \(*(\w+)/m.exec(output)?.[1];
  if (failed !== undefined) return failed;
  if (/^pan:\d+: invalid end state/m.test(output)) return 'DEADLOCK';
  const isWhole = /errors: 0/.test(output) && !/too small|not reached -DMEMLIM/.test(output);
  return isWhole ? 'PASS' : `no verdict: ${output.slice(0, 500)}`;
}
