// tcgen05: matrix work of one thread, tensor memory, its allocation, loads, stores and commits.
import { Unsupported } from '../machine/machine.ts';
import { chosenRanks, inRank, MASK_BITS } from './lane.ts';
import type { TensorMemory, TransferShape } from '../../isa/effect.ts';
import { COLUMNS, isSize } from '../machine/tensor-columns.ts';
import { rankOf, TENSOR_MEMORY } from '../../steps/step.ts';
import type { Instruction } from '../../text/module.ts';
import { LANES } from '../../values/register-file.ts';
import type { Wide } from '../../values/wide.ts';
import { addressOf, addressWith, operandOf, visible } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import { dataOfWarp } from './data.ts';
import { tensorFence } from './fences.ts';
import { address, number, sharedAddress } from './lane.ts';
import { firstLane } from '../../values/lane-mask.ts';
import type { ReadAddress } from './lane.ts';
import { Status } from './program.ts';
import type { Slots } from './slots.ts';
import { inCta, readDescriptor } from './tensor-core.ts';
import type { Warp } from './warp.ts';

type TensorBuilder = BuilderOf<TensorMemory>;

const at: Wide = { low: 0, high: 0 };
const out: Wide = { low: 0, high: 0 };
/** Groups of 32 lanes of tensor memory, one for each warp of a warpgroup. */
const QUARTERS = [0, 1, 2, 3] as const;
/** Lanes of the shapes `.16x…`. */
const HALF = 16;
const DEPTH_BYTES = 32;
/** Columns that `tcgen05.shift` moves. */
const SHIFTED_COLUMNS = 8;
/** Rows of a CTA in as many lanes: each column of 32-bit numbers has one of the accumulator. */
const ROWS_OF_ALL = 128;
/** Rows whose factors share a column. */
const ROWS_OF_SCALES = 32;

/** Halves of a quarter, one of which a shape of 16 lanes reaches; the upper ones come last. */
const HALVES = [0, 1] as const;

/** Columns of quarters of tensor memory, or of halves of them, as ranges within a CTA. */
function columnsOf(
  first: number,
  count: number,
  quarters: readonly number[],
  halves: readonly number[] = HALVES,
): number[] {
  return halves.flatMap((half) =>
    quarters.flatMap((quarter) => {
      const group = half * QUARTERS.length + quarter;
      const from = TENSOR_MEMORY + (group * COLUMNS + first) * 4;
      return [from, from + count * 4];
    }),
  );
}

/** The halves of its quarter that a transfer reaches from an address on. */
function halvesOf(shape: TransferShape, address: number): readonly number[] {
  const lane = (address >>> 16) % LANES;
  const isOneHalf = shape !== '32x32b' && shape !== '16x32bx2' && lane % HALF === 0;
  return isOneHalf ? [lane / HALF] : HALVES;
}

/** The same ranges in both CTAs of a pair. */
function inPair(ranges: readonly number[]): number[] {
  const other = ranges.map((value, index) => {
    const from = index % 2 === 0 ? value : ranges[index - 1]!;
    return inRank(from, rankOf(from) ^ 1) + (value - from);
  });
  return [...ranges, ...other];
}

function tensorAddress(read: ReadAddress, warp: Warp, lane: number): number {
  if (!read(warp, lane, at))
    throw new Unsupported('a tensor memory address is unknown data', warp.stack.counter);
  return at.low;
}

/** Columns are used: all have been allocated, or some where it is not known how many are used. */
function use(
  warp: Warp,
  at: number,
  mask: number,
  first: number,
  columns: number,
  isExact = false,
): void {
  const allocated = warp.machine.tensorColumns.allocated(warp.cta.rank, first, columns);
  if (allocated >= (isExact ? columns : 1)) return;
  warp.record({ op: 'tensorMisuse', at, misuse: 'unallocated', columns }, mask);
}

const SIZES = 'tcgen05.alloc takes a power of two of columns from 32 to 512';

const allocate: TensorBuilder = (instruction, _effect, slots) => {
  const target = sharedAddress(addressOf(instruction, 0), slots, true);
  const count = number(instruction.operands[1], slots, 'the number of columns');
  return visible((warp, mask) => {
    const lane = firstLane(mask);
    const { machine, cta } = warp;
    const wanted = count(warp, lane);
    const { tensorColumns } = machine;
    const { index } = instruction;
    if (!isSize(wanted))
      machine.misuse('tensor-memory', index, `${wanted} columns are allocated`, SIZES, warp);
    const isLate = tensorColumns.relinquished.has(cta.rank);
    if (isLate || wanted > COLUMNS) {
      const misuse = isLate ? 'relinquished' : 'capacity';
      warp.record({ op: 'tensorMisuse', at: index, misuse, columns: wanted }, mask);
    }
    const column = wanted > COLUMNS ? 0 : tensorColumns.allocate(cta.rank, wanted, index);
    if (column < 0) {
      // What is free may be in pieces, of which the order of allocations decides.
      if (tensorColumns.taken(cta.rank) + wanted <= COLUMNS)
        return machine.undecided(index, `${wanted} columns of tensor memory are not free together`);
      warp.wait.on = { op: 'allocate', at: index, column: -1, columns: wanted };
      return Status.blocked;
    }
    if (tensorColumns.wasOfOther(cta.rank, column, wanted, warp.index))
      machine.noteUndecided(index, 'which columns it gets depends on the order of allocations');
    const address = target(warp, lane);
    out.low = column;
    out.high = 0;
    machine.memory.store(address, 4, out, true, null);
    const writes = [address, address + 4];
    const step = { op: 'access', at: instruction.index, kind: 'plain', reads: [], writes } as const;
    warp.record({ ...step, values: [column, 0] }, mask);
    warp.record({ op: 'allocate', at: instruction.index, column, columns: wanted }, mask);
    return Status.done;
  });
};

const FREE_RULE = 'tcgen05.dealloc frees what one tcgen05.alloc has allocated, and once';

const free: TensorBuilder = (instruction, _effect, slots) => {
  const base = number(instruction.operands[0], slots, 'a tensor memory address');
  const count = number(instruction.operands[1], slots, 'the number of columns');
  return visible((warp, mask) => {
    const lane = firstLane(mask);
    const column = base(warp, lane) & 0xffff;
    const columns = count(warp, lane);
    if (!warp.machine.tensorColumns.free(warp.cta.rank, column, columns, warp.index)) {
      const which = `${columns} columns from ${column} on`;
      const text = `${which} are freed that were not allocated together`;
      const more = { isOrdered: true };
      warp.machine.misuse('tensor-memory', instruction.index, text, FREE_RULE, warp, more);
    }
    // Work on the columns that is still open meets that of their next owner.
    const writes = columnsOf(column, columns, QUARTERS).map((each) => inRank(each, warp.cta.rank));
    const step = { op: 'access', at: instruction.index, kind: 'plain', reads: [], writes } as const;
    warp.record({ ...step, values: [] }, mask);
    warp.record({ op: 'free', at: instruction.index, column, columns }, mask);
    return Status.done;
  });
};

const relinquish: TensorBuilder = (instruction) =>
  visible((warp, mask) => {
    warp.machine.tensorColumns.relinquished.add(warp.cta.rank);
    warp.record({ op: 'relinquish', at: instruction.index }, mask);
    return Status.done;
  });

/** `tcgen05.wait::ld` and `wait::st`: the warp's transfers so far are complete. */
const wait: TensorBuilder = ({ index }, { op }) => {
  const unit = op === 'wait store' ? 'tensorStore' : 'tensorLoad';
  return visible((warp, mask) => {
    warp.record({ op: 'commitGroup', at: index, unit }, mask);
    warp.record({ op: 'waitGroup', at: index, unit, pending: 0, isRead: false }, mask);
    return Status.done;
  });
};

const COMMIT_RULE = 'each thread that executes tcgen05.commit makes an arrival of its own';

/** Reports lanes that make more arrivals by one commit than a phase counts. */
function checkArrivals(warp: Warp, { index }: Instruction, barrier: number, count: number): void {
  const { machine } = warp;
  const expected = machine.barriers.at(barrier)?.expected ?? count;
  if (count <= expected) return;
  const text =
    `tcgen05.commit by ${count} lanes makes ${count} arrivals on ${machine.nameOf(barrier)}, ` +
    `of which a phase counts ${expected}`;
  machine.misuse('over-arrival', index, text, COMMIT_RULE, warp);
}

const commit: TensorBuilder = (instruction, { multicast }, slots) => {
  const target = sharedAddress(addressWith(instruction, 'mbarrier'), slots, false);
  const mask =
    multicast === null
      ? null
      : number(operandOf(instruction, 'multicast'), slots, 'the mask of a commit');
  return visible((warp, lanes) => {
    const arrivals = new Map<number, number>();
    for (let rest = lanes; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const barrier = target(warp, lane);
      const barriers =
        mask === null
          ? [barrier]
          : chosenRanks(warp, mask(warp, lane) & MASK_BITS[multicast!]).map((rank) =>
              inRank(barrier, rank),
            );
      for (const each of barriers) {
        arrivals.set(each, (arrivals.get(each) ?? 0) + 1);
        const state = warp.machine.barriers.at(each);
        if (state !== undefined && !warp.machine.barriers.arrive(state, 1, 0, false))
          warp.machine.fault(
            'over-arrival',
            instruction.index,
            `more arrivals than ${warp.machine.nameOf(each)} expects in a phase`,
          );
      }
      warp.record({ op: 'commit', at: instruction.index, barriers }, 1 << lane);
    }
    for (const [barrier, count] of arrivals) checkArrivals(warp, instruction, barrier, count);
    return Status.done;
  });
};

/** 32-bit columns that one repetition of a shape moves. */
const SHAPE_COLUMNS: Readonly<Record<TransferShape, number>> = {
  '32x32b': 1,
  '16x32bx2': 1,
  '16x64b': 2,
  '16x128b': 4,
  '16x256b': 8,
};

const LANES_RULE = 'a warp reaches the lanes of tensor memory of its place in its warpgroup';

/** Reports an address in lanes of tensor memory that are those of another warp. */
function checkLanes(warp: Warp, index: number, address: number, isLoad: boolean): void {
  const own = warp.index % QUARTERS.length;
  const [lane, first] = [(address >>> 16) & 0x7f, LANES * own];
  if (lane >= first && lane < first + LANES) return;
  const verb = isLoad ? 'reads' : 'writes';
  const text =
    `warp ${warp.index} ${verb} tensor memory from lane ${lane} on, and reaches lanes ${first} ` +
    `to ${first + LANES - 1}`;
  warp.machine.misuse('tensor-memory', index, text, LANES_RULE, warp);
}

/** `tcgen05.ld` and `tcgen05.st`: the quarter of the warp, or half of it for 16 lanes. */
function transfer(isLoad: boolean): TensorBuilder {
  return (instruction, { shape, repeats }, slots) => {
    const read = address(addressOf(instruction, isLoad ? 1 : 0), slots);
    const isSplit = shape === '16x32bx2';
    const split = isSplit ? instruction.operands[isLoad ? 2 : 1] : undefined;
    const splitOffset = split?.kind === 'immediate' ? split.value.low : 0;
    const count = repeats * SHAPE_COLUMNS[shape ?? '32x32b'];
    const isRead = isLoad && slots.slice?.isData(instruction) !== true;
    const results = isRead ? dataOfWarp(instruction, slots, true) : null;
    return visible((warp, mask) => {
      const from = tensorAddress(read, warp, firstLane(mask));
      const quarter = (from >>> 21) & 3;
      const column = from & 0xffff;
      checkLanes(warp, instruction.index, from, isLoad);
      use(warp, instruction.index, mask, column, count, true);
      if (isSplit) use(warp, instruction.index, mask, column + splitOffset, count, true);
      const own = columnsOf(column, count, [quarter], halvesOf(shape ?? '32x32b', from));
      const ranges = inCta(
        warp,
        isSplit ? [...own, ...columnsOf(column + splitOffset, count, [quarter])] : own,
      );
      const step = { op: 'use', at: instruction.index } as const;
      warp.record(
        isLoad
          ? { ...step, unit: 'tensorLoad', reads: ranges, writes: [] }
          : { ...step, unit: 'tensorStore', reads: [], writes: ranges },
        mask,
      );
      results?.(warp, mask);
      return Status.done;
    });
  };
}

/** What a matrix A takes up: in shared memory, or in tensor memory. */
function readA(
  instruction: Instruction,
  slots: Slots,
): (warp: Warp, lane: number, rows: number, isRowMajor: boolean) => number[] {
  const operand = instruction.operands[1];
  if (operand?.kind !== 'address') {
    const read = readDescriptor(operand, slots, 'sm100');
    return (warp, lane, rows, isRowMajor) =>
      read(warp, lane, { rows, depthBytes: DEPTH_BYTES, isRowMajor });
  }
  const read = address(operand, slots);
  return (warp, lane) => {
    const column = tensorAddress(read, warp, lane) & 0xffff;
    return inCta(warp, columnsOf(column, DEPTH_BYTES / 4, QUARTERS));
  };
}

const multiply: TensorBuilder = (
  instruction,
  { ctaGroup, isBlockScaled, isWeightStationary },
  slots,
) => {
  const { operands } = instruction;
  const isPair = ctaGroup === 2;
  const accumulator = address(addressOf(instruction, 0), slots);
  const readsOfA = readA(instruction, slots);
  const bDescriptor = readDescriptor(operands[2], slots, 'sm100');
  const description = number(
    operands[3]?.kind === 'address' ? operands[4] : operands[3],
    slots,
    'an instruction descriptor',
  );
  // Factors of the rows of A and of B, in tensor memory.
  const scales = isBlockScaled
    ? operands.slice(4).flatMap((operand) => {
        return operand.kind === 'address' ? [address(operand, slots)] : [];
      })
    : [];
  return visible((warp, mask) => {
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const bits = description(warp, lane);
      const n = ((bits >>> 17) & 63) << 3;
      const m = ((bits >>> 24) & 31) << 4;
      const share = isPair ? 2 : 1;
      const reads = readsOfA(warp, lane, m / share, ((bits >>> 15) & 1) === 1);
      reads.push(
        ...bDescriptor(warp, lane, {
          rows: n / share,
          depthBytes: DEPTH_BYTES,
          isRowMajor: ((bits >>> 16) & 1) === 1,
        }),
      );
      for (const [index, scale] of scales.entries()) {
        const rows = index === 0 ? m / share : n;
        const column = tensorAddress(scale, warp, lane) & 0xffff;
        reads.push(...inCta(warp, columnsOf(column, Math.ceil(rows / ROWS_OF_SCALES), QUARTERS)));
      }
      const to = tensorAddress(accumulator, warp, lane);
      const isWhole = !isWeightStationary && m / share === ROWS_OF_ALL && ((bits >>> 4) & 3) !== 0;
      use(warp, instruction.index, 1 << lane, to & 0xffff, n, isWhole);
      const writes = inCta(warp, columnsOf(to & 0xffff, n, QUARTERS));
      const step = { op: 'use', at: instruction.index, unit: 'tcgen05' } as const;
      warp.record(
        isPair
          ? { ...step, reads: inPair(reads), writes: inPair(writes) }
          : { ...step, reads, writes },
        1 << lane,
      );
    }
    return Status.done;
  });
};

/** `tcgen05.cp`: from shared memory into tensor memory, such as scale factors. */
const copyIn: TensorBuilder = (instruction, { ctaGroup, rows, rowBits: bits }, slots) => {
  const target = address(addressOf(instruction, 0), slots);
  const source = readDescriptor(instruction.operands[1], slots, 'sm100');
  const isPair = ctaGroup === 2;
  return visible((warp, mask) => {
    const lane = firstLane(mask);
    const reads = source(warp, lane, { rows, depthBytes: bits / 8, isRowMajor: false });
    const column = tensorAddress(target, warp, lane) & 0xffff;
    use(warp, instruction.index, mask, column, bits / 32);
    const writes = inCta(warp, columnsOf(column, bits / 32, QUARTERS));
    const step = { op: 'use', at: instruction.index, unit: 'tcgen05' } as const;
    warp.record(
      isPair
        ? { ...step, reads: inPair(reads), writes: inPair(writes) }
        : { ...step, reads, writes },
      mask,
    );
    return Status.done;
  });
};

/** `tcgen05.shift` moves rows of the accumulator down. */
const shift: TensorBuilder = (instruction, _effect, slots) => {
  const target = address(addressOf(instruction, 0), slots);
  return visible((warp, mask) => {
    const column = tensorAddress(target, warp, firstLane(mask)) & 0xffff;
    use(warp, instruction.index, mask, column, SHIFTED_COLUMNS);
    const writes = inCta(warp, columnsOf(column, SHIFTED_COLUMNS, QUARTERS));
    warp.record({ op: 'use', at: instruction.index, unit: 'tcgen05', reads: writes, writes }, mask);
    return Status.done;
  });
};

const BUILDERS: Readonly<Record<TensorMemory['op'], TensorBuilder>> = {
  alloc: allocate,
  dealloc: free,
  relinquish,
  load: transfer(true),
  store: transfer(false),
  copy: copyIn,
  shift,
  multiply,
  commit,
  'wait load': wait,
  'wait store': wait,
  'fence before': (instruction) => tensorFence('tcgen05.before', instruction),
  'fence after': (instruction) => tensorFence('tcgen05.after', instruction),
};

/** The instructions of tensor memory. */
export const tensorMemory: TensorBuilder = (instruction, effect, slots) =>
  BUILDERS[effect.op](instruction, effect, slots);
