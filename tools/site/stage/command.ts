// What a command of poundlock prints, in this process: starting one takes longer than most checks.
import type { Host } from '../../../packages/core/src/host/index.ts';
import { main } from '../../../packages/poundlock/src/cli/main.ts';
import { ROOT } from './repository.ts';

const COLUMNS = 100;

/** Runs `poundlock ...argv` in the root of the repository; colors are ANSI styles. */
export async function printed(argv: readonly string[]): Promise<string> {
  let stdout = '';
  let stderr = '';
  const host: Host = {
    cwd: ROOT,
    env: { FORCE_COLOR: '1' },
    stdout: { write: (text) => void (stdout += text), isTerminal: false, columns: COLUMNS },
    stderr: { write: (text) => void (stderr += text), isTerminal: false, columns: COLUMNS },
    now: () => performance.now(),
    pause: () => Promise.resolve(),
    onInterrupt: () => () => undefined,
    onIdle: () => () => undefined,
    guarded: (_file, work) => work(),
    lateFailures: () => [],
  };
  const code = await main(argv, host);
  if (code > 1) throw new Error(`poundlock ${argv.join(' ')}: exit code ${code}: ${stderr}`);
  return stdout;
}

/** The output without its times, which differ from run to run. */
export function withoutTimes(output: string): string {
  // An ANSI style may end right behind a time.
  return output.replaceAll(/, [\d.]+ m?s(?!\w)/g, '');
}
