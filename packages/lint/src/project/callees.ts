// What callees mean and what calls give, asked for in batches: those of functions that may hold a
// handle together, any other on demand.
import { dirname, extname } from 'node:path';
import type { SymbolInfo, TypeInfo, TypeOracle } from '../oracle.ts';
import { walk } from '../syntax/children.ts';
import type {
  CallExpression,
  FunctionNode,
  MemberExpression,
  Name,
  SourceFile,
} from '../syntax/node.ts';
import { followImports, importedReceivers, type Following } from './imports.ts';

/** An outermost function, or the code of a module around them. */
type Root = FunctionNode | SourceFile;

type NamedCall = CallExpression & { readonly callee: Name | MemberExpression };

/** The calls of a file whose callee has a name. */
interface Calls {
  readonly byRoot: ReadonlyMap<Root, readonly NamedCall[]>;
  readonly rootOf: ReadonlyMap<CallExpression, Root>;
}

export interface CalleeSources {
  readonly oracle: TypeOracle;
  readonly following: Following;
  readonly isRelevant: (root: Root) => boolean;
  /** Whether the type of a result is needed. */
  readonly needsType: (symbol: SymbolInfo | undefined) => boolean;
}

export class Callees {
  readonly #from: CalleeSources;
  readonly #symbols = new Map<unknown, SymbolInfo | undefined>();
  readonly #types = new Map<unknown, TypeInfo | undefined>();
  /** What an imported name means: the same in all files of a folder. */
  readonly #imported = new Map<string, SymbolInfo | undefined>();
  readonly #calls = new Map<SourceFile, Calls>();
  readonly #resolved = new Set<Root>();

  constructor(from: CalleeSources) {
    this.#from = from;
  }

  forget(file: SourceFile): void {
    this.#imported.clear();
    for (const root of this.#calls.get(file)?.byRoot.keys() ?? []) this.#resolved.delete(root);
    this.#calls.delete(file);
    walk(file.body, (node) => {
      if (node.kind !== 'call' || !isNamed(node)) return;
      this.#types.delete(node.origin);
      this.#symbols.delete(node.callee.origin);
    });
  }

  /** What a callee means. */
  symbol({ callee }: CallExpression): SymbolInfo | undefined {
    return 'origin' in callee ? this.#symbols.get(callee.origin) : undefined;
  }

  /** The type of the result, where it is needed. */
  type({ origin }: CallExpression): TypeInfo | undefined {
    return this.#types.get(origin);
  }

  /** What the callees of calls mean, and nothing else of these calls. */
  symbols(calls: readonly CallExpression[]): (SymbolInfo | undefined)[] {
    this.#ask(calls.filter(isNamed).map(({ callee }) => callee));
    return calls.map((call) => this.symbol(call));
  }

  /** Resolves a call, together with all that the analysis of its file is about to ask for. */
  resolve(call: CallExpression, file: SourceFile): void {
    const { byRoot, rootOf } = this.#callsOf(file);
    const own = rootOf.get(call) ?? file;
    if (this.#resolved.has(own)) return;
    const { isRelevant } = this.#from;
    const isWanted = (root: Root): boolean => root === own || isRelevant(root);
    this.#resolve([...byRoot.keys()].filter(isWanted), file);
  }

  /** Resolves all calls of a file. */
  resolveAll(file: SourceFile): void {
    this.#resolve([...this.#callsOf(file).byRoot.keys()], file);
  }

  #resolve(roots: readonly Root[], file: SourceFile): void {
    const open = roots.filter((root) => !this.#resolved.has(root));
    if (open.length === 0) return;
    const { byRoot } = this.#callsOf(file);
    const isFirst = ![...byRoot.keys()].some((root) => this.#resolved.has(root));
    for (const root of open) this.#resolved.add(root);
    const { oracle, needsType, following } = this.#from;
    const calls = open.flatMap((root) => byRoot.get(root) ?? []);
    const receivers = isFirst ? importedReceivers(file, following) : [];
    this.#ask([...calls.map(({ callee }) => callee), ...receivers], file);
    followImports(file, receivers, ({ origin }) => this.#symbols.get(origin), following);
    const typed = calls.filter((call) => needsType(this.symbol(call)));
    const types = oracle.types(typed.map(({ origin }) => origin));
    for (const [index, { origin }] of typed.entries()) this.#types.set(origin, types[index]);
  }

  #ask(names: readonly (Name | MemberExpression)[], file?: SourceFile): void {
    const open = names.filter(({ origin }) => !this.#symbols.has(origin));
    const folder = file && `${dirname(file.path)}|${extname(file.path)}`;
    const keys = open.map((name) => folder && importKey(name, folder));
    const queried = new Map<unknown, unknown>();
    for (const [index, { origin }] of open.entries()) {
      const key = keys[index];
      if (key === undefined || !this.#imported.has(key)) queried.set(key ?? origin, origin);
    }
    const symbols = this.#from.oracle.symbols([...queried.values()]);
    for (const [index, [key, origin]] of [...queried].entries()) {
      if (typeof key === 'string') this.#imported.set(key, symbols[index]);
      else this.#symbols.set(origin, symbols[index]);
    }
    for (const [index, { origin }] of open.entries()) {
      const key = keys[index];
      if (key !== undefined) this.#symbols.set(origin, this.#imported.get(key));
    }
  }

  #callsOf(file: SourceFile): Calls {
    const known = this.#calls.get(file);
    if (known !== undefined) return known;
    const calls = callsIn(file);
    this.#calls.set(file, calls);
    return calls;
  }
}

function isNamed(call: CallExpression): call is NamedCall {
  return call.callee.kind === 'name' || call.callee.kind === 'member';
}

function callsIn(file: SourceFile): Calls {
  const byRoot = new Map<Root, NamedCall[]>();
  const rootOf = new Map<CallExpression, Root>();
  const collect = (root: Root, within: FunctionNode | SourceFile['body']): void => {
    const calls: NamedCall[] = [];
    walk(within, (node) => {
      if (node.kind !== 'call' || !isNamed(node) || rootOf.has(node)) return;
      rootOf.set(node, root);
      calls.push(node);
    });
    byRoot.set(root, calls);
  };
  for (const fn of file.functions) if (fn.outer === undefined) collect(fn, fn);
  collect(file, file.body);
  return { byRoot, rootOf };
}

/** `f` of `import { f } from './m'`, and `ns.f` of `import * as ns from './m'`. */
function importKey(name: Name | MemberExpression, folder: string): string | undefined {
  const isMember = name.kind === 'member';
  const local = isMember ? name.object : name;
  const imported = local.kind === 'name' ? local.variable?.imported : undefined;
  if (imported === undefined || (isMember && imported.imported !== '*')) return undefined;
  const part = isMember ? `.${name.name}` : '';
  return `${folder}|${imported.module}|${imported.imported}${part}`;
}
