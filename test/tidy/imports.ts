// The import rules: which room, package or node module a source file may import.
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path/posix';
import { CORE_ROOMS, DIALECTS, FACE, NODE_ROOMS, whyForbidden } from './floors.ts';
import { faultAt, type Fault, type Source } from './source.ts';

/** Time, streams and arguments: passed down by cli. */
const CLI_MODULES = new Set(['process', 'console', 'perf_hooks']);
/** Modules that run as a process or thread of their own, or that need to know the process. */
const PROCESS_MODULES = new Set([
  'run/at-exit.ts',
  'host/write-file.ts',
  'lint/lsp/start-thread.ts',
  'farm/worker.ts',
]);

// On text whose strings are blank; the specifier is read from the original at the same place.
const STATEMENTS = [
  /\b(?:import|export)\b[^;'"`()]*?\bfrom\s*(?<quote>['"])(?<specifier>_+)\k<quote>/dg,
  /\bimport\s*\(?\s*(?<quote>['"])(?<specifier>_+)\k<quote>/dg,
];
/** Another package of this repository: core and ptx name their rooms, the others are one room. */
const OWN_PACKAGE =
  /^@poundlock\/(?:core\/internal\/(?<room>\w+)(?:\/rule-page-url)?|ptx\/internal\/(?<floor>\w+)\/[\w/-]+|dialects\/(?<dialect>\w+)|(?<package>ptx|ring|lint|farm|fuzz)(?:\/\w+)?)$/;
/** What users import of core. */
const PUBLIC_CORE = new Set(['@poundlock/core', '@poundlock/core/dialect']);
const URL_OF_FILE = /\bnew\s+URL\(\s*'(?<specifier>\.[^']*\.[jt]s)'/dg;

export function importFaults(file: Source): Fault[] {
  const faults: Fault[] = [];
  for (const { specifier, offset } of importsOf(file)) {
    const why = whyRejected(file.path, specifier);
    if (why) faults.push(faultAt(file, offset, `imports '${specifier}': ${why}`));
  }
  return faults;
}

/** Imports of the tests of core that lead to a package above it, or to what is in no package. */
export function coreTestFaults(file: Source): Fault[] {
  return importsOf(file)
    .filter(({ specifier }) => {
      if (specifier.startsWith('.')) return join(dirname(file.path), specifier).startsWith('../..');
      return /^(?:poundlock|@poundlock\/(?!core(?:\/|$)))/.test(specifier);
    })
    .map(({ specifier, offset }) =>
      faultAt(file, offset, `imports '${specifier}': tests of core import core alone`),
    );
}

interface Import {
  readonly specifier: string;
  readonly offset: number;
}

function importsOf(file: Source): Import[] {
  const matches = STATEMENTS.flatMap((statement) => [...file.code.matchAll(statement)]);
  matches.push(...file.text.matchAll(URL_OF_FILE));
  const places = matches.map((match) => match.indices!.groups!.specifier);
  places.sort((a, b) => a[0] - b[0]);
  return places.map(([start, end]) => ({ specifier: file.text.slice(start, end), offset: start }));
}

function whyRejected(path: string, specifier: string): string | undefined {
  const from = roomOf(path);
  if (/^\.{1,2}\/own-folder\.ts$/.test(specifier)) return undefined;
  if (DIALECTS.includes(from) && !isOfDialect(path, specifier)) {
    return 'dialects import the public interface of @poundlock/core alone';
  }
  if (specifier.startsWith('.')) return whyForbidden(from, relativeRoom(path, specifier));
  const own = OWN_PACKAGE.exec(specifier)?.groups;
  if (own !== undefined) {
    const { room, floor, dialect, package: name } = own;
    return whyForbidden(from, floor === undefined ? (room ?? dialect ?? name) : `ptx/${floor}`);
  }
  if (isBuiltin(specifier)) return whyNodeRejected(path, specifier.replace(/^node:/, ''));
  if (/^(#src|poundlock)(\/|$)/.test(specifier)) return 'rooms are imported by relative path';
  if (CORE_ROOMS.includes(from)) return `${from} depends on no package`;
  return undefined;
}

/** Whether an import is of the dialects' own files, or of what a user imports of core. */
function isOfDialect(path: string, specifier: string): boolean {
  if (!specifier.startsWith('.')) return PUBLIC_CORE.has(specifier);
  return !join(dirname(path), specifier).startsWith('..');
}

function whyNodeRejected(path: string, module: string): string | undefined {
  const from = roomOf(path);
  if (!NODE_ROOMS.includes(from)) return `only ${NODE_ROOMS.join(', ')} import node modules`;
  if (from === 'cli' || from === 'test' || !CLI_MODULES.has(module.split('/')[0])) return undefined;
  if (PROCESS_MODULES.has(path) && module === 'process') return undefined;
  return 'time, streams and arguments are injected by cli';
}

/** The room that a relative import leads to; ring reaches into core, which is compiled into it. */
function relativeRoom(path: string, specifier: string): string {
  const core = /^(?:\.\.\/)+core\/src\/(\w+)\//.exec(specifier);
  if (core !== null) return core[1];
  const found = roomOf(join(dirname(path), specifier));
  return found === '..' ? roomOf(path) : found;
}

/** The first folder; in `@poundlock/ptx`, which has floors of its own, the first two. */
function roomOf(path: string): string {
  const [first = FACE, second = ''] = path.split('/').slice(0, -1);
  return first === 'ptx' && second !== '' ? `ptx/${second}` : first;
}
