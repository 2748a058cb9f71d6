// The packages of a monorepo by name, so that imports between them resolve before installation.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package whose sources are at hand. */
export interface WorkspacePackage {
  readonly directory: string;
  /** Its `package.json`, with sources as its entries. */
  readonly manifest: string;
}

export interface Workspace {
  readonly root: string;
  readonly packages: ReadonlyMap<string, WorkspacePackage>;
}

/** The most levels to search upward for a workspace root, and downward for packages. */
const MAX_UP = 32;
const MAX_DOWN = 5;
/** The most directories to search; further packages are ignored. */
const MAX_DIRECTORIES = 4000;
const SKIPPED = /^(\..*|node_modules|dist|build|out|coverage|vendor|fixtures|__\w+__)$/;

interface Manifest {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly type?: unknown;
  readonly workspaces?: unknown;
  readonly exports?: unknown;
  readonly [entry: string]: unknown;
}

function manifestIn(directory: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** The workspaces of some files that have missing packages. */
export function workspacesOf(files: readonly string[]): Workspace[] {
  const roots = new Map<string, string | undefined>();
  const rootOf = (directory: string, up = 0): string | undefined => {
    if (roots.has(directory)) return roots.get(directory);
    const outer = dirname(directory);
    const isEnd = up >= MAX_UP || outer === directory;
    const isRoot =
      existsSync(join(directory, 'pnpm-workspace.yaml')) || manifestIn(directory)?.workspaces;
    const root = isRoot ? directory : isEnd ? undefined : rootOf(outer, up + 1);
    roots.set(directory, root);
    return root;
  };
  const workspaceRoots = new Set(files.map((file) => rootOf(dirname(file))));
  return [...workspaceRoots].flatMap((root) => {
    const packages = root === undefined ? undefined : packagesBelow(root);
    return root !== undefined && packages?.size ? [{ root, packages }] : [];
  });
}

function packagesBelow(root: string): Map<string, WorkspacePackage> {
  const packages = new Map<string, WorkspacePackage>();
  let directories = [root];
  let budget = MAX_DIRECTORIES;
  for (let depth = 0; depth <= MAX_DOWN && directories.length > 0; depth++) {
    const next: string[] = [];
    for (const directory of directories) {
      if (budget-- <= 0) return packages;
      const manifest = directory === root ? undefined : manifestIn(directory);
      if (typeof manifest?.name === 'string') {
        const { name } = manifest;
        const sources = packages.has(name) ? undefined : withSources(directory, manifest);
        const isMissing = !existsSync(join(root, 'node_modules', name, 'package.json'));
        // A linked and built package is resolved by TypeScript itself.
        if (sources !== undefined && (isMissing || !isBuilt(directory, manifest))) {
          packages.set(name, { directory, manifest: sources });
        }
      } else next.push(...directoriesIn(directory));
    }
    directories = next;
  }
  return packages;
}

function directoriesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !SKIPPED.test(entry.name))
      .map((entry) => join(directory, entry.name));
  } catch {
    return [];
  }
}

/** The fields that name a package's entry, in order of preference. */
const ENTRIES = ['source', 'types', 'typings', 'module', 'main'];

function isBuilt(directory: string, manifest: Manifest): boolean {
  const entries = [...ENTRIES.map((key) => manifest[key]), ...leaves(rootExport(manifest))];
  return entries.some((entry) => typeof entry === 'string' && existsSync(join(directory, entry)));
}

/** A `package.json` whose entries are the sources of what is built from them. */
function withSources(directory: string, manifest: Manifest): string | undefined {
  const { name, version, type } = manifest;
  const named = ENTRIES.map((key) => manifest[key]).filter((entry) => typeof entry === 'string');
  const main = sourceOf(directory, [
    ...leaves(rootExport(manifest)),
    ...named,
    'index',
    'src/main',
  ]);
  const inside: Record<string, string> = {};
  for (const [key, target] of Object.entries(subpathsOf(manifest))) {
    const source =
      key === '.' || key.includes('*') ? undefined : sourceOf(directory, leaves(target));
    if (source !== undefined) inside[key] = source;
  }
  if (main === undefined && Object.keys(inside).length === 0) return undefined;
  const entry = main === undefined ? {} : { '.': main };
  // Other files are exported by their paths.
  const exports = { ...entry, ...inside, './*': ['./*', './*.ts', './*/index.ts'] };
  return JSON.stringify({ name, version, type, main, types: main, exports });
}

function subpathsOf({ exports }: Manifest): Record<string, unknown> {
  const isMap = typeof exports === 'object' && exports !== null && '.' in exports;
  const hasPaths = isMap || Object.keys(exports ?? {}).some((key) => key.startsWith('./'));
  return hasPaths ? (exports as Record<string, unknown>) : {};
}

function rootExport(manifest: Manifest): unknown {
  const paths = subpathsOf(manifest);
  return Object.keys(paths).length === 0 ? manifest.exports : paths['.'];
}

/** The deepest nesting of conditions. */
const MAX_CONDITIONS = 4;

/** The files of an export under any condition. */
function leaves(target: unknown, depth = 0): string[] {
  if (typeof target === 'string') return [target];
  if (typeof target !== 'object' || target === null || depth > MAX_CONDITIONS) return [];
  return Object.values(target).flatMap((part) => leaves(part, depth + 1));
}

const BUILT = /^(dist|build|built|lib|out|output|es|esm|cjs|commonjs|module|main|types|node|umd)$/;
const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '/index.ts', '/index.tsx'];

/** The source of the first of these files that has one: `./src/a.ts` of `./dist/esm/a.js`. */
function sourceOf(directory: string, targets: readonly string[]): string | undefined {
  for (const target of targets) {
    const plain = target.replace(/^\.\//, '').replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
    const steps = plain.split('/').filter((step) => step !== '');
    for (const index of steps.keys()) {
      if (index > 0 && !BUILT.test(steps[index - 1]!)) break;
      const path = steps.slice(index).join('/');
      for (const base of [path, `src/${path}`]) {
        for (const extension of EXTENSIONS) {
          const source = `./${base}${extension}`;
          if (existsSync(join(directory, source))) return source;
        }
      }
    }
  }
  return undefined;
}
