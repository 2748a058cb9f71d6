// The parts of type annotations that matter for ownership.

export type TypeNode =
  | {
      readonly kind: 'named';
      readonly name: string;
      /** The namespace that it is taken from: `tf` of `tf.Tensor`. */
      readonly space?: string;
      readonly args: readonly TypeNode[];
    }
  | { readonly kind: 'array'; readonly element: TypeNode }
  | { readonly kind: 'tuple'; readonly elements: readonly TypeNode[] }
  | { readonly kind: 'union'; readonly members: readonly TypeNode[] }
  | { readonly kind: 'object'; readonly members: readonly TypeMember[] }
  | {
      readonly kind: 'function';
      readonly parameters: readonly TypeParameter[];
      readonly returns: TypeNode;
    }
  /** `x is T`, `asserts x`, `asserts x is T`. */
  | { readonly kind: 'predicate'; readonly parameter: string; readonly asserts: boolean }
  /** `any`, `never`, `string`, `undefined`, `null`, `this`, `true` … */
  | { readonly kind: 'keyword'; readonly name: string }
  | { readonly kind: 'other' };

export interface TypeMember {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeNode;
}

export interface TypeParameter {
  readonly name: string;
  readonly type: TypeNode;
  readonly doc: string;
}

export const OTHER_TYPE: TypeNode = { kind: 'other' };

/** The members of a union, or the type itself. */
export function alternatives(type: TypeNode): readonly TypeNode[] {
  return type.kind === 'union' ? type.members.flatMap(alternatives) : [type];
}

const NULLISH = new Set(['undefined', 'null', 'void']);

export function isNullishType(type: TypeNode): boolean {
  return type.kind === 'keyword' && NULLISH.has(type.name);
}

/** Whether a value of the type may be `undefined` or `null`. */
export function mayBeNullish(type: TypeNode): boolean {
  return alternatives(type).some(
    (member) =>
      isNullishType(member) || (member.kind === 'keyword' && /^(any|unknown)$/.test(member.name)),
  );
}
