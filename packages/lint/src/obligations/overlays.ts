// Overlays: ambient declarations with ownership tags for packages that have none. They are parsed
// and never compiled, since a declaration of a class cannot be merged into an existing one.
import { InputError } from '@poundlock/core/internal/base';
import { hasTags, type TagFault, tagFaults } from '../contract/tags.ts';
import type { Contract } from '../contract/contract.ts';
import type { ClassNode, FunctionNode, SourceFile } from '../syntax/node.ts';
import { declaredContract, declaredType } from './declared-contract.ts';

/** `declare module 'pg' {`: the declarations up to the next one belong to `pg`. */
const MODULE = /^[ \t]*declare\s+module\s+(['"])([^'"]+)\1/gm;

/** The key of declarations outside any module: globals. */
const GLOBAL = 'lib';

interface ModuleOverlay {
  readonly types: Map<string, ClassNode>;
  readonly functions: Map<string, FunctionNode>;
}

export class Overlays {
  readonly #modules = new Map<string, ModuleOverlay>();
  readonly #files: readonly SourceFile[];

  /** `files` are overlays, in order of precedence. */
  constructor(files: readonly SourceFile[]) {
    this.#files = files;
    for (const file of files) this.#add(file);
  }

  get isEmpty(): boolean {
    return this.#files.length === 0;
  }

  /** The modules that have an overlay. */
  get modules(): ReadonlySet<string> {
    return new Set(this.#modules.keys());
  }

  /** The names by which calls may obtain handles that an overlay describes. */
  get names(): string[] {
    const found: string[] = [];
    for (const { types, functions } of this.#modules.values()) {
      for (const name of types.keys()) found.push(`new ${name}`);
      for (const name of functions.keys()) found.push(name.slice(name.lastIndexOf('.') + 1));
    }
    return found;
  }

  #add(file: SourceFile): void {
    const starts = [...file.text.matchAll(MODULE)].map(({ index, 2: name = '' }) => {
      return { index, name };
    });
    const moduleAt = (offset: number): ModuleOverlay => {
      const name = starts.findLast(({ index }) => index < offset)?.name ?? GLOBAL;
      const known = this.#modules.get(name) ?? { types: new Map(), functions: new Map() };
      this.#modules.set(name, known);
      return known;
    };
    for (const node of file.classes) {
      if (node.name === undefined) continue;
      const { types, functions } = moduleAt(node.start);
      if (!types.has(node.name)) types.set(node.name, node);
      for (const method of node.methods) {
        const name = method.form === 'constructor' ? 'constructor' : method.name;
        addFirst(functions, `${node.name}.${name}`, method);
      }
    }
    for (const fn of file.functions) {
      if (fn.owner !== undefined || fn.name === undefined || isMember(file, fn)) continue;
      addFirst(moduleAt(fn.start).functions, fn.name, fn);
    }
  }

  /** The overlay's contract of a type. */
  type(module: string | undefined, name: string): Contract | undefined {
    const node = this.typeNode(module, name);
    return node && declaredContract(this.#withBases(module, node).map((t) => declaredType(t, {})));
  }

  typeNode(module: string | undefined, name: string): ClassNode | undefined {
    return this.#of(module)?.types.get(name);
  }

  #withBases(module: string | undefined, node: ClassNode): ClassNode[] {
    const found = [node];
    for (const { heritage, implemented } of found) {
      const names = heritage.flatMap((base) => (base.kind === 'name' ? base.text : []));
      for (const name of [...names, ...implemented]) {
        const base = this.typeNode(module, name);
        if (base !== undefined && !found.includes(base)) found.push(base);
      }
    }
    return found;
  }

  /** The overlay's declaration of a function, a method or a constructor. */
  fn(
    module: string | undefined,
    owner: string | undefined,
    name: string | undefined,
  ): FunctionNode | undefined {
    if (name === undefined) return undefined;
    return this.#of(module)?.functions.get(owner === undefined ? name : `${owner}.${name}`);
  }

  #of(module: string | undefined): ModuleOverlay | undefined {
    if (module === undefined) return undefined;
    const plain = module.replace(/^node:/, '');
    return (
      this.#modules.get(module) ?? this.#modules.get(plain) ?? this.#modules.get(`node:${plain}`)
    );
  }
}

function addFirst<V>(map: Map<string, V>, key: string, value: V): void {
  if (!map.has(key)) map.set(key, value);
}

function isMember({ classes }: SourceFile, fn: FunctionNode): boolean {
  return classes.some(({ methods }) => methods.includes(fn));
}

/** Throws for an overlay without any tag, or with an unknown one. */
export function requireOverlay(file: SourceFile): void {
  if (!hasTags(file.text)) {
    throw new InputError(`${file.path}: this overlay states no ownership: it has no tag`);
  }
  const [fault] = faultsOf(file);
  if (fault !== undefined) throw new InputError(`${file.path}: ${fault.message}`);
}

function faultsOf({ classes, functions }: SourceFile): TagFault[] {
  return [...classes, ...functions].flatMap(({ doc }) => tagFaults(doc));
}
