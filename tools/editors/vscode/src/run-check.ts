// Runs `poundlock check` on a saved file, and reads its report and its diagram.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckDocument } from './report.ts';
import type { Installed } from './settings.ts';

/** Seconds of a check on save; it is inconclusive then. */
const SECONDS = 30;
/** The most bytes of a report. */
const MAX_REPORT = 64 * 1024 * 1024;
const MAX_LINES_OF_ERROR = 5;

/** What a check has shown. */
export interface Checked {
  readonly document: CheckDocument;
  /** The space-time diagram; `undefined` where there is no schedule. */
  readonly svg: string | undefined;
}

/** Checks a file; `signal` ends it, where the file is saved again. */
export function runCheck(
  { node, bin }: Installed,
  file: string,
  cwd: string,
  signal: AbortSignal,
): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-vscode-'));
  const picture = join(folder, 'diagram.svg');
  const reporters = ['--json', '--reporter', `svg=${picture}`];
  const words = [bin, 'check', file, ...reporters, '--timeout', String(SECONDS)];
  const options = { cwd, signal, maxBuffer: MAX_REPORT, encoding: 'utf8' as const };
  return new Promise((resolve, reject) => {
    execFile(node, words, options, (error, stdout, stderr) => {
      try {
        if (error?.name === 'AbortError' || stdout === '') {
          throw error?.name === 'AbortError' ? error : new Error(reasonOf(stderr, error));
        }
        const document = JSON.parse(stdout) as CheckDocument;
        const svg = existsSync(picture) ? readFileSync(picture, 'utf8') : undefined;
        resolve({ document, svg });
      } catch (failure) {
        reject(failure as Error);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
}

function reasonOf(stderr: string, error: Error | null): string {
  const lines = stderr.trim().split('\n').slice(0, MAX_LINES_OF_ERROR);
  return lines.join('\n') || (error?.message ?? 'poundlock printed nothing');
}
