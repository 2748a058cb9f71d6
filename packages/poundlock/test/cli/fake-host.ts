// Runs the command line in this process, in a folder of its own, and keeps what it writes.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Host } from '../../../core/src/host/index.ts';
import { main } from '#src/cli/main';
import { collectingHost } from '#src/cli/mcp/collecting-host';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with these files in it, gone after the test. */
export function folder(t: TestContext, files: Readonly<Record<string, string>> = {}): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'poundlock-cli-')));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

/** A host that collects what is written. */
export function fakeHost(cwd: string, changes: Partial<Host> = {}) {
  const { host, written } = collectingHost(cwd);
  return { host: { ...host, ...changes }, written };
}

/** Runs `poundlock ...argv` in `cwd`. */
export async function poundlock(
  cwd: string,
  argv: readonly string[],
  changes: Partial<Host> = {},
): Promise<Outcome> {
  const { host, written } = fakeHost(cwd, changes);
  const code = await main(argv, host);
  return { code, ...written };
}
