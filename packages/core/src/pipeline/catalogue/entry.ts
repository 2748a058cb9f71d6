// A function of the program text as the catalogue describes it, with its names in other libraries.
import { optionTable, type OptionTable } from '../../base/index.ts';
import { CATALOGUE, OpKind, type OpEntry, type OpName } from '../../op/index.ts';

/** A function of the program text: its call, what it performs, and what others call it. */
export interface FunctionEntry {
  /** `tma.load`, `ab.produce`, `slot.arrive` or the name of an export. */
  readonly name: string;
  /** How it is called, with `yield*` where it can block. */
  readonly call: string;
  /** A sentence without a period. */
  readonly does: string;
  /** The options that it takes. */
  readonly options: OptionTable;
  /** The operations that it performs: their rules and costs. */
  readonly operations: readonly OpEntry[];
  /** What PTX has for it, or `–`. */
  readonly ptx: string;
  /** Names in other libraries, or `–`. */
  readonly cutlass: string;
  readonly cute: string;
  readonly mojo: string;
}

/**
 * The names of a function in CUTLASS C++, CuTe DSL and Mojo; `–` where there is none. The last one
 * is what PTX has for it, where that is not what it has for the operations.
 */
export type Names = readonly [cutlass: string, cute: string, mojo: string, ptx?: string];

/** A function that no other library has by a name. */
export const NO_NAMES: Names = ['–', '–', '–'];
const NO_OPTIONS = optionTable({});

/** An entry of the catalogue without its name. */
export function row(
  call: string,
  does: string,
  performs: readonly OpName[],
  [cutlass, cute, mojo, ptx]: Names,
  options: OptionTable = NO_OPTIONS,
): Omit<FunctionEntry, 'name'> {
  const operations = performs.map((name) => CATALOGUE[OpKind[name]]!);
  const ofOperations = new Set(operations.map((entry) => entry.ptx).filter((text) => text !== '–'));
  const own = ptx ?? ([...ofOperations].join(', ') || '–');
  return { call, does, options, operations, ptx: own, cutlass, cute, mojo };
}
