// Whether a file may contain `using`: Node.js parses it from version 24 on, and older ones run only
// what a compiler has lowered.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The first Node.js version that parses `using` and `await using`. */
const NODE_WITH_USING = 24;
/** `ScriptTarget.ESNext`: the compiler leaves every syntax as it is. */
const ES_NEXT = 99;

/** The options of a compiler that decide what becomes of a file's syntax. */
export interface EmitOptions {
  readonly target?: unknown;
  readonly noEmit?: unknown;
  readonly outDir?: unknown;
  readonly erasableSyntaxOnly?: unknown;
}

/**
 * Returns a test whether `using` may be written in a file, by its kind, the compiler's target and
 * the `engines` of its package.
 */
export function usingSyntax(options: EmitOptions): (path: string) => boolean {
  const engines = new Map<string, number | undefined>();
  const isLowered = options.target !== ES_NEXT && options.target !== undefined;
  const isEmitted = options.noEmit !== true && options.outDir !== undefined;
  return (path) => {
    const node = oldestNode(dirname(path), engines);
    if (node !== undefined && node >= NODE_WITH_USING) return true;
    if (/\.[cm]?jsx?$/.test(path)) return isLowered && isEmitted;
    if (node === undefined) return true;
    // Node.js itself strips the types, and nothing else.
    const isStripped = options.erasableSyntaxOnly === true && !isEmitted;
    return isLowered && !isStripped;
  };
}

/** The major version of the oldest Node.js that the nearest package supports, if it says so. */
function oldestNode(directory: string, cache: Map<string, number | undefined>): number | undefined {
  if (cache.has(directory)) return cache.get(directory);
  const manifest = manifestIn(directory);
  const parent = dirname(directory);
  const isRoot = manifest !== undefined || parent === directory;
  const oldest = isRoot ? oldestIn(manifest?.engines?.node) : oldestNode(parent, cache);
  cache.set(directory, oldest);
  return oldest;
}

interface Manifest {
  readonly engines?: { readonly node?: unknown };
}

function manifestIn(directory: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** `^20.19.0 || >=22.12.0` supports 20; `<25` and `*` do not say which is the oldest. */
function oldestIn(range: unknown): number | undefined {
  if (typeof range !== 'string') return undefined;
  const versions = range.split('||').map((part) => {
    const version = /^\s*(?:>=?|\^|~|=|v)?\s*v?(\d+)/.exec(part)?.[1];
    return version === undefined ? 0 : Number(version);
  });
  return Math.min(...versions);
}
