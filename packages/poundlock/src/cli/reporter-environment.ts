// What reporters are given of the outside: colours if they are wanted, and lines of source files.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ANSI, PLAIN, type Paint, type SourceLine } from '../report/index.ts';
import type { Host, Output } from '@poundlock/core/internal/host';

/** FORCE_COLOR, then NO_COLOR, then whether a terminal that knows colours is there. */
export function paintFor(output: Output | undefined, env: Host['env']): Paint {
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force === '0' || force === 'false' ? PLAIN : ANSI;
  if (env['NO_COLOR']) return PLAIN;
  return output?.isTerminal === true && env['TERM'] !== 'dumb' ? ANSI : PLAIN;
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/);
  } catch {
    // A source that is gone or was never a file is shown without its text.
    return [];
  }
}

/** Reads lines of files that are named relative to `cwd`, each file once. */
export function sourceReader(cwd: string): SourceLine {
  const files = new Map<string, readonly string[]>();
  return (file, line) => {
    const lines = files.get(file) ?? linesOf(resolve(cwd, file));
    files.set(file, lines);
    return lines[line - 1];
  };
}
