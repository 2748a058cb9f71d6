// TypeScript 7 beside an editor: the same projects again and again, with the buffers that are open
// in place of files. What did not change is neither sent, lowered nor asked about a second time.
import { join } from 'node:path';
import { API, type Project, type Snapshot } from 'typescript/unstable/sync';
import type { SymbolInfo, TypeInfo, TypeOracle } from '../oracle.ts';
import type { SourceFile } from '../syntax/node.ts';
import type { SourceProgram } from './program.ts';
import { workspaceFiles } from './workspace-files.ts';
import { endProcess, programOf, sourcePath, textOf } from './seven.ts';

/** What happened to files, by their paths. */
export interface FileChanges {
  readonly changed?: readonly string[];
  readonly created?: readonly string[];
  readonly deleted?: readonly string[];
}

/** Answers about the nodes of one file. */
interface Answers {
  readonly symbols: Map<unknown, SymbolInfo | undefined>;
  readonly types: Map<unknown, TypeInfo | undefined>;
}

/** The file of an editor that no tsconfig.json names is in a project that TypeScript makes up. */
const MADE_UP = /^\/dev\/null\//;

/** What of a project outlives its snapshots. */
class Kept {
  readonly lowered = new Map<string, { of: unknown; file: SourceFile }>();
  readonly answers = new Map<string, Answers>();
}

/**
 * Holds one TypeScript process: end it with `close`. Any method throws when the process has died;
 * nothing but `close` makes sense after that.
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
  readonly #kept = new Map<string, Kept>();
  /** Open files of no project: TypeScript forgets them unless they stay open there, too. */
  readonly #alone = new Set<string>();
  #snapshot: Snapshot | undefined;

  /** `buffer` answers the text of a file that is open in the editor. */
  constructor(cwd: string, buffer: (path: string) => string | undefined) {
    this.#buffer = buffer;
    const workspace = workspaceFiles([join(cwd, 'package.json')]);
    const readFile = (path: string): string | undefined =>
      buffer(path) ?? workspace?.readFile(path);
    this.#api = new API({ cwd, fs: { ...workspace, readFile } });
  }

  /** Opens the project of a file; answers its id, which is its tsconfig.json where there is one. */
  open(path: string): string | undefined {
    this.#update({ openFiles: [path] });
    const id = this.#snapshot?.getDefaultProjectForFile(path)?.configFileName;
    if (id === undefined) return undefined;
    if (MADE_UP.test(id)) this.#alone.add(path);
    // An open file keeps its first text for ever, a file of an open project does not.
    else this.#update({ openProjects: [id], closeFiles: [path] });
    return id;
  }

  closeFile(path: string): void {
    if (this.#alone.delete(path)) this.#update({ closeFiles: [path] });
  }

  closeProject(id: string): void {
    this.#kept.delete(id);
    if (!MADE_UP.test(id)) this.#update({ closeProjects: [id] });
  }

  /** Takes note of new contents, of buffers or of files. */
  change(changes: FileChanges): void {
    const { changed = [], created = [], deleted = [] } = changes;
    for (const path of [...changed, ...created, ...deleted]) {
      this.#versions.set(path, this.#versionOf(path) + 1);
      this.#texts.delete(path);
      for (const kept of this.#kept.values()) {
        kept.lowered.delete(path);
        kept.answers.delete(path);
      }
    }
    const alone = changed.filter((path) => this.#alone.has(path));
    if (alone.length > 0) this.#update({ closeFiles: alone });
    this.#update({
      fileChanges: { changed: [...changed], created: [...created], deleted: [...deleted] },
    });
    if (alone.length > 0) this.#update({ openFiles: alone });
  }

  /** Forgets what the checker said: types may follow from what has changed in other files. */
  askAgain(id: string): void {
    this.#kept.get(id)?.answers.clear();
  }

  /** Whether the process still answers. */
  isAlive(): boolean {
    try {
      this.#update({});
      return true;
    } catch {
      return false;
    }
  }

  /** The program of a project as it is now; what it answers is old after the next change. */
  program(id: string, asked: readonly string[]): SourceProgram | undefined {
    const project = this.#snapshot?.getProject(id);
    return project && this.#remembering(project, asked);
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

  #remembering(project: Project, asked: readonly string[]): SourceProgram {
    const kept = this.#kept.get(project.configFileName) ?? new Kept();
    this.#kept.set(project.configFileName, kept);
    const program = programOf(project, asked, this.#versionOf);
    return {
      ...program,
      oracle: remembering(program.oracle, kept.answers),
      text: (path) => this.#text(path),
      read: (path) => {
        const known = kept.lowered.get(path);
        const of = project.program.getSourceFile(path);
        if (known !== undefined && known.of === of) return known.file;
        const file = program.read(path);
        if (file !== undefined) kept.lowered.set(path, { of, file });
        return file;
      },
    };
  }

  #text(path: string): string {
    const known = this.#buffer(path) ?? this.#texts.get(path);
    if (known !== undefined) return known;
    const text = textOf(path);
    this.#texts.set(path, text);
    return text;
  }
}

/** Asks only about nodes that it was not asked about before. */
function remembering(oracle: TypeOracle, known: Map<string, Answers>): TypeOracle {
  const answersOf = (node: unknown): Answers => {
    const path = sourcePath(node);
    const found = known.get(path) ?? { symbols: new Map(), types: new Map() };
    known.set(path, found);
    return found;
  };
  return {
    symbols: (nodes) =>
      remembered(
        nodes,
        (node) => answersOf(node).symbols,
        (open) => oracle.symbols(open),
      ),
    types: (nodes) =>
      remembered(
        nodes,
        (node) => answersOf(node).types,
        (open) => oracle.types(open),
      ),
  };
}

function remembered<A>(
  nodes: readonly unknown[],
  answersOf: (node: unknown) => Map<unknown, A>,
  ask: (nodes: readonly unknown[]) => A[],
): A[] {
  const maps = nodes.map(answersOf);
  const open = nodes.filter((node, index) => !maps[index]!.has(node));
  const answers = ask(open);
  for (const [index, node] of open.entries()) answersOf(node).set(node, answers[index]!);
  return nodes.map((node, index) => maps[index]!.get(node)!);
}
