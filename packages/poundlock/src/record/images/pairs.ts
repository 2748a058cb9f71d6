// PTX texts by the cubin that they were compiled to: from watched compilers, and from the caches of
// Triton and inductor, where X.cubin lies beside X.ptx.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CompiledText, Origin } from './compiled-text.ts';

/** The most files of caches that are looked at. */
const MAX_CACHE_FILES = 100_000;
/** How deep the folders of a cache may be. */
const MAX_DEPTH = 8;
const MAX_TEXT = 1 << 28;

/** A cubin and its PTX. */
interface Pair {
  readonly cubin: string;
  readonly ptx: string;
  readonly origin: Origin;
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

/** Finds the PTX of cubins. */
export class Pairs {
  /** By the size of the cubin: a cache has many, and few have the size of an image. */
  readonly #bySize = new Map<number, Pair[]>();
  readonly #digests = new Map<string, string>();
  #files = 0;

  /** Adds the pairs of a recording: `ptxas-*` and `compiled-*`. */
  addRecording(folder: string): void {
    for (const name of readdirSync(folder).toSorted()) {
      const stem = /^((?:ptxas|compiled)-.*)\.cubin$/.exec(name)?.[1];
      if (stem !== undefined)
        this.#add(join(folder, stem), stem.startsWith('ptxas') ? 'ptxas' : 'NVRTC');
    }
  }

  /** Adds the pairs of a cache, if there is one. */
  addCache(folder: string, depth = 0): void {
    if (depth > MAX_DEPTH || this.#files > MAX_CACHE_FILES) return;
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) this.addCache(path, depth + 1);
      else if (path.endsWith('.cubin')) this.#add(path.slice(0, -'.cubin'.length), 'cache');
      if (++this.#files > MAX_CACHE_FILES) return;
    }
  }

  /** The PTX that was compiled to a cubin, or `undefined`. */
  find(cubin: Uint8Array): CompiledText | undefined {
    const candidates = this.#bySize.get(cubin.length);
    if (candidates === undefined) return undefined;
    const wanted = digest(cubin);
    const found = candidates.find((pair) => this.#digestOf(pair.cubin) === wanted);
    if (found === undefined) return undefined;
    return { text: readFileSync(found.ptx, 'utf8'), origin: found.origin, isExact: true };
  }

  #add(stem: string, origin: Origin): void {
    const pair: Pair = { cubin: `${stem}.cubin`, ptx: `${stem}.ptx`, origin };
    const size = sizeOf(pair.cubin);
    const textSize = sizeOf(pair.ptx);
    if (size === undefined || textSize === undefined || textSize > MAX_TEXT) return;
    const same = this.#bySize.get(size);
    if (same === undefined) this.#bySize.set(size, [pair]);
    else same.push(pair);
  }

  #digestOf(file: string): string {
    let found = this.#digests.get(file);
    if (found === undefined) this.#digests.set(file, (found = digest(readFileSync(file))));
    return found;
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // another user's, or gone since
  }
}
