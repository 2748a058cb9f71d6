// A kernel prepared for execution: an action for each instruction, and registers for its constants.
import type { Provenance } from '../../flow/provenance.ts';
import type { Slice } from '../../flow/slice.ts';
import type { Region } from './quiet-region.ts';
import type { Touching } from '../footprints/touching.ts';
import type { Instruction, Operand, PtxFunction } from '../../text/module.ts';
import type { Silent } from './elementwise.ts';
import type { ReadArrival } from './arrival-address.ts';
import type { ReadAddress } from './lane.ts';
import type { LocalStore } from './region-stores.ts';
import type { CountedLoop } from './counted-loop.ts';
import type { RegisterUses } from './registers-in-flight.ts';
import type { Warp } from './warp.ts';

/** How the execution of an instruction ended. */
export const Status = {
  /** The warp goes on. */
  done: 0,
  /** The warp has to wait, and executes the instruction again later. */
  blocked: 1,
  /** A look ahead has come to an effect that others can observe. */
  observed: 2,
} as const;
export type Status = (typeof Status)[keyof typeof Status];

/** The most instructions of one look ahead. */
export const LOOK_AHEAD = 4096;

/** Executes an instruction that other warps can observe, in the lanes of `mask`. */
export type Visible = (warp: Warp, mask: number) => Status;

/** What an instruction does. */
export type Action =
  /** Changes registers, local memory or memory that no other warp of the cluster reads here. */
  | { readonly kind: 'silent'; readonly run: Silent }
  /** Does something that other warps can observe. */
  | {
      readonly kind: 'visible';
      readonly run: Visible;
      readonly mayLookAhead: boolean;
      /** Whether it only accesses memory, so that it can be one that may happen. */
      readonly isAccess: boolean;
      /** Whether some lanes may repeat it until memory that other blocks write holds a value. */
      readonly mayPoll?: (warp: Warp, mask: number) => boolean;
      /** Whether these lanes do nothing that others can observe: all access local memory. */
      readonly isPrivate?: (warp: Warp, mask: number) => boolean;
    }
  | { readonly kind: 'branch' }
  | { readonly kind: 'table'; readonly index: number }
  | { readonly kind: 'return' }
  | { readonly kind: 'trap' };

/** Numbers for the kinds of actions, for the hot loop. */
export const ActionKind = {
  silent: 0,
  visible: 1,
  branch: 2,
  table: 3,
  return: 4,
  trap: 5,
} as const satisfies Record<Action['kind'], number>;

/** A constant that occupies a register. */
export interface ConstantSlot {
  readonly register: number;
  readonly low: number;
  readonly high: number;
}

/** A register that holds the address of a variable. */
export interface SymbolSlot {
  readonly register: number;
  readonly name: string;
  readonly offset: number;
}

/** A register that holds a special register such as `%tid.x`. */
export interface SpecialSlot {
  readonly register: number;
  readonly name: string;
}

/** A kernel that can be executed. */
export interface Program {
  readonly code: PtxFunction;
  /** What decides something; `null` where all values are computed. */
  readonly slice: Slice | null;
  readonly registers: number;
  readonly constants: readonly ConstantSlot[];
  readonly symbols: readonly SymbolSlot[];
  readonly specials: readonly SpecialSlot[];
  readonly actions: readonly Action[];
  /** {@link ActionKind} of each instruction. */
  readonly kinds: Uint8Array;
  /** The register of each instruction's predicate, or -1. */
  readonly guards: Int32Array;
  readonly isNegated: Uint8Array;
  /** 1 for instructions that only compute: their guard picks what they write. */
  readonly isPickable: Uint8Array;
  /** 1 for instructions that a warp executes as one. */
  readonly collective: Uint8Array;
  /** 1 for instructions at which the lanes of a warp wait for one another, where they part. */
  readonly ofWarp: Uint8Array;
  /** Loops whose rounds may be passed over, by the branch at their end. */
  readonly countedLoops: ReadonlyMap<number, CountedLoop>;
  /** Where lanes that part at an instruction meet again. */
  readonly meetingPoints: Int32Array;
  /** Where addresses of unknown value come from. */
  readonly provenance: Provenance;
  /** How the address of an operand is read, lane by lane. */
  readonly addressIn: (operand: Extract<Operand, { kind: 'address' }>) => ReadAddress;
  /** The width of a register of the code. */
  readonly bitsOf: (register: number) => number;
  /** Registers that each instruction writes. */
  readonly destinations: readonly (readonly number[])[];
  /** What instructions do with registers of asynchronous work; `null` for a kernel without any. */
  readonly registerUses: RegisterUses | null;
  /** Where each instruction reads at a generic address. */
  readonly sharedReads: readonly (ReadAddress | null)[];
  /** Where each instruction arrives. */
  readonly arrivals: readonly (ReadArrival | null)[];
  /** What each instruction touches of global memory, and 1 where it touches any. */
  readonly touchings: readonly (Touching | null)[];
  readonly isTouching: Uint8Array;
  /** What each instruction may store to local memory. */
  readonly localStores: readonly (LocalStore | null)[];
  /** What lies between a branch and where its ways meet. */
  readonly regionOf: (branch: Instruction) => Region;
  /** The registers of the code that are live before an instruction, as a set of bits. */
  readonly liveBefore: (at: number) => Uint32Array;
}

/** Whether all lanes that come to an instruction end there. */
export function isEnd({ kinds, guards }: Program, at: number): boolean {
  return kinds[at] === ActionKind.return && guards[at]! < 0;
}
