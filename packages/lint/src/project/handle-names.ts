// The names of types whose values are handles, and of the functions that return them.
import { hasTags } from '../contract/tags.ts';
import { brandOf } from '../obligations/brands.ts';
import type { ClassNode, SourceFile, Statement } from '../syntax/node.ts';
import { mentions } from '../syntax/mentions.ts';
import type { TypeNode } from '../syntax/type-node.ts';

/** A type of the project, and the types that it may inherit an obligation from. */
interface NamedType {
  readonly name: string;
  readonly bases: readonly string[];
}

interface NamedFunction {
  readonly name: string;
  readonly returns: TypeNode | undefined;
}

const DISPOSABLE = /^(Async)?I?Disposable$/;
const DISPOSE = /^\[Symbol\.(d|asyncD)ispose\]$/;

export class HandleNames {
  readonly #types = new Set<string>();
  readonly #functions = new Set<string>();
  readonly #named: NamedType[] = [];
  readonly #returning: NamedFunction[] = [];

  /** `known` are names of functions, as `Owner.name` or alone, and `new Name`. */
  constructor(known: readonly string[]) {
    for (const name of known) this.#functions.add(name.replace(/^.*\./, ''));
  }

  isType(name: string): boolean {
    return this.#types.has(name);
  }

  isFunction(name: string): boolean {
    return this.#functions.has(name);
  }

  /** Reads the declarations of files; returns the names that are new. */
  learn(files: readonly SourceFile[]): ReadonlySet<string> {
    const before = new Set([...this.#types, ...this.#functions]);
    for (const file of files) this.#declarations(file);
    this.#inherit();
    for (const { name, returns } of this.#returning) {
      if (mentions(returns, (each) => this.#types.has(each))) this.#functions.add(name);
    }
    return new Set([...this.#types, ...this.#functions].filter((name) => !before.has(name)));
  }

  #declarations(file: SourceFile): void {
    for (const node of file.classes) {
      const { name } = node;
      if (name === undefined) continue;
      if (hasTags(node.doc) || isDisposable(node)) this.#types.add(name);
      this.#named.push({ name, bases: basesOf(node) });
    }
    for (const [name, { doc, type }] of file.typeAliases) {
      if (hasTags(doc) || brandOf(type, file) === 'linear') this.#types.add(name);
      this.#named.push({ name, bases: namesIn(type) });
    }
    for (const { name, doc, body, returns } of file.functions) {
      if (name === undefined) continue;
      if (hasTags(doc)) this.#functions.add(name);
      if (body === undefined) this.#returning.push({ name, returns });
    }
    for (const statement of file.body.statements) this.#variables(statement);
  }

  /** `declare const open: () => Handle`. */
  #variables(statement: Statement): void {
    if (statement.kind !== 'variables') return;
    for (const { target, type } of statement.declarations) {
      if (target.kind !== 'name' || type?.kind !== 'function') continue;
      this.#returning.push({ name: target.text, returns: type.returns });
    }
  }

  #inherit(): void {
    for (let before = -1; before < this.#types.size;) {
      before = this.#types.size;
      for (const { name, bases } of this.#named) {
        if (bases.some((base) => this.#types.has(base))) this.#types.add(name);
      }
    }
  }
}

function basesOf({ heritage, implemented }: ClassNode): string[] {
  return [...heritage.flatMap((base) => (base.kind === 'name' ? base.text : [])), ...implemented];
}

function isDisposable(node: ClassNode): boolean {
  const members = [...node.methods, ...node.fields];
  return (
    basesOf(node).some((base) => DISPOSABLE.test(base)) ||
    members.some(({ name }) => name !== undefined && DISPOSE.test(name))
  );
}

function namesIn(type: TypeNode): string[] {
  const names: string[] = [];
  mentions(type, (name) => {
    names.push(name);
    return false;
  });
  return names;
}
