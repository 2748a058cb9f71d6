// The types of expressions, as far as the sound tier needs them: one query for all of a file.
import type { Contract } from '../contract/contract.ts';
import { hasHandle, type TypeObligations } from '../obligations/from-type.ts';
import type { SymbolInfo, TypeInfo, TypeOracle, TypeShape } from '../oracle.ts';
import type { ValueShape } from '../flow/world.ts';
import { walk } from '../syntax/children.ts';
import type { Expression, Node, SourceFile } from '../syntax/node.ts';

/** What a value may be: a place has one only where it is not `primitive`. */
export type Kind = 'primitive' | 'plain' | 'open' | 'handle' | 'many' | 'promise' | 'structure';

export const NOTHING: ValueShape = { k: 'nothing' };
const PRIMITIVE: TypeShape = { k: 'primitive', isNullish: false };
const OPEN: TypeShape = { k: 'open' };

export class Types {
  readonly #oracle: TypeOracle;
  readonly #obligations: TypeObligations;
  readonly #shapes = new Map<unknown, TypeShape | undefined>();
  readonly #names = new Map<unknown, TypeInfo | undefined>();
  readonly #symbols = new Map<unknown, SymbolInfo | undefined>();
  readonly #prepared = new WeakSet<SourceFile>();

  constructor(oracle: TypeOracle, obligations: TypeObligations) {
    this.#oracle = oracle;
    this.#obligations = obligations;
  }

  /** Queries the types of all expressions of a file at once. */
  prepare(file: SourceFile): void {
    if (this.#prepared.has(file)) return;
    this.#prepared.add(file);
    const origins = new Set<unknown>();
    const subjects = new Set<unknown>();
    const callees = new Set<Node>();
    const collect = (node: Node): void => {
      // The type of what is called is not needed: that of the call is.
      if (node.kind === 'call') callees.add(node.callee);
      if (callees.has(node)) return;
      if (node.kind === 'name' || node.kind === 'call') origins.add(node.origin);
      if (node.kind === 'member') origins.add(node.whole);
      const subject = named(node);
      if (subject !== undefined && 'origin' in subject) subjects.add(subject.origin);
      const cast = file.casts.get(node as Expression);
      if (cast !== undefined) origins.add(cast);
    };
    walk(file.body, (node) => {
      collect(node);
      if (node.kind === 'function') for (const { target } of node.parameters) collect(target);
    });
    const list = [...origins].filter((origin) => origin !== undefined);
    for (const [index, shape] of this.#oracle.shapes(list).entries()) {
      this.#shapes.set(list[index], shape);
    }
    const objects = [...subjects].filter((origin) => origin !== undefined);
    for (const [index, info] of this.#oracle.types(objects).entries()) {
      this.#names.set(objects[index], info);
    }
  }

  /** The type of a node of the compiler. */
  ofOrigin(origin: unknown): TypeShape {
    if (origin === undefined) return OPEN;
    if (!this.#shapes.has(origin)) this.#shapes.set(origin, this.#oracle.shapes([origin])[0]);
    return this.#shapes.get(origin) ?? OPEN;
  }

  /** The name of an expression's type: `Map`. */
  nameOf(node: Expression): string | undefined {
    const origin = 'origin' in node ? node.origin : undefined;
    if (origin === undefined) return undefined;
    if (!this.#names.has(origin)) this.#names.set(origin, this.#oracle.types([origin])[0]);
    const info = this.#names.get(origin);
    return info?.module === 'lib' && !info.isPromise ? info.name : undefined;
  }

  /** What a name or a property means. */
  symbolOf(origin: unknown): SymbolInfo | undefined {
    if (!this.#symbols.has(origin)) this.#symbols.set(origin, this.#oracle.symbols([origin])[0]);
    return this.#symbols.get(origin);
  }

  of(node: Expression): TypeShape {
    switch (node.kind) {
      case 'name':
      case 'call':
        return this.ofOrigin(node.origin);
      case 'member':
        return this.ofOrigin(node.whole);
      case 'await':
        return awaited(this.of(node.operand));
      case 'conditional':
        return union([this.of(node.then), this.of(node.otherwise)]);
      case 'logical':
        return union([this.of(node.left), this.of(node.right)]);
      case 'assign':
        return node.operator === 'compound' ? PRIMITIVE : this.of(node.value);
      case 'literal': {
        const isNullish = node.value === undefined || node.value === null;
        return { k: 'primitive', isNullish };
      }
      case 'binary':
        return PRIMITIVE;
      case 'unary':
        return node.operator === 'impossible' ? this.of(node.operand) : PRIMITIVE;
      case 'parts': {
        const last = node.parts.at(-1);
        return node.sequence && last !== undefined ? this.of(last) : OPEN;
      }
      default:
        return OPEN;
    }
  }

  /** What a value of the type owes. */
  owed(shape: TypeShape): ValueShape {
    return this.#obligations.of(shape);
  }

  kind(shape: TypeShape): Kind {
    if (isPrimitive(shape)) return 'primitive';
    const owed = this.owed(shape);
    if (owed.k === 'handle') return 'handle';
    if (hasHandle(owed)) {
      return owed.k === 'promise' || owed.k === 'many' ? owed.k : 'structure';
    }
    return shape.k === 'open' ? 'open' : 'plain';
  }

  contract(shape: TypeShape): Contract | undefined {
    const owed = this.owed(shape);
    return owed.k === 'handle' ? owed.contract : undefined;
  }
}

/** What has a type whose name may be of interest: what is gone through, or copied into another. */
function named(node: Node): Expression | undefined {
  if (node.kind === 'forEach') return node.subject;
  return node.kind === 'call' && node.isNew ? node.args[0] : undefined;
}

/** Whether a value of the type has no identity: neither handle nor view. */
export function isPrimitive(shape: TypeShape): boolean {
  return shape.k === 'primitive' || (shape.k === 'union' && shape.of.every(isPrimitive));
}

/** Whether it is one object, or `undefined` or `null`: a test of its truth is exact. */
export function isObjectOrNothing(shape: TypeShape): boolean {
  if (shape.k !== 'union') return shape.k !== 'open' && shape.k !== 'primitive';
  return shape.of.every((part) => {
    return part.k === 'primitive' ? part.isNullish : isObjectOrNothing(part);
  });
}

export function mayBeNothing(shape: TypeShape): boolean {
  if (shape.k === 'primitive') return true;
  return shape.k === 'union' && shape.of.some(mayBeNothing);
}

/** The type of what a promise gives. */
export function awaited(shape: TypeShape): TypeShape {
  if (shape.k === 'promise') return awaited(shape.of);
  return shape.k === 'union' ? union(shape.of.map(awaited)) : shape;
}

export function isPromise(shape: TypeShape): boolean {
  return shape.k === 'promise' || (shape.k === 'union' && shape.of.some(isPromise));
}

/** The type of a container's elements, or of one of them. */
export function elementOf(shape: TypeShape, name?: string): TypeShape {
  if (shape.k === 'many') return shape.of;
  if (shape.k === 'tuple') return shape.of[Number(name)] ?? union(shape.of);
  if (shape.k === 'union') return union(shape.of.map((part) => elementOf(part, name)));
  if (shape.k === 'object') return shape.values.find(([key]) => key === name)?.[1] ?? OPEN;
  return shape.k === 'primitive' ? shape : OPEN;
}

function union(of: readonly TypeShape[]): TypeShape {
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { k: 'union', of };
}
