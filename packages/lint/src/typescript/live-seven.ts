// Incremental TypeScript 7 programs for editors: open buffers replace files on disk. Unchanged
// files are not sent, lowered or queried again.
import { join } from 'node:path';
import type { SymbolInfo, TypeInfo, TypeOracle, TypeShape } from '../oracle.ts';
import type { SourceFile } from '../syntax/node.ts';
import type { SourceProgram } from './program.ts';
import { workspaceFiles } from './workspace-files.ts';
import { programOf, sourcePath, textOf } from './seven.ts';
import { API, endProcess, type Project, type Snapshot } from './seven-api.ts';

/** Changes of files, by path. */
export interface FileChanges {
  readonly changed?: readonly string[];
  readonly created?: readonly string[];
  readonly deleted?: readonly string[];
}

/** Answers about the nodes of one file. */
interface Answers {
  readonly symbols: Map<unknown, SymbolInfo | undefined>;
  readonly types: Map<unknown, TypeInfo | undefined>;
  readonly shapes: Map<unknown, TypeShape | undefined>;
  /** By path and members. */
  readonly members: Map<unknown, Map<string, boolean | undefined>>;
}

/** The name of a project that TypeScript infers for files without a tsconfig.json. */
const INFERRED_PROJECT = /^\/dev\/null\//;

/** The data of a project that outlives its snapshots. */
class ProjectCache {
  readonly lowered = new Map<string, { of: unknown; file: SourceFile }>();
  readonly answers = new Map<string, Answers>();
}

/**
 * Holds one TypeScript process: end it with `close`. All methods throw when the process has
 * crashed; only `close` may be called after that.
 *
 * @example
 * const live = new LiveSeven('/repo', (path) => buffers.get(path));
 * const id = live.open('/repo/src/a.ts');
 */
export class LiveSeven {
  readonly #api: API;
  readonly #buffer: (path: string) => string | undefined;
  readonly #texts = new Map<string, string>();
  readonly #versions = new Map<string, number>();
  readonly #caches = new Map<string, ProjectCache>();
  /** Open files of no project: TypeScript forgets them unless they stay open there, too. */
  readonly #alone = new Set<string>();
  #snapshot: Snapshot | undefined;

  /** `buffer` returns the text of a file that is open in the editor. */
  constructor(cwd: string, buffer: (path: string) => string | undefined) {
    this.#buffer = buffer;
    const workspace = workspaceFiles([join(cwd, 'package.json')]);
    const readFile = (path: string): string | undefined =>
      buffer(path) ?? workspace?.readFile(path);
    this.#api = new API({ cwd, fs: { ...workspace, readFile } });
  }

  /**
   * Opens the project of a file; returns its id: the path of its tsconfig.json, if there is one.
   */
  open(path: string): string | undefined {
    this.#update({ openFiles: [path] });
    const id = this.#snapshot?.getDefaultProjectForFile(path)?.configFileName;
    if (id === undefined) return undefined;
    if (INFERRED_PROJECT.test(id)) this.#alone.add(path);
    // TypeScript never updates the text of an open file; that of a file in an open project it does.
    else this.#update({ openProjects: [id], closeFiles: [path] });
    return id;
  }

  closeFile(path: string): void {
    if (this.#alone.delete(path)) this.#update({ closeFiles: [path] });
  }

  closeProject(id: string): void {
    this.#caches.delete(id);
    if (!INFERRED_PROJECT.test(id)) this.#update({ closeProjects: [id] });
  }

  /** Records changed contents of buffers or files. */
  change(changes: FileChanges): void {
    const { changed = [], created = [], deleted = [] } = changes;
    for (const path of [...changed, ...created, ...deleted]) {
      this.#versions.set(path, this.#versionOf(path) + 1);
      this.#texts.delete(path);
      for (const cache of this.#caches.values()) {
        cache.lowered.delete(path);
        cache.answers.delete(path);
      }
    }
    const alone = changed.filter((path) => this.#alone.has(path));
    if (alone.length > 0) this.#update({ closeFiles: alone });
    this.#update({
      fileChanges: { changed: [...changed], created: [...created], deleted: [...deleted] },
    });
    if (alone.length > 0) this.#update({ openFiles: alone });
  }

  /** Discards cached answers of the checker: types may depend on changes in other files. */
  forgetAnswers(id: string): void {
    this.#caches.get(id)?.answers.clear();
  }

  /** Whether the process is running. */
  isAlive(): boolean {
    try {
      this.#update({});
      return true;
    } catch {
      return false;
    }
  }

  /** The current program of a project; its answers are outdated after the next change. */
  program(id: string, requested: readonly string[]): SourceProgram | undefined {
    const project = this.#snapshot?.getProject(id);
    return project && this.#cachedProgram(project, requested);
  }

  close(): void {
    this.#snapshot?.dispose();
    endProcess(this.#api);
  }

  #update(change: Parameters<API['updateSnapshot']>[0]): void {
    const before = this.#snapshot;
    this.#snapshot = this.#api.updateSnapshot(change);
    before?.dispose();
  }

  readonly #versionOf = (path: string): number => this.#versions.get(path) ?? 0;

  #cachedProgram(project: Project, requested: readonly string[]): SourceProgram {
    const cache = this.#caches.get(project.configFileName) ?? new ProjectCache();
    this.#caches.set(project.configFileName, cache);
    const program = programOf(project, requested, this.#versionOf);
    return {
      ...program,
      oracle: cachingOracle(program.oracle, cache.answers),
      text: (path) => this.#text(path),
      read: (path) => {
        const cached = cache.lowered.get(path);
        const of = project.program.getSourceFile(path);
        if (cached !== undefined && cached.of === of) return cached.file;
        const file = program.read(path);
        if (file !== undefined) cache.lowered.set(path, { of, file });
        return file;
      },
    };
  }

  #text(path: string): string {
    const current = this.#buffer(path) ?? this.#texts.get(path);
    if (current !== undefined) return current;
    const text = textOf(path);
    this.#texts.set(path, text);
    return text;
  }
}

function noAnswers(): Answers {
  return { symbols: new Map(), types: new Map(), shapes: new Map(), members: new Map() };
}

/** Caches the answers of an oracle by node. */
function cachingOracle(oracle: TypeOracle, cache: Map<string, Answers>): TypeOracle {
  const answersOf = (node: unknown): Answers => {
    const path = sourcePath(node);
    const answers = cache.get(path) ?? noAnswers();
    cache.set(path, answers);
    return answers;
  };
  return {
    symbols: (nodes) =>
      cachedAnswers(
        nodes,
        (node) => answersOf(node).symbols,
        (missing) => oracle.symbols(missing),
      ),
    types: (nodes) =>
      cachedAnswers(
        nodes,
        (node) => answersOf(node).types,
        (missing) => oracle.types(missing),
      ),
    shapes: (nodes) =>
      cachedAnswers(
        nodes,
        (node) => answersOf(node).shapes,
        (missing) => oracle.shapes(missing),
      ),
    hasMember: (query) => {
      const { members } = answersOf(query.node);
      const ofNode = members.get(query.node) ?? new Map<string, boolean | undefined>();
      members.set(query.node, ofNode);
      const key = `${query.path.join('.')}:${query.members.join()}`;
      if (!ofNode.has(key)) ofNode.set(key, oracle.hasMember(query));
      return ofNode.get(key);
    },
  };
}

function cachedAnswers<A>(
  nodes: readonly unknown[],
  answersOf: (node: unknown) => Map<unknown, A>,
  query: (nodes: readonly unknown[]) => A[],
): A[] {
  const maps = nodes.map(answersOf);
  const missing = nodes.filter((node, index) => !maps[index]!.has(node));
  const answers = query(missing);
  for (const [index, node] of missing.entries()) answersOf(node).set(node, answers[index]!);
  return nodes.map((node, index) => maps[index]!.get(node)!);
}
