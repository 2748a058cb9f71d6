// Loads of shared memory that a warp has made before: the same addresses touch the same bytes, and
// hold the same values while nothing writes there.
import { SHARED_WINDOW } from '../../launch/windows.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { LANES } from '../../values/register-file.ts';
import type { AccessStep } from '../../steps/step.ts';
import type { Wide } from '../../values/wide.ts';
import { WINDOW_OF } from '../origins/accesses.ts';
import type { Form } from './access-form.ts';
import type { Warp } from './warp.ts';

/** Loads of one instruction by one warp that are remembered. */
const MAX_LOADS = 64;
/** The bytes that a register holds. */
const MAX_BYTES = 8;

/** What a register held after a load. */
interface Held {
  readonly known: number;
  readonly isPerLane: boolean;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/** A load of some lanes at known addresses. */
interface Load {
  readonly mask: number;
  /** The register of the address, by lane. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly step: AccessStep;
  readonly pages: readonly number[];
  /** The last write of memory before it. */
  readonly writes: number;
  readonly held: readonly Held[];
}

const value: Wide = { low: 0, high: 0 };

/** The loads of one instruction. */
export class RepeatedLoads {
  readonly #form: Form;
  readonly #register: number;
  readonly #hasWindow: boolean;
  #machine: Warp['machine'] | null = null;
  /** By number of the warp, and by the address of the first lane. */
  #ofWarps: (Map<number, Load> | undefined)[] = [];
  /** How many steps there were before the load that is executed; -1 where it is not remembered. */
  #steps = -1;
  /** The addresses of the load that is executed. */
  readonly #low = new Uint32Array(LANES);
  readonly #high = new Uint32Array(LANES);

  constructor(form: Form, register: number) {
    this.#form = form;
    this.#register = register;
    this.#hasWindow = WINDOW_OF[form.space] === SHARED_WINDOW;
  }

  /** Whether loads of a form can be remembered. */
  static areOf({ space, isWrite, kind, bytes }: Form): boolean {
    const isShared = space === 'shared' || space === 'generic';
    return isShared && !isWrite && kind === 'plain' && bytes <= MAX_BYTES;
  }

  /** Makes a load as it was made before, if it was and memory is as it was then. */
  replay(warp: Warp, mask: number): boolean {
    this.#steps = -1;
    if (!this.#take(warp, mask)) return false;
    this.#steps = warp.steps.length;
    if (this.#machine !== warp.machine) this.#ofWarps = [];
    this.#machine = warp.machine;
    const load = this.#ofWarps[warp.number]?.get(this.#low[firstLane(mask)]!);
    if (load === undefined || load.mask !== mask || !this.#isAt(load)) return false;
    const { memory } = warp.machine;
    if (memory.hasChanged(load.pages, load.writes)) return false;
    for (const [element, register] of this.#form.results.entries())
      put(warp, register, load.held[element]!, mask);
    warp.record(load.step, mask);
    return true;
  }

  /** Remembers the load that was executed, after {@link replay}. */
  note(warp: Warp, mask: number): void {
    const step = warp.steps.at(-1);
    const isOne = this.#steps >= 0 && warp.steps.length === this.#steps + 1;
    if (!isOne || step?.op !== 'access' || step.isPossible === true) return;
    const { memory } = warp.machine;
    const { reads } = step;
    if (!memory.hasAll(reads)) return;
    const loads = (this.#ofWarps[warp.number] ??= new Map<number, Load>());
    if (loads.size >= MAX_LOADS) loads.clear();
    loads.set(this.#low[firstLane(mask)]!, {
      mask,
      low: this.#low.slice(),
      high: this.#high.slice(),
      step: { op: 'access', at: step.at, kind: 'plain', reads, writes: NONE, values: NONE },
      pages: memory.pagesOf(reads),
      writes: memory.writes,
      held: this.#form.results.map((register) => heldIn(warp, register)),
    });
  }

  /** Reads the addresses of the lanes; whether all are in shared memory. */
  #take({ registers }: Warp, mask: number): boolean {
    const register = this.#register;
    if ((registers.known[register]! & mask) !== mask) return false;
    const base = register * LANES;
    if (registers.perLane[register] === 0) {
      this.#low.fill(registers.low[base]!);
      this.#high.fill(registers.high[base]!);
    } else {
      this.#low.set(registers.low.subarray(base, base + LANES));
      this.#high.set(registers.high.subarray(base, base + LANES));
    }
    if (this.#hasWindow) return true;
    for (let rest = mask; rest !== 0; rest &= rest - 1)
      if (this.#high[firstLane(rest)] !== SHARED_WINDOW) return false;
    return true;
  }

  #isAt({ mask, low, high }: Load): boolean {
    for (let lane = 0; lane < LANES; lane++) {
      const isOther = this.#low[lane] !== low[lane] || this.#high[lane] !== high[lane];
      if (isOther && ((mask >>> lane) & 1) === 1) return false;
    }
    return true;
  }
}

const NONE: readonly number[] = [];

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
