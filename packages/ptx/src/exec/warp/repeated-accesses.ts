// Accesses to shared memory that a warp has made before: the same addresses touch the same bytes.
// What is loaded there is the same while nothing writes there, and data whatever is there.
import { SHARED_WINDOW } from '../../launch/windows.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { LANES } from '../../values/register-file.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import type { AccessStep, Ranges } from '../../steps/step.ts';
import type { Wide } from '../../values/wide.ts';
import { WINDOW_OF } from '../origins/accesses.ts';
import type { Form } from './access-form.ts';
import { writeData } from './barrier-data.ts';
import type { Warp } from './warp.ts';

/** Accesses of one instruction by one warp that are remembered: those with values, and of data. */
const MAX_LOADS = 64;
const MAX_OF_DATA = 256;
/** The bytes that a register holds. */
const MAX_BYTES = 8;

/** What a register held after a load. */
interface Held {
  readonly known: number;
  readonly isPerLane: boolean;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/** An access of some lanes at known addresses. */
interface Access {
  readonly mask: number;
  /** The register of the address, by lane; of one address the first one. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly step: AccessStep;
  /** The bytes that it writes, in order. */
  readonly written: Ranges;
  /** What it loaded; `null` where that is data. */
  readonly loaded: Loaded | null;
}

/** What was loaded. */
interface Loaded {
  readonly pages: readonly number[];
  /** The last write of memory before. */
  readonly writes: number;
  readonly held: readonly Held[];
}

const value: Wide = { low: 0, high: 0 };

/** The accesses of one instruction. */
export class RepeatedAccesses {
  readonly #form: Form;
  readonly #register: number;
  readonly #hasWindow: boolean;
  /** Whether what it loads or stores is data that nothing looks at. */
  readonly #isOfData: boolean;
  #machine: Warp['machine'] | null = null;
  /** By number of the warp, and by the address of the first lane. */
  #ofWarps: (Map<number, Access> | undefined)[] = [];
  /** How many steps there were before the access in execution; -1 where it is not remembered. */
  #steps = -1;
  /** The addresses of the access in execution, and whether they are one. */
  readonly #low = new Uint32Array(LANES);
  readonly #high = new Uint32Array(LANES);
  #isOne = false;

  constructor(form: Form, register: number, isOfData: boolean) {
    this.#form = form;
    this.#register = register;
    this.#isOfData = isOfData;
    this.#hasWindow = WINDOW_OF[form.space] === SHARED_WINDOW;
  }

  /** Whether accesses of a form can be remembered. */
  static areOf({ space, isWrite, kind, bytes }: Form, isOfData: boolean): boolean {
    const isShared = space === 'shared' || space === 'generic';
    return isShared && kind === 'plain' && (isOfData || (!isWrite && bytes <= MAX_BYTES));
  }

  /** Makes an access as it was made before, if it was and memory is as it was then. */
  replay(warp: Warp, mask: number): boolean {
    this.#steps = -1;
    const { registers, machine } = warp;
    const register = this.#register;
    if ((registers.known[register]! & mask) !== mask) return false;
    if (this.#machine !== machine) this.#ofWarps = [];
    this.#machine = machine;
    const first = registers.low[registers.slot(register, firstLane(mask))]!;
    const access = this.#ofWarps[warp.number]?.get(first);
    if (access?.mask !== mask || !this.#isAt(registers, access) || hasChanged(machine, access)) {
      if (this.#take(registers, mask)) this.#steps = warp.steps.length;
      return false;
    }
    const { loaded, written, step } = access;
    for (let index = 0; index < written.length; index += 2)
      writeData(warp, written[index]!, written[index + 1]!);
    if (loaded !== null)
      for (const [element, result] of this.#form.results.entries())
        put(warp, result, loaded.held[element]!, mask);
    warp.record(step, mask);
    return true;
  }

  /** Remembers the access that was executed, after {@link replay}. */
  note(warp: Warp, mask: number): void {
    const step = warp.steps.at(-1);
    const isOne = this.#steps >= 0 && warp.steps.length === this.#steps + 1;
    if (!isOne || step?.op !== 'access' || step.isPossible === true) return;
    const { reads, writes, values } = step;
    const { memory } = warp.machine;
    if (!memory.hasAll(reads) || !memory.hasAll(writes)) return;
    const accesses = (this.#ofWarps[warp.number] ??= new Map<number, Access>());
    if (accesses.size >= (this.#isOfData ? MAX_OF_DATA : MAX_LOADS)) accesses.clear();
    const end = this.#isOne ? 1 : LANES;
    accesses.set(this.#low[this.#isOne ? 0 : firstLane(mask)]!, {
      mask,
      low: this.#low.slice(0, end),
      high: this.#high.slice(0, end),
      step: { op: 'access', at: step.at, kind: 'plain', reads, writes, values },
      written: joined(writes),
      loaded: this.#isOfData ? null : this.#loaded(warp, reads),
    });
  }

  #loaded(warp: Warp, reads: Ranges): Loaded {
    const { memory } = warp.machine;
    return {
      pages: memory.pagesOf(reads),
      writes: memory.writes,
      held: this.#form.results.map((register) => heldIn(warp, register)),
    };
  }

  /** Reads the addresses of the lanes; whether all are in shared memory. */
  #take(registers: RegisterFile, mask: number): boolean {
    const register = this.#register;
    const base = register * LANES;
    this.#isOne = registers.perLane[register] === 0;
    const end = base + (this.#isOne ? 1 : LANES);
    this.#low.set(registers.low.subarray(base, end));
    this.#high.set(registers.high.subarray(base, end));
    if (this.#hasWindow) return true;
    if (this.#isOne) return this.#high[0] === SHARED_WINDOW;
    for (let rest = mask; rest !== 0; rest &= rest - 1)
      if (this.#high[firstLane(rest)] !== SHARED_WINDOW) return false;
    return true;
  }

  #isAt({ low, high, perLane }: RegisterFile, access: Access): boolean {
    const register = this.#register;
    const base = register * LANES;
    const { mask, low: lows, high: highs } = access;
    const isOne = perLane[register] === 0;
    if (isOne !== (lows.length === 1)) return false;
    const lanes = isOne ? 1 : mask;
    for (let lane = 0; lane < lows.length; lane++) {
      const isLow = low[base + lane] === lows[lane];
      const isHere = isLow && (this.#hasWindow || high[base + lane] === highs[lane]);
      if (!isHere && ((lanes >>> lane) & 1) === 1) return false;
    }
    return true;
  }
}

/** Whether what was loaded may be another value now. */
function hasChanged({ memory }: Warp['machine'], { loaded }: Access): boolean {
  return loaded !== null && memory.hasChanged(loaded.pages, loaded.writes);
}

/** Ranges with those in one that follow each other. */
function joined(ranges: Ranges): Ranges {
  const all: number[] = [];
  for (let index = 0; index < ranges.length; index += 2)
    if (all.at(-1) === ranges[index]) all[all.length - 1] = ranges[index + 1]!;
    else all.push(ranges[index]!, ranges[index + 1]!);
  return all;
}

function heldIn({ registers }: Warp, register: number): Held {
  const isPerLane = registers.perLane[register] === 1;
  const base = register * LANES;
  const end = base + (isPerLane ? LANES : 1);
  const low = registers.low.slice(base, end);
  return {
    known: registers.known[register]!,
    isPerLane,
    low,
    high: registers.high.slice(base, end),
  };
}

/** Writes what a register held into the lanes of a mask. */
function put({ registers, lanes }: Warp, register: number, held: Held, mask: number): void {
  if (!held.isPerLane) {
    value.low = held.low[0]!;
    value.high = held.high[0]!;
    return registers.setUniform(register, value, held.known !== 0, mask, lanes);
  }
  const base = registers.openLanes(register, mask, lanes);
  if (mask === lanes) {
    registers.low.set(held.low, base);
    registers.high.set(held.high, base);
    registers.known[register] = held.known;
    return;
  }
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = firstLane(rest);
    registers.low[base + lane] = held.low[lane]!;
    registers.high[base + lane] = held.high[lane]!;
  }
  registers.known[register] = (registers.known[register]! & ~mask) | (held.known & mask);
}
