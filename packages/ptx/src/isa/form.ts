// A form of an instruction: its name, the modifiers and operands that it takes, what is modeled.
import type { Role } from './effect.ts';
import type { EffectName } from './effects/effects.ts';

/** A row of the table as it is written. */
export interface Row {
  /** The heading above it: `effect: what it does`. */
  readonly heading: string;
  readonly line: string;
}

/** What `check` does with an instruction of a form. */
export type Status =
  /** Its effect is followed, or it changes registers alone. */
  | 'modeled'
  /** A hint: nothing depends on it. */
  | 'harmless'
  /** A run that executes it is undecided. */
  | 'unmodeled';

/** A modifier that a slot takes. */
export interface Modifier {
  /** The version of PTX that has it, such as `8.6`; empty: that of its form. */
  readonly version: string;
  /** The first architecture that has it, such as `sm_90`; empty: that of its form. */
  readonly target: string;
  readonly isModeled: boolean;
}

/** A place for one modifier. */
export interface Slot {
  readonly modifiers: ReadonlyMap<string, Modifier>;
  readonly isOptional: boolean;
  /** Slots with one number are filled together or not at all; 0: by itself. */
  readonly group: number;
  /** Whether its modifiers are types of operands. */
  readonly isType: boolean;
}

/** What an operand may be. */
export interface OperandKind {
  readonly takes: 'anything' | 'nothing' | 'sink' | 'address' | 'immediate' | 'value' | 'result';
  /** The width of a register in bits; `null`: that of the type, or any. */
  readonly bits: number | null;
  /** Which type of the opcode a register has, from 0; `null`: none. */
  readonly type: number | null;
  /** Whether a constant in its place is a float. */
  readonly isFloat: boolean;
  readonly isPredicate: boolean;
  readonly mayBeVector: boolean;
  /** Whether a second result, a predicate, may stand behind it. */
  readonly mayBePair: boolean;
  readonly mayBeNegated: boolean;
}

/** A place for one operand. */
export interface OperandSlot {
  readonly kind: OperandKind;
  readonly isOptional: boolean;
  /** Modifiers of which one is there exactly if the operand is; empty: it depends on none. */
  readonly modifiers: readonly string[];
  readonly role: Role | null;
}

/** One row of the table. */
export interface Form {
  /** The name with what is in place behind it, such as `mbarrier.try_wait.parity`. */
  readonly name: string;
  /** `null`: its modifiers are not listed. */
  readonly slots: readonly Slot[] | null;
  /** `null`: its operands are not listed. */
  readonly operands: readonly OperandSlot[] | null;
  /** The first version of PTX that has it. */
  readonly version: string;
  /** The first architecture that has it. */
  readonly target: string;
  readonly status: Status;
  /** What instructions of the form do. */
  readonly effect: EffectName;
  /** The same as a sentence. */
  readonly doc: string;
}
