// The interface of the flow analysis to the rest of the program: contracts and call targets.
import type { SourceRange } from './state.ts';
import type { Contract, FunctionContract, ReleaseVia } from '../contract/contract.ts';
import type {
  CallExpression,
  ClassNode,
  Expression,
  FunctionNode,
  SourceFile,
} from '../syntax/node.ts';
import type { TypeNode } from '../syntax/type-node.ts';
import type { HandleEnds } from '../report/handle-ends.ts';
import type { ClassInfo } from './class-info.ts';
import type { Holding } from './holding.ts';
import type { FlowFinding } from './report.ts';
import type { Summaries } from './summary.ts';

/** The shape of a result: a handle, or a structure that contains handles. */
export type ValueShape =
  | { readonly k: 'nothing' }
  | {
      readonly k: 'handle';
      readonly contract: Contract;
      readonly maybeNull: boolean;
      /** Reported only where the function that receives it releases it. */
      readonly isGuess?: boolean;
      /** A leak is reported only where the function releases it on another path. */
      readonly needsProof?: boolean;
      /** Another owner releases it. */
      readonly isBorrowed?: boolean;
    }
  | { readonly k: 'promise'; readonly of: ValueShape }
  | { readonly k: 'many'; readonly of: ValueShape }
  | { readonly k: 'tuple'; readonly of: readonly ValueShape[] }
  | { readonly k: 'object'; readonly of: ReadonlyMap<string, ValueShape> }
  /** One of several objects, distinguished by constant properties. */
  | { readonly k: 'either'; readonly of: readonly ValueShape[] }
  | { readonly k: 'constant'; readonly value: string | boolean };

/** An argument that a model's function takes over, if it is a handle of that model. */
export interface TakenArgument {
  readonly argument: number;
  /** The id of its contract. */
  readonly model: string;
}

/** The resolved target of a call. */
export interface CallTarget {
  readonly name: string | undefined;
  readonly fn: FunctionNode | undefined;
  readonly classNode: ClassNode | undefined;
  /** The package that declares it; `undefined` inside the project or if unknown. */
  readonly module: string | undefined;
  readonly owner: string | undefined;
  readonly promises: FunctionContract;
  /** The handles that its caller must release. */
  readonly owned: ValueShape;
  /** The handles that its name suggests, where its body does not show them. */
  readonly guess: ValueShape;
  /** The arguments that it takes ownership of, besides those of `promises`. */
  readonly takes: readonly TakenArgument[];
  /** It releases this argument: `pool.release(conn)`. */
  readonly releases: ReleaseVia | undefined;
  readonly isAny: boolean;
  readonly isNever: boolean;
  readonly isPromise: boolean;
  /** The handles that a callback receives as parameters. */
  readonly callbackHandles:
    | {
        readonly argument: number;
        /** The property of that argument, where it is not the callback itself. */
        readonly option?: string | undefined;
        readonly shapes: readonly ValueShape[];
        /** The parameter that is a function which releases them. */
        readonly releaser?: number | undefined;
      }
    | undefined;
}

/** What a view may be: a buffer, any other object, or nothing. */
export type ViewKind = 'memory' | 'object' | 'none';

export interface World {
  readonly strict: boolean;
  /** Notes a handle that is followed, by where it is from. */
  readonly follow: (contract: Contract, site: SourceRange) => void;
  /** Where variables end that hold handles, for an editor. */
  readonly ends: HandleEnds | undefined;
  /** Notes a function that has too many situations to follow. */
  readonly giveUp: (fn: FunctionNode) => void;
  readonly target: (call: CallExpression, file: SourceFile) => CallTarget;
  /** The obligation of a class that is written somewhere. */
  readonly statedContract: (node: ClassNode) => Contract | undefined;
  readonly contractOfClass: (node: ClassNode) => Contract | undefined;
  readonly classInfo: (node: ClassNode) => ClassInfo;
  /** The ownership shape of a type annotation, resolved in its file. */
  readonly shapeOf: (type: TypeNode | undefined, fn: FunctionNode) => ValueShape;
  /** Whether a method without a body returns its receiver, by their types. */
  readonly returnsReceiver: (call: CallExpression) => boolean;
  /** Whether a value of an expression's type has no identity; `undefined` where not known. */
  readonly isPrimitive: (node: Expression) => boolean | undefined;
  /** Whether a value of a node's type can be a view: memory, another object, or neither. */
  readonly viewKind: (node: { readonly origin: unknown }) => ViewKind;
  readonly summaries: Summaries;
  /** Whether code may contain a handle; no other is walked. */
  readonly holding: Holding;
  /** The same for handles that may be numbers or texts. */
  readonly plainHolding: Holding;
  /** How surely a function throws; `undefined` if it does not. */
  readonly throwsOf: (fn: FunctionNode) => 1 | 2 | undefined;
  /** Whether constructing an instance creates or takes a handle. */
  readonly createsHandle: (node: ClassNode) => boolean;
  readonly isOwner: (node: ClassNode) => boolean;
  readonly isRelevant: (fn: FunctionNode | SourceFile) => boolean;
  /** Whether the function is a role of a kernel, which is never abandoned at a `yield`. */
  readonly isRole: (fn: FunctionNode) => boolean;
  /** The contract of a handle in the state of a `loop`. */
  readonly carried: (fn: FunctionNode) => Contract | undefined;
  readonly roleFindings: (role: FunctionNode) => FlowFinding[];
  /** Every value that an expression can have, if its declared type is a union of literals. */
  readonly literals: (
    node: Expression,
    file: SourceFile,
  ) => readonly (string | number | boolean)[] | undefined;
  /** The function, if any, that releases the handles created in this callback. */
  readonly tidiedBy: (fn: FunctionNode) => string | undefined;
  /** Whether all callers are known, and none of them is inside a cleanup scope. */
  readonly isCalledUntidied: (fn: FunctionNode) => boolean;
  readonly classOf: (expression: Expression) => ClassNode | undefined;
  readonly report: (finding: FlowFinding) => void;
}
