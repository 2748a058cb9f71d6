// What following the flow of a function needs to know of the rest of the program.
import type { Contract, FunctionContract, ReleaseVia } from '../contract/contract.ts';
import type {
  Call,
  ClassNode,
  Expression,
  FunctionNode,
  Member,
  SourceFile,
  Switch,
} from '../syntax/node.ts';
import type { TypeNode } from '../syntax/type-node.ts';
import type { ClassInfo } from './class-info.ts';
import type { FlowFinding } from './report.ts';
import type { Summaries } from './summary.ts';

/** What a part of a result is: a handle, or something that contains handles. */
export type Shape =
  | { readonly k: 'nothing' }
  | {
      readonly k: 'handle';
      readonly contract: Contract;
      readonly maybeNull: boolean;
      /** Claimed only where the function that gets it releases it. */
      readonly isGuess?: boolean;
    }
  | { readonly k: 'promise'; readonly of: Shape }
  | { readonly k: 'many'; readonly of: Shape }
  | { readonly k: 'tuple'; readonly of: readonly Shape[] }
  | { readonly k: 'object'; readonly of: ReadonlyMap<string, Shape> }
  /** One of several objects, told apart by constant properties. */
  | { readonly k: 'either'; readonly of: readonly Shape[] }
  | { readonly k: 'constant'; readonly value: string | boolean };

/** An argument that a model's function takes over, if it is a handle of that model. */
export interface TakenArgument {
  readonly argument: number;
  /** The id of its contract. */
  readonly model: string;
}

/** What a call leads to. */
export interface CallTarget {
  readonly name: string | undefined;
  readonly fn: FunctionNode | undefined;
  readonly classNode: ClassNode | undefined;
  /** The package that declares it; `undefined` inside the project or where nothing is known. */
  readonly module: string | undefined;
  readonly owner: string | undefined;
  readonly promises: FunctionContract;
  /** What it returns to its caller to release. */
  readonly owned: Shape;
  /** What its name says that it hands out, where its own text does not say it. */
  readonly guess: Shape;
  /** The arguments that it takes over, besides what `promises` says. */
  readonly takes: readonly TakenArgument[];
  /** It releases this argument: `pool.release(conn)`. */
  readonly releases: ReleaseVia | undefined;
  readonly isAny: boolean;
  readonly isNever: boolean;
  readonly isPromise: boolean;
  /** The callback at this index is given handles of its own. */
  readonly callbackHandles:
    | {
        readonly argument: number;
        /** The property of that argument, where it is not the callback itself. */
        readonly option?: string | undefined;
        readonly shapes: readonly Shape[];
        /** The parameter that is a function which releases them. */
        readonly releaser?: number | undefined;
      }
    | undefined;
}

export interface World {
  readonly strict: boolean;
  readonly target: (call: Call, file: SourceFile) => CallTarget;
  readonly contractOfClass: (node: ClassNode) => Contract | undefined;
  readonly classInfo: (node: ClassNode) => ClassInfo;
  /** What a written type means for ownership, in the file that wrote it. */
  readonly shapeOf: (type: TypeNode | undefined, fn: FunctionNode) => Shape;
  /** A handle that a property of a handle is: `response.body`. */
  readonly derived: (contract: Contract, member: Member) => Contract | undefined;
  readonly summaries: Summaries;
  /** A handle may be in it: anything else is not walked. */
  /** How surely a function throws; `undefined` if it does not. */
  readonly throwsOf: (fn: FunctionNode) => 1 | 2 | undefined;
  /** Making an instance may create a handle, or is given one. */
  readonly createsHandle: (node: ClassNode) => boolean;
  readonly isOwner: (node: ClassNode) => boolean;
  readonly isRelevant: (fn: FunctionNode | SourceFile) => boolean;
  /** A role of a pipeline program: nothing abandons it at a `yield`. */
  readonly isRole: (fn: FunctionNode) => boolean;
  /** The handle that a round of a loop gets from the one before. */
  readonly carried: (fn: FunctionNode) => Contract | undefined;
  readonly roleFindings: (role: FunctionNode) => FlowFinding[];
  /** No value of the subject is missed by the cases. */
  readonly isExhaustive: (node: Switch) => boolean;
  /** The function, if any, that releases what is made in this callback and left behind. */
  readonly tidiedBy: (fn: FunctionNode) => string | undefined;
  /** All who call it are known, and none of them tidies up. */
  readonly isCalledUntidied: (fn: FunctionNode) => boolean;
  readonly classOf: (expression: Expression) => ClassNode | undefined;
  readonly report: (finding: FlowFinding) => void;
}
