// Operands of instructions as the parser reads them, and the registers that they name.
import type { ScalarType } from './scalar-type.ts';

/** A constant: the low and high 32 bits of its 64-bit two's complement, or of a float's bits. */
export interface Literal {
  readonly low: number;
  readonly high: number;
  /** Whether the text wrote a floating-point number. */
  readonly isFloat: boolean;
}

/** An operand of an instruction. */
export type Operand =
  | { readonly kind: 'register'; readonly register: number }
  | { readonly kind: 'immediate'; readonly value: Literal }
  | { readonly kind: 'symbol'; readonly name: string; readonly offset: number }
  | { readonly kind: 'special'; readonly name: string }
  | { readonly kind: 'not'; readonly operand: Operand }
  | { readonly kind: 'vector'; readonly elements: readonly Operand[] }
  | { readonly kind: 'list'; readonly elements: readonly Operand[] }
  | { readonly kind: 'pair'; readonly first: Operand; readonly second: Operand }
  | {
      readonly kind: 'address';
      readonly base: Operand;
      readonly offset: number;
      readonly more: readonly Operand[];
    }
  | { readonly kind: 'sink' };

/** A virtual register of a function. */
export interface Register {
  readonly name: string;
  readonly type: ScalarType;
}
