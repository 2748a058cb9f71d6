// Parameters that are read off tables of single costs, without a fit.
import type { GpuModel, GpuModelParameter } from '../model.ts';
import type { ParameterName } from '../parameters.ts';
import { quantile } from './errors.ts';
import { numberIn, type TableRow, type Tables } from './tables.ts';

/** A few parameters of a model. */
export type SomeParameters = Readonly<Partial<Record<ParameterName, GpuModelParameter>>>;

/** How a parameter follows from the rows of one table; `NaN` if they do not say. */
interface Reading {
  readonly name: ParameterName;
  readonly table: string;
  readonly read: (rows: readonly TableRow[], base: GpuModel) => number;
}

/** The median of a column in the rows that are meant. */
function median(
  rows: readonly TableRow[],
  column: string,
  isMeant: (row: TableRow) => boolean = () => true,
): number {
  const numbers = rows.filter(isMeant).map((row) => numberIn(row, column));
  return quantile(numbers.filter(Number.isFinite), 0.5);
}

const first =
  (column: string) =>
  (rows: readonly TableRow[]): number =>
    numberIn(rows[0]!, column);
const isRing = ({ cells }: TableRow): boolean => cells['program']?.startsWith('two-role') ?? false;
const isAlone = (row: TableRow): boolean => numberIn(row, 'ctas') === 1;
const isSustained = ({ cells }: TableRow): boolean =>
  cells['source'] === 'l2' && (cells['state']?.startsWith('after') ?? false);

/** The two largest stores of one CTA, the smaller one first. */
function largestStores(rows: readonly TableRow[]): readonly [TableRow, TableRow] | null {
  const sorted = rows
    .filter(isAlone)
    .toSorted((one, other) => numberIn(one, 'bytes') - numberIn(other, 'bytes'));
  const [small, large] = [sorted.at(-2), sorted.at(-1)];
  return small === undefined || large === undefined ? null : [small, large];
}

/** Bytes that a store reads in a cycle: by how much more the largest takes than the next. */
function storeRate(rows: readonly TableRow[]): number {
  const pair = largestStores(rows);
  if (pair === null) return Number.NaN;
  const [bytes, cycles] = ['bytes', 'read_done'].map((column) => {
    return numberIn(pair[1], column) - numberIn(pair[0], column);
  });
  return bytes! / cycles!;
}

/** What a store takes beyond its bytes. */
function storeExtra(rows: readonly TableRow[]): number {
  const large = largestStores(rows)?.[1];
  if (large === undefined) return Number.NaN;
  return numberIn(large, 'read_done') - numberIn(large, 'bytes') / storeRate(rows);
}

/** Bytes in a nanosecond of all CTAs' largest stores together. */
function allStores(rows: readonly TableRow[], base: GpuModel): number {
  const most = Math.max(...rows.map((row) => numberIn(row, 'ctas')).filter(Number.isFinite));
  const own = rows.filter((row) => numberIn(row, 'ctas') === most);
  const large = own.toSorted((a, b) => numberIn(b, 'bytes') - numberIn(a, 'bytes'))[0];
  if (large === undefined || most < 2) return Number.NaN;
  const clock = numberIn(large, 'mhz');
  const perNanosecond =
    (Number.isFinite(clock) ? clock : base.parameters.idleMegahertz.value) / 1000;
  const cycles = numberIn(large, 'cycles_per_store_4_in_flight');
  return ((most * numberIn(large, 'bytes')) / cycles) * perNanosecond;
}

/** The most that all SMs together have read from a source by any kind of copy. */
const allReads =
  (source: string) =>
  (rows: readonly TableRow[]): number => {
    const most = Math.max(...rows.map((row) => numberIn(row, 'ctas')));
    const own = rows.filter(
      (row) => row.cells['source'] === source && numberIn(row, 'ctas') === most,
    );
    return Math.max(...own.map((row) => numberIn(row, 'gigabytes_per_second')));
  };

/** Cycles of an instruction of one thread, or nanoseconds. */
function instruction(name: string, unit: 'cycles' | 'ns' = 'cycles') {
  return (rows: readonly TableRow[]): number => {
    const row = rows.find(({ cells }) => cells['instruction'] === name && cells['threads'] === '1');
    if (row === undefined) return Number.NaN;
    const cycles = numberIn(row, 'cycles');
    return unit === 'cycles' ? cycles : (cycles / numberIn(row, 'mhz')) * 1000;
  };
}

/** Cycles from an instruction of a chain to the next one, without what the loop takes. */
function chain(name: string, instructions = 1) {
  const one = (rows: readonly TableRow[], title: string): number => {
    const row = rows.find(
      ({ cells }) => cells['instruction'] === title && cells['threads'] === '32',
    );
    return row === undefined ? Number.NaN : numberIn(row, 'cycles');
  };
  return (rows: readonly TableRow[]): number =>
    (one(rows, name) - one(rows, 'nothing')) / instructions;
}

/** Cycles of a round of a program between two CTAs. */
function round(rows: readonly TableRow[], program: string, bytes: number, inFlight: number) {
  const row = rows.find(
    (one) =>
      one.cells['program'] === program &&
      numberIn(one, 'bytes') === bytes &&
      numberIn(one, 'in_flight') === inFlight,
  );
  return row === undefined ? Number.NaN : numberIn(row, 'cycles_per_round');
}

const REMOTE_COPY = 'copy_to_next_and_answer';

/** A round beyond its answer, and what the roles do in it. */
function remoteCopy(rows: readonly TableRow[], { parameters }: GpuModel): number {
  const { copyIssueCycles, waitCycles, wakeCycles } = parameters;
  const own = copyIssueCycles.value + waitCycles.value + wakeCycles.value;
  const answer = round(rows, 'remote_ping_pong_round_trip', 0, 0) / 2;
  return round(rows, REMOTE_COPY, 16, 1) - answer - own;
}

/** By how much many bytes take longer than half as many. */
function remoteRate(rows: readonly TableRow[]): number {
  const [most, half] = [65_536, 32_768].map((bytes) => round(rows, REMOTE_COPY, bytes, 8));
  return (8 * 32_768) / (most! - half!);
}

/** A k-block is four wgmma of each warpgroup, each of which takes N / 2 cycles. */
function busyShare(row: TableRow): number {
  const work = 2 * numberIn(row, 'mma_n') * numberIn(row, 'warpgroups');
  return Math.min(1, work / numberIn(row, 'cycles_per_block'));
}

/** By how much the clock falls where all tensor cores are busy: as the square of their share. */
function loadFall(rows: readonly TableRow[]): number {
  const tensor = rows.filter((row) => !isRing(row));
  const most = Math.max(...tensor.map((row) => numberIn(row, 'ctas')));
  const alone = median(tensor, 'mhz', isAlone);
  const loaded = tensor.filter((row) => numberIn(row, 'ctas') === most && most > 1);
  const sum = (of: (row: TableRow) => number): number =>
    loaded.reduce((total, row) => total + of(row), 0);
  const fallen = sum((row) => busyShare(row) ** 2 * (alone - numberIn(row, 'mhz')));
  return fallen / sum((row) => busyShare(row) ** 4);
}

/** Parameters of single instructions: their rows, and how many instructions a round of it has. */
const CHAINS: readonly (readonly [ParameterName, string, number?])[] = [
  ['aluCycles', 'fma.rn.f32 chain'],
  ['doubleCycles', 'fma.rn.f64 chain'],
  ['specialCycles', 'ex2.approx.ftz.f32 chain'],
  ['convertCycles', 'cvt.rzi.s32.f32+cvt.rn.f32.s32 chain', 2],
  ['divideCycles', 'div.rn.f32 chain'],
  ['integerDivideCycles', 'div.u32 chain'],
  ['shuffleCycles', 'shfl.sync.idx chain'],
  ['voteCycles', 'vote.sync.ballot'],
  ['reduceCycles', 'redux.sync.add.u32 chain'],
  ['joinCycles', 'bar.warp.sync'],
  ['electCycles', 'elect.sync'],
  ['multiplyCycles', 'mma.sync.m16n8k16 chain'],
  ['sharedAtomicCycles', 'atom.add.u64 of shared'],
  ['namedBarrierCycles', 'bar.sync'],
  ['builtCopyCycles', 'cp.async.cg 16'],
];

/** A later reading of a parameter is better than an earlier one. */
const READINGS: readonly Reading[] = [
  { name: 'l2BytesPerNanosecond', table: 'bandwidth', read: allReads('l2') },
  { name: 'hbmBytesPerNanosecond', table: 'bandwidth', read: allReads('hbm') },
  {
    name: 'groupBytesPerNanosecond',
    table: 'groups',
    // One cluster is on the SMs of one group.
    read: (rows) =>
      Math.max(
        ...rows
          .filter((row) => row.cells['source'] === 'l2' && numberIn(row, 'clusters') === 1)
          .map((row) => numberIn(row, 'gigabytes_per_second')),
      ),
  },
  { name: 'idleMegahertz', table: 'device', read: first('clock_mhz') },
  { name: 'multiprocessors', table: 'device', read: first('sms') },
  { name: 'l2Bytes', table: 'device', read: first('l2_bytes') },
  { name: 'sharedBytes', table: 'device', read: first('shared_bytes_per_sm') },
  { name: 'ctaSharedBytes', table: 'device', read: first('shared_bytes_per_cta') },
  { name: 'idleMegahertz', table: 'clocks', read: (rows) => median(rows, 'mhz', isRing) },
  {
    name: 'tensorMegahertz',
    table: 'clocks',
    read: (rows) => median(rows, 'mhz', (row) => !isRing(row) && isAlone(row)),
  },
  { name: 'loadMegahertz', table: 'clocks', read: loadFall },
  {
    name: 'sustainedMegahertz',
    table: 'clock_states',
    read: (rows) => median(rows, 'mhz', isSustained),
  },
  { name: 'testCycles', table: 'micro', read: (rows) => median(rows, 'try_wait_ready') },
  {
    name: 'signalCycles',
    table: 'micro',
    // Half of a round trip is an arrive and the way of its signal.
    read: (rows, { parameters }) =>
      median(rows, 'ping_pong_round_trip') / 2 - parameters.arriveCycles.value,
  },
  {
    name: 'remoteArriveCycles',
    table: 'probe_store',
    // The same between two CTAs, where that way is longer.
    read: (rows, { parameters: { arriveCycles, signalCycles } }) => {
      const trip = rows.find(({ cells }) => cells['ctas'] === 'remote_ping_pong_round_trip');
      const way = trip === undefined ? Number.NaN : numberIn(trip, 'bytes') / 2;
      return way - arriveCycles.value - signalCycles.value;
    },
  },
  ...CHAINS.map(([name, title, count]): Reading => {
    return { name, table: 'instructions', read: chain(title, count) };
  }),
  {
    name: 'builtIssueCycles',
    table: 'micro',
    read: (rows, { parameters }) => median(rows, 'bulk_issue') - parameters.arriveCycles.value,
  },
  { name: 'accessCycles', table: 'instructions', read: instruction('st.shared.u32') },
  { name: 'sharedLoadCycles', table: 'instructions', read: instruction('ld.shared.u32 chain') },
  {
    name: 'remoteLoadCycles',
    table: 'instructions',
    read: instruction('ld.shared::cluster.u32 chain'),
  },
  {
    name: 'globalLoadNanoseconds',
    table: 'instructions',
    read: instruction('ld.global.cg.u64 chain', 'ns'),
  },
  { name: 'remoteCopyCycles', table: 'dsmem', read: remoteCopy },
  { name: 'remoteCopyBytesPerCycle', table: 'dsmem', read: remoteRate },
  { name: 'storeBytesPerCycle', table: 'probe_store', read: storeRate },
  { name: 'storeCycles', table: 'probe_store', read: storeExtra },
  {
    name: 'storeDoneCycles',
    table: 'probe_store',
    read: (rows) => median(rows, 'all_done', isAlone) - median(rows, 'read_done', isAlone),
  },
  { name: 'storesBytesPerNanosecond', table: 'probe_store', read: allStores },
];

/** The parameters that the tables say directly; one that they do not say is left out. */
export function measuredParameters(tables: Tables, base: GpuModel): SomeParameters {
  const found = READINGS.flatMap(({ name, table, read }): [ParameterName, GpuModelParameter][] => {
    const rows = tables.get(table);
    const value = rows === undefined ? Number.NaN : read(rows, base);
    if (!(value > 0 && Number.isFinite(value))) return [];
    return [[name, { value, source: `measured: ${table}.csv` }]];
  });
  return Object.fromEntries(found);
}

/**
 * Whether the GPU's SMs are of the architecture of the measured ones: compute capability 9.0, which
 * alone has the instructions of `tensor_core` (wgmma).
 */
export function isHopper(tables: Tables): boolean {
  const device = tables.get('device')?.[0];
  return device === undefined ? tables.has('tensor_core') : device.cells['capability'] === '9.0';
}

/** What the GPU calls itself, if a table says so. */
export function deviceName(tables: Tables): string | null {
  return tables.get('device')?.[0]?.cells['name'] ?? null;
}
