// What an analysis has to know about types and callees: the obligation of a value, the signature
// of a callee, whether a value has an identity at all. Tags, brands, overlays, models and symbols
// are behind these three answers.
import type { FunctionContract, ParameterRule } from '../contract/contract.ts';
import type { ValueShape } from '../flow/world.ts';
import type {
  CallExpression,
  ClassNode,
  Expression,
  FunctionNode,
  SourceFile,
} from '../syntax/node.ts';

/** What a call does to the object that it is called on. */
export type ReceiverEffect = 'releases' | 'consumes' | 'uses';

/** Whose the result of a call is. */
export type ResultOwner = 'owned' | 'borrowed' | { readonly alias: number | 'this' };

/** The ownership contract of one call. */
export interface Signature {
  /** The callee, if it is declared in the project or a tagged package; with a body or without. */
  readonly fn: FunctionNode | undefined;
  /** The class of `new C()`. */
  readonly classNode: ClassNode | undefined;
  /** Every tag of the callee. */
  readonly promises: FunctionContract;
  /** The stated ownership of an argument; `undefined` where nothing is stated. */
  readonly parameter: (index: number) => ParameterRule | undefined;
  readonly receiver: ReceiverEffect;
  /** Where nothing is stated: owned for a call. */
  readonly returns: ResultOwner;
  /** Whether a tag, a brand, an overlay or a model states `returns`. */
  readonly isStated: boolean;
  /** What the result owes if it is owned. */
  readonly result: ValueShape;
  /** The parent that must be released after the result: an argument, or the receiver. */
  readonly releaseBefore: number | 'this' | undefined;
}

/** The obligations of a project. */
export interface Ownership {
  /** What a value of an expression's type owes: a handle, or a structure that contains some. */
  readonly obligation: (node: Expression, file: SourceFile) => ValueShape;
  readonly signature: (call: CallExpression, file: SourceFile) => Signature;
  /** Whether a value of the expression's type can be no view; `undefined` where not known. */
  readonly isPrimitive: (node: Expression) => boolean | undefined;
}
