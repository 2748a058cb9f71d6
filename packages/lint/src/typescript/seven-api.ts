// The API of TypeScript 7, which it declares unstable: no other file imports its modules. The minor
// version that is tested is preferred; a newer one is tried, and said.
import { createRequire } from 'node:module';
import type { ChildProcess } from 'node:child_process';
import type * as Ast from 'typescript/unstable/ast';
import type * as Sync from 'typescript/unstable/sync';
import { InputError } from '@poundlock/core/internal/base';

export type { Node } from 'typescript/unstable/ast';
export type {
  Checker,
  NodeHandle,
  Project,
  Snapshot,
  Symbol,
  Type,
} from 'typescript/unstable/sync';

/** Beside TypeScript 6, version 7 has the second name: its announcement recommends that. */
const PACKAGES = ['typescript', '@typescript/native'];
const TESTED = '7.0';

const require = createRequire(import.meta.url);

/**
 * The package that is TypeScript 7, by the versions of what is installed.
 *
 * @throws InputError with a command that installs it, and leaves a TypeScript of other tools alone.
 */
export function packageOfSeven(versionOf: (name: string) => string | undefined): string {
  const installed = PACKAGES.flatMap((name) => {
    const version = versionOf(name);
    return version === undefined ? [] : [{ name, version }];
  });
  const seven = installed.find(({ version }) => version.startsWith(`${TESTED}.`));
  if (seven !== undefined) return seven.name;
  const newer = installed.find(({ version }) => isNewer(version));
  if (newer !== undefined) return newer.name;
  const [other] = installed;
  const reason =
    other === undefined
      ? `which is not installed: npm install --save-dev typescript@${TESTED}`
      : `and ${other.name} is ${other.version}; to have both: ` +
        `npm install --save-dev @typescript/native@npm:typescript@${TESTED}`;
  throw new InputError(`lint needs TypeScript ${TESTED}, ${reason}`);
}

/** A later minor version of TypeScript 7. */
function isNewer(version: string): boolean {
  const [major, minor] = version.split('.').map(Number);
  return major === 7 && minor !== undefined && minor > Number(TESTED.split('.')[1]);
}

/** One line on a version that was not tested; nothing for any other. */
export function noticeOf(version: string): string | undefined {
  if (!isNewer(version)) return undefined;
  return (
    `TypeScript ${version} is newer than this poundlock knows (${TESTED}): trying; ` +
    `npm install --save-dev typescript@${TESTED} if this fails`
  );
}

function installedVersion(name: string): string | undefined {
  try {
    return (require(`${name}/package.json`) as { version: string }).version;
  } catch {
    return undefined;
  }
}

const seven = packageOfSeven(installedVersion);

/** What to say of the version that is used. */
export const VERSION_NOTICE = noticeOf(installedVersion(seven) ?? '');

/** A module of the API: under its name, or under the one that it has while it is unstable. */
function moduleOfSeven(name: 'sync' | 'ast'): unknown {
  try {
    return require(`${seven}/${name}`);
  } catch {
    return require(`${seven}/unstable/${name}`);
  }
}

export const { API, ObjectFlags, SignatureKind, SymbolFlags, TypeFlags } = moduleOfSeven(
  'sync',
) as typeof Sync;
export type API = Sync.API;

export const { SyntaxKind } = moduleOfSeven('ast') as typeof Ast;

/** The answer to a query; `undefined` where the compiler panics, as 7.0 does for a few types. */
export function answerOf<T>(query: () => T): T | undefined {
  try {
    return query();
  } catch (error) {
    if (isPanic(error)) return undefined;
    throw error;
  }
}

/** The answers to a batch, which fails as a whole: then each half is asked for itself. */
export function answersOf<N, T>(
  nodes: readonly N[],
  query: (nodes: readonly N[]) => readonly (T | undefined)[],
): readonly (T | undefined)[] {
  const all = answerOf(() => query(nodes));
  if (all !== undefined) return all;
  if (nodes.length === 1) return [undefined];
  const half = nodes.length >> 1;
  return [...answersOf(nodes.slice(0, half), query), ...answersOf(nodes.slice(half), query)];
}

/** The compiler recovers from a panic and reports it. */
function isPanic(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('panic:');
}

/** The undocumented fields of the API that hold its process; optional. */
interface Inside {
  readonly client?: { readonly channel?: { readonly child?: ChildProcess } };
}

/**
 * Kills the process, because a graceful end may print `context canceled` on stderr. Snapshots are
 * disposed of before, since that sends a request to the process.
 */
export function endProcess(api: API): void {
  (api as unknown as Inside).client?.channel?.child?.kill('SIGKILL');
  api.close();
}
