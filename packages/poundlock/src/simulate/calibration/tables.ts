// Tables of measurements as they are read: rows by column, each with its line.

/** One row of a table. */
export interface TableRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/** A table by the name of its program or probe: `two_role`, `micro`, … */
export type Tables = ReadonlyMap<string, readonly TableRow[]>;

/** The number in a cell, or `NaN` without one. */
export function numberIn({ cells }: TableRow, column: string): number {
  const cell = cells[column];
  return cell === undefined || cell === '' ? Number.NaN : Number(cell);
}

/** The tables whose rows are times of whole programs, and the files of the programs. */
export const PROGRAMS = {
  two_role: 'two-role',
  three_role: 'three-role',
  release_order: 'release-order',
  tensor_core: 'tensor-core',
  styles: 'styles',
  tensormap: 'tensormap',
  multicast: 'multicast',
  store: 'store',
} as const;

/** The name of a table of times of a whole program. */
export type ProgramTable = keyof typeof PROGRAMS;

/** The names of those tables. */
export const PROGRAM_TABLES = Object.keys(PROGRAMS) as readonly ProgramTable[];

/** Tables of single costs and properties, which need no program. */
export const PROBES = [
  'device',
  'bandwidth',
  'groups',
  'micro',
  'clocks',
  'clock_states',
  'probe_store',
  'instructions',
  'dsmem',
] as const;
