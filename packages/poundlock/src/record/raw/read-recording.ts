// The launches of a recording: every process of the command wrote a file of its own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { rawLaunch, type RawLaunch } from './raw-launch.ts';

/** The launches of a recording. */
export interface Recording {
  readonly launches: readonly RawLaunch[];
  /** Why lines are missing: what the library noted, and what cannot be read. */
  readonly notes: readonly string[];
}

/** Reads the files `launches-*` of a folder. */
export function readRecording(folder: string): Recording {
  const launches: RawLaunch[] = [];
  const notes: string[] = [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  for (const name of files.toSorted()) {
    if (!/^launches-.*\.jsonl$/.test(name)) continue;
    const lines = readFileSync(join(folder, name), 'utf8').split('\n');
    for (const [index, text] of lines.entries()) {
      if (text === '') continue;
      try {
        const value: unknown = JSON.parse(text);
        if (isNote(value)) notes.push(value.note);
        else launches.push(rawLaunch(value, `${name}:${index + 1}`));
      } catch (error) {
        if (!(error instanceof InputError || error instanceof SyntaxError)) throw error;
        notes.push(`${name}:${index + 1} cannot be read: ${error.message}`);
      }
    }
  }
  return { launches, notes };
}

function isNote(value: unknown): value is { readonly note: string } {
  return typeof value === 'object' && value !== null && 'note' in value;
}
