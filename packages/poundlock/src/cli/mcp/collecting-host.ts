// A host for commands that run no program text: what they print is collected.
import type { Host } from '@poundlock/core/internal/host';

const COLUMNS = 80;

/** What a command has printed so far. */
export interface Written {
  stdout: string;
  stderr: string;
}

/** A host without interrupts, colors or an environment. */
export function collectingHost(cwd: string): { readonly host: Host; readonly written: Written } {
  const written: Written = { stdout: '', stderr: '' };
  const output = (name: keyof Written) => ({
    write: (text: string) => void (written[name] += text),
    isTerminal: false,
    columns: COLUMNS,
  });
  const host: Host = {
    cwd,
    env: {},
    stdout: output('stdout'),
    stderr: output('stderr'),
    now: () => performance.now(),
    pause: () => Promise.resolve(),
    onInterrupt: () => () => undefined,
    onIdle: () => () => undefined,
    guarded: (_file, work) => work(),
    lateFailures: () => [],
  };
  return { host, written };
}
