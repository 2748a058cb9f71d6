// What a PTX text declares: variables, functions, instructions, operands.
import type { Literal } from './literal.ts';
import type { Effect, Joins, Roles } from '../isa/effect.ts';
import type { Form } from '../isa/form.ts';
import type { Operand, Register } from '../isa/operand.ts';
import type { ScalarType } from '../isa/scalar-type.ts';

export type { Operand, Register };

/** A state space in which variables are declared. */
export type Space = 'shared' | 'global' | 'const' | 'local' | 'param';

/** A declared variable. */
export interface Variable {
  readonly name: string;
  readonly space: Space;
  readonly type: ScalarType;
  /** Bytes; 0 for an array without a size, which is dynamic shared memory. */
  readonly size: number;
  readonly align: number;
  /** The line of its declaration, from 1. */
  readonly line: number;
  /** The initial values, one for each element that has one; empty for zero or none. */
  readonly initial: readonly Initializer[];
}

/** An initial value: a number, or the address of a variable or a part of it. */
export type Initializer = Literal | InitialAddress;

/** An address in an initial value. */
export interface InitialAddress {
  readonly symbol: string;
  readonly offset: number;
  /** Whether it is some bits of the address, as in `0xff00(name)`. */
  readonly isPart?: boolean;
}

/** A parameter of a function, at an offset in its parameter block. */
export interface Parameter {
  readonly name: string;
  readonly type: ScalarType;
  readonly size: number;
  readonly align: number;
  readonly offset: number;
  /** The registers that hold it, as of `.reg .b32 a`; empty for `.param`. */
  readonly registers: readonly string[];
}

/** A place in the user's source, with the chain of calls that were inlined there. */
export interface SourceLocation {
  /** The number of the file in {@link PtxModule.files}. */
  readonly file: number;
  readonly line: number;
  readonly column: number;
  /** The call that this place was inlined at; `null` in the kernel itself. */
  readonly inlinedAt: SourceLocation | null;
}

/** An instruction of a function. */
export interface Instruction {
  /** Its index in {@link PtxFunction.instructions}. */
  readonly index: number;
  /**
   * The opcode with its modifiers in the order of its form, as in `mbarrier.init.shared::cta.b64`,
   * for messages and to know equal ones; what it means is its effect.
   */
  readonly opcode: string;
  /** Its row in the table of instructions. */
  readonly form: Form;
  /** What it does. */
  readonly effect: Effect;
  /** Which lanes of a warp come to it together. */
  readonly joins: Joins;
  /** Where its operands with roles stand. */
  readonly roles: Roles;
  /** Why a run that executes it is undecided; `null` where it is modeled. */
  readonly unmodeled: string | null;
  readonly operands: readonly Operand[];
  /** The predicate that decides whether it is executed. */
  readonly guard: { readonly register: number; readonly negated: boolean } | null;
  /** The line and the column in the PTX text, from 1. */
  readonly line: number;
  readonly column: number;
  /** Where the user's source has it, if the text says so. */
  readonly location: SourceLocation | null;
  /** Indices of the instructions that a branch may go to: one for `bra`, several for `brx.idx`. */
  readonly targets: readonly number[];
}

/** A function or a kernel. */
export interface PtxFunction {
  readonly name: string;
  readonly isEntry: boolean;
  /** Whether the text has its body. */
  readonly isDefined: boolean;
  readonly parameters: readonly Parameter[];
  readonly results: readonly Parameter[];
  /** Numbers of directives such as `reqntid` and `maxnreg`. */
  readonly directives: ReadonlyMap<string, readonly number[]>;
  readonly registers: readonly Register[];
  readonly variables: readonly Variable[];
  readonly instructions: readonly Instruction[];
  readonly line: number;
}

/** A PTX text. */
export interface PtxModule {
  /** The name of the PTX file, for messages. */
  readonly file: string;
  /** The version of PTX, such as `9.0`. */
  readonly version: string;
  /** The architecture, such as `sm_90a`. */
  readonly target: string;
  /** The user's source files by their number. */
  readonly files: ReadonlyMap<number, string>;
  /** Variables outside of functions. */
  readonly variables: readonly Variable[];
  /** Functions and kernels by name. */
  readonly functions: ReadonlyMap<string, PtxFunction>;
}
