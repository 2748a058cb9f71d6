// The cache of findings: a run is reused while none of the files that it read have changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Position } from '@poundlock/core/internal/base';
import { replaceFile } from '@poundlock/core/internal/host';
import type { LintFinding } from '../index.ts';
import type { TagNotice } from '../report/tag-notices.ts';
import type { Coverage } from '../report/coverage.ts';

/** A file with a syntax error: its position and TypeScript's message. */
export interface BrokenFile extends Position {
  readonly message: string;
}

export interface CachedRun {
  readonly findings: readonly LintFinding[];
  readonly suppressed: number;
  readonly files: number;
  readonly coverage: Coverage;
  readonly broken: readonly BrokenFile[];
  readonly notices: readonly TagNotice[];
}

interface Entry extends CachedRun {
  /** Content hashes of every file that the findings may depend on. */
  readonly hashes: Readonly<Record<string, string>>;
}

/** The version of the entry format; entries of another version are ignored. */
const FORM = '4';

/** A larger cache is cleared. */
const MAX_ENTRIES = 16;

function hashOf(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22);
  } catch {
    return 'gone';
  }
}

export class LintCache {
  readonly #file: string;
  readonly #entries: Map<string, Entry>;

  /** `directory` is a project's; the cache is stored in its node_modules, if there is one. */
  constructor(directory: string) {
    this.#file = join(directory, 'node_modules', '.cache', 'poundlock', 'lint.json');
    this.#entries = new Map(Object.entries(this.#read()));
  }

  #read(): Record<string, Entry> {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, Entry>;
    } catch {
      return {};
    }
  }

  /** The result of a run with these files and options, if no file has changed since. */
  get(key: string): CachedRun | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const isFresh = Object.entries(entry.hashes).every(([path, hash]) => hashOf(path) === hash);
    return isFresh ? entry : undefined;
  }

  set(key: string, run: CachedRun, sources: readonly string[]): void {
    // Nothing is written where no packages are installed.
    if (!existsSync(join(dirname(this.#file), '..', '..'))) return;
    const hashes = Object.fromEntries(sources.map((path) => [path, hashOf(path)]));
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.clear();
    this.#entries.set(key, { ...run, hashes });
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      replaceFile(this.#file, JSON.stringify(Object.fromEntries(this.#entries)));
    } catch {
      // Without a writable cache, lint is only slower.
    }
  }
}

/** The key of everything that a run depends on besides the contents of files. */
export function cacheKey(parts: readonly string[]): string {
  return createHash('sha256')
    .update([FORM, ...parts].join('\n'))
    .digest('base64url')
    .slice(0, 22);
}
