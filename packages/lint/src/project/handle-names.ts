// The names of types whose values are handles, and of the functions that return them.
import { hasHandleTags } from '../contract/tags.ts';
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
  /** What it returns, or passes to a callback. */
  readonly gives: TypeNode | undefined;
}

const DISPOSABLE = /^(Async)?I?Disposable$/;
const DISPOSE = /^\[Symbol\.(d|asyncD)ispose\]$/;

/** Names by which code may obtain handles. */
export interface Names {
  readonly types: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

export class HandleNames {
  readonly #types = new Set<string>();
  /** Those of which a tag or a brand states that their values are handles. */
  readonly #stated = new Set<string>();
  readonly #functions = new Set<string>();
  readonly #named: NamedType[] = [];
  readonly #giving: NamedFunction[] = [];

  /** `known` are names of functions, as `Owner.name` or alone, and `new Name`. */
  constructor(known: readonly string[]) {
    for (const name of known) this.#functions.add(name.replace(/^.*\./, ''));
  }

  isType(name: string): boolean {
    return this.#types.has(name);
  }

  isStated(name: string): boolean {
    return this.#stated.has(name);
  }

  /** Whether a tag or a brand states anything. */
  get statesAny(): boolean {
    return this.#stated.size > 0;
  }

  isFunction(name: string): boolean {
    return this.#functions.has(name);
  }

  /** Reads the declarations of files; returns the names that are new. */
  learn(files: readonly SourceFile[]): Names {
    const types = new Set(this.#types);
    const functions = new Set(this.#functions);
    for (const file of files) this.#declarations(file);
    this.#inherit(this.#types);
    this.#inherit(this.#stated);
    for (const { name, gives } of this.#giving) {
      if (mentions(gives, (each) => this.#types.has(each))) this.#functions.add(name);
    }
    const since = (now: ReadonlySet<string>, before: ReadonlySet<string>): Set<string> =>
      new Set([...now].filter((name) => !before.has(name)));
    return { types: since(this.#types, types), functions: since(this.#functions, functions) };
  }

  #declarations(file: SourceFile): void {
    for (const node of file.classes) {
      const { name } = node;
      if (name === undefined) continue;
      if (hasHandleTags(node.doc)) this.#stated.add(name);
      if (hasHandleTags(node.doc) || isDisposable(node)) this.#types.add(name);
      this.#named.push({ name, bases: basesOf(node) });
    }
    for (const [name, { doc, type }] of file.typeAliases) {
      const isHandle = hasHandleTags(doc) || brandOf(type, file) === 'linear';
      for (const names of isHandle ? [this.#types, this.#stated] : []) names.add(name);
      this.#named.push({ name, bases: standsFor(type) });
    }
    for (const { name, doc, body, returns, parameters } of file.functions) {
      if (name === undefined) continue;
      if (hasHandleTags(doc)) this.#functions.add(name);
      if (body !== undefined) continue;
      this.#giving.push({ name, gives: returns });
      for (const { type } of parameters) {
        const passed = type?.kind === 'function' ? type.parameters : [];
        for (const each of passed) this.#giving.push({ name, gives: each.type });
      }
    }
    for (const statement of file.body.statements) this.#variables(statement);
  }

  /** `declare const open: () => Handle`. */
  #variables(statement: Statement): void {
    if (statement.kind !== 'variables') return;
    for (const { target, type } of statement.declarations) {
      if (target.kind !== 'name' || type?.kind !== 'function') continue;
      this.#giving.push({ name: target.text, gives: type.returns });
    }
  }

  #inherit(types: Set<string>): void {
    for (let before = -1; before < types.size;) {
      before = types.size;
      for (const { name, bases } of this.#named) {
        if (bases.some((base) => types.has(base))) types.add(name);
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

/** The types that an alias stands for; those of members and parameters of an object are others. */
function standsFor(type: TypeNode): string[] {
  switch (type.kind) {
    case 'named':
      return [type.name, ...type.args.flatMap(standsFor)];
    case 'array':
      return standsFor(type.element);
    case 'tuple':
      return type.elements.flatMap(standsFor);
    case 'union':
      return type.members.flatMap(standsFor);
    default:
      return [];
  }
}
