// The files of a project, parsed only if their text may contain a handle or a call leads into them.
// Most files of most projects are never parsed.
import { hasHandleTags } from '../contract/tags.ts';
import type { IsOn } from '../heuristics/index.ts';
import { mayEndLocals } from '../heuristics/ended-locals.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import { moduleOf } from '../syntax/declaring-module.ts';
import { disposableNames, mentionsDisposal } from '../obligations/disposable-names.ts';
import type { SourceFile } from '../syntax/node.ts';
import type { Names } from './handle-names.ts';

export interface Library {
  /** The project's own files, and libraries whose declarations are tagged. */
  readonly names: readonly string[];
  /** The declaration files of the packages that it uses. */
  readonly declarations: readonly string[];
  readonly text: (path: string) => string;
  readonly read: (path: string) => SourceFile | undefined;
}

const ALWAYS = new RegExp(
  '@poundlock/linear|\\bunique symbol\\b|\\busing\\s+[\\w$]+\\s*=|' +
    '\\b(Async)?DisposableStack\\b|[\'"]poundlock',
);
const IMPORTS = /\b(?:from|require\(|import\()\s*['"]([^'"]+)['"]/g;

function escaped(word: string): string {
  return word.replaceAll(/[^\w]/g, '\\$&');
}

function anyOf(words: Iterable<string>, then = ''): RegExp | undefined {
  const patterns = [...words].map(escaped);
  return patterns.length === 0
    ? undefined
    : new RegExp(`(?<![\\w$])(?:${patterns.join('|')})(?![\\w$])${then}`);
}

/** What follows the name of a callee. */
const CALL = '\\s*(?:[(<]|[?!]\\.?\\()';

export class FileStore {
  readonly #library: Library;
  readonly #names: ReadonlySet<string>;
  readonly #unread: Set<string>;
  readonly #loaded: SourceFile[] = [];

  constructor(library: Library) {
    this.#library = library;
    this.#names = new Set(library.names);
    this.#unread = new Set(library.names);
  }

  get names(): readonly string[] {
    return this.#library.names;
  }

  get loaded(): readonly SourceFile[] {
    return this.#loaded;
  }

  /** A file that was read. */
  file(path: string): SourceFile | undefined {
    return this.#loaded.find((file) => file.path === path);
  }

  /** The text of the first of these paths that is a file of the project. */
  textOf(paths: readonly string[]): string | undefined {
    const path = paths.find((candidate) => this.#names.has(candidate));
    return path === undefined ? undefined : this.#library.text(path);
  }

  /** What the files of the project import, as written. */
  imports(): ReadonlySet<string> {
    const modules = new Set<string>();
    for (const name of this.#library.names) {
      for (const [, module = ''] of this.#library.text(name).matchAll(IMPORTS)) modules.add(module);
    }
    return modules;
  }

  /** The names of calls whose result may be a disposable of a package. */
  disposables(isOn: IsOn): ReadonlySet<string> {
    const { declarations, text } = this.#library;
    // The models and the locals that a function ends cover Node.js, whose types report their end.
    const others = declarations.filter((path) => !moduleOf(path)?.startsWith('node:'));
    const texts = others.map(text).filter(mentionsDisposal);
    return isOn('lookup-verbs') ? disposableNames(texts) : disposableNames(texts, () => false);
  }

  /**
   * Parses the files that may create a handle, mention a tagged name, or call what may give a
   * disposable.
   */
  seeds(
    catalogue: ModelCatalogue,
    imported: ReadonlySet<string>,
    tagged: readonly string[],
    disposables: Iterable<string>,
  ): SourceFile[] {
    const words = anyOf(tagged.map((name) => name.replace(/^.*\./, '')));
    const calls = anyOf(disposables, CALL);
    const isSeed = catalogue.seedTest(imported);
    return this.#take(
      (text) =>
        ALWAYS.test(text) ||
        hasHandleTags(text) ||
        mentionsDisposal(text) ||
        mayEndLocals(text) ||
        (words?.test(text) ?? false) ||
        (calls?.test(text) ?? false) ||
        isSeed(text),
    );
  }

  /** Parses the files that mention one of these types or call one of these functions. */
  naming({ types, functions }: Names): SourceFile[] {
    const patterns = [anyOf(types), anyOf(functions, CALL)].filter((each) => each !== undefined);
    return patterns.length === 0
      ? []
      : this.#take((text) => patterns.some((pattern) => pattern.test(text)));
  }

  /** Whether one of the files calls a function of one of these names. */
  calls(names: readonly string[], isCounted: (path: string) => boolean): boolean {
    const pattern = anyOf(names, CALL);
    const { names: paths, text } = this.#library;
    return (
      pattern !== undefined && paths.some((path) => pattern.test(text(path)) && isCounted(path))
    );
  }

  /** Parses one file that a call leads into. */
  open(path: string): SourceFile | undefined {
    if (!this.#unread.delete(path)) return undefined;
    const file = this.#library.read(path);
    if (file !== undefined) this.#loaded.push(file);
    return file;
  }

  /** Replaces the file with the same path. */
  replace(file: SourceFile): SourceFile | undefined {
    this.#unread.delete(file.path);
    const index = this.#loaded.findIndex(({ path }) => path === file.path);
    const before = this.#loaded[index];
    this.#loaded[index === -1 ? this.#loaded.length : index] = file;
    return before;
  }

  #take(isWanted: (text: string) => boolean): SourceFile[] {
    const files: SourceFile[] = [];
    for (const path of this.#unread) {
      if (!isWanted(this.#library.text(path))) continue;
      const file = this.open(path);
      if (file !== undefined) files.push(file);
    }
    return files;
  }
}
