// The session of `poundlock explore`: sources on disk, and the guard of this process.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileNamer, type Host } from '@poundlock/core/internal/host';
import { ExploreSession, type Loaded } from '../../explore/index.ts';
import { commandOf } from '../present.ts';
import { textsOf } from '../texts.ts';

/** A session about a kernel of a file. */
export function exploreSession(host: Host, loaded: Omit<Loaded, 'texts'>): ExploreSession {
  const { file } = loaded;
  const { cwd, now, pause } = host;
  const environment = {
    name: fileNamer(file, cwd),
    read: (name: string) => textOf(resolve(cwd, name)),
    now,
    pause,
    guarded: <T>(work: () => Promise<T>, timeoutMs: number) => host.guarded(file, work, timeoutMs),
    commandFor: (params: Parameters<typeof commandOf>[1]) => commandOf(file, params),
  };
  return new ExploreSession(environment, { ...loaded, texts: textsOf(file, cwd) });
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
