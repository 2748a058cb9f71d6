// What one warp's registers are in other rounds, as a run of two rounds executes it: beside its
// registers, those of a look ahead and of a shadow.
import { isPhaseWait } from '../isa/questions.ts';
import type { LookAhead } from '../exec/warp/peek.ts';
import { readsOf, registersIn } from '../flow/liveness.ts';
import type { Step } from '../steps/step.ts';
import { isSame } from '../values/origin.ts';
import type { Origin } from '../values/origin.ts';
import type { RegisterFile } from '../values/register-file.ts';
import { LANES } from '../values/register-file.ts';
import type { Wide } from '../values/wide.ts';
import type { Warp } from '../exec/warp/warp.ts';
import { NotProved } from './look.ts';
import { copyOf, Probes } from './probes.ts';
import { ANY, slope } from './reach.ts';
import type { Part, Shade } from './reach.ts';
import { Shades } from './shades.ts';

/** Where a warp's list repeats itself: `length` steps from step `at` on; none if it never grows. */
export interface Loop {
  readonly at: number;
  readonly length: number;
}

/** Where the registers of a branch whose outcome is not the same in all rounds are again known. */
interface Quiet {
  readonly meeting: number;
  /** What lies between. */
  readonly instructions: readonly number[];
}

/** Shades, and whether they are within a branch that is not the same in all rounds. */
export interface Context {
  shades: Shades;
  quiet: Quiet | null;
}

/** A warp at the end of a round. */
interface Boundary {
  readonly text: string;
  readonly steps: number;
  readonly live: readonly number[];
  readonly values: ReadonlyMap<number, Lanes>;
  /** How each follows from the place of the block, where it does. */
  readonly origins: ReadonlyMap<number, Origin | null>;
  readonly shades: Shades;
}

/** A register in all lanes. */
interface Lanes {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly known: number;
}

const out: Wide = { low: 0, high: 0 };

function valuesOf(registers: RegisterFile, register: number): Lanes {
  const low = new Uint32Array(LANES);
  const high = new Uint32Array(LANES);
  let known = 0;
  for (let lane = 0; lane < LANES; lane++) {
    if (registers.read(register, lane, out)) known |= 1 << lane;
    low[lane] = out.low;
    high[lane] = out.high;
  }
  return { low, high, known };
}

/** How much larger a value is than another of so many bits. */
function difference(one: Lanes, other: Lanes, lane: number, bits: number): number {
  if (bits <= 32) return ((one.low[lane]! - other.low[lane]!) << (32 - bits)) >> (32 - bits);
  const wide = (of: Lanes): bigint => (BigInt(of.high[lane]!) << 32n) | BigInt(of.low[lane]!);
  return Number(BigInt.asIntN(64, wide(one) - wide(other)));
}

/** One warp as it is followed: its loop has three ends of rounds, of which the first begins it. */
export class Follower {
  readonly #warp: Warp;
  readonly #loop: Loop | null;
  /** Registers of which nothing is known as a round begins. */
  readonly any: Set<number>;
  /** Whether a register was added to them, so that the run has to be looked at again. */
  isOpen = false;
  part: Part | 'first' = 'before';
  /** When the loop began. */
  beganAt = Infinity;
  main: Context = { shades: new Shades(), quiet: null };
  /** Whether local memory may hold known values. */
  hasLocal = false;
  #boundaries: Boundary[] = [];
  #ahead: { readonly of: LookAhead; readonly context: Context } | null = null;
  #tried: Shades | null = null;
  #peek: object | null = null;
  #beside: Context | null = null;
  /** The instruction before, which others could observe, and what it read. */
  #last: { readonly at: number; readonly reads: readonly (readonly [number, Shade[]])[] } | null =
    null;
  #certain: Context | null = null;

  /** The states in which the warp is run ahead. */
  readonly probes: Probes;

  constructor(warp: Warp, loop: Loop | null, any: Set<number>) {
    this.#warp = warp;
    this.probes = new Probes(warp, () => this.main);
    this.#loop = loop;
    this.any = any;
  }

  /** Whether the warp has ended a round, so that it would leave its loop if there were no more. */
  get mayLeave(): boolean {
    return this.#boundaries.length > 1;
  }

  /** Whether it is in or behind its loop. */
  get isLate(): boolean {
    return this.part !== 'before';
  }

  /** The steps at the three ends of rounds that were seen. */
  get ends(): readonly number[] {
    return this.#boundaries.map(({ steps }) => steps);
  }

  /** A step of the round before: the first of its kind from where the warp is now on. */
  stepBefore<S extends Step>(isOf: (step: Step) => step is S): S | undefined {
    const { steps } = this.#warp;
    const from = steps.length - (this.#loop?.length ?? 0);
    for (let at = Math.max(0, from); at < steps.length; at++) {
      const step = steps[at]!;
      if (isOf(step)) return step;
    }
    return undefined;
  }

  /** Whether the warp came to all of them. */
  get isWhole(): boolean {
    return this.#loop === null || this.#boundaries.length === 3;
  }

  /** The context of the instruction that the warp executes now. */
  context(): Context {
    const warp = this.#warp;
    if (warp.ahead.probe !== null) return this.probes.of(warp.ahead.probe);
    if (warp.ahead.look !== null) {
      if (this.#ahead?.of !== warp.ahead.look)
        this.#ahead = { of: warp.ahead.look, context: copyOf(this.main) };
      return this.#ahead.context;
    }
    if (warp.shadow.isRunning) {
      if (this.#beside === null) throw new NotProved(warp.stack.counter, NOT_FOLLOWED);
      return this.#beside;
    }
    return this.main;
  }

  /** The warp itself comes to an instruction. */
  come(at: number, time: number): void {
    const warp = this.#warp;
    if (this.part !== 'first') this.#compareShadow(at);
    if (warp.mode.isUncertain) this.#certain ??= copyOf(this.main);
    else if (this.#certain !== null) {
      this.main = this.#certain;
      this.#certain = null;
    }
    if (this.#loop !== null && this.part !== 'after') this.#end(this.#loop, time);
  }

  /** A try that may be answered yes beside the warp, which goes on with no. */
  tries(destinations: readonly number[]): void {
    const { shades } = this.main;
    const { lanes } = this.#warp;
    for (const register of destinations) shades.set(register, null, lanes, lanes);
    for (const register of destinations) this.#beside?.shades.set(register, null, lanes, lanes);
    this.#tried = shades.copy();
  }

  /** The warp and its shadow have to go on alike in all rounds. */
  #compareShadow(at: number): void {
    const warp = this.#warp;
    const { program } = warp;
    const beside = this.#beside;
    const last = this.#last;
    if (beside !== null && last !== null && last.at !== at) {
      for (const [register, shades] of last.reads)
        for (let lane = 0; lane < LANES; lane++)
          if (beside.shades.of(register, lane) !== shades[lane])
            throw new NotProved(last.at, NOT_ALIKE);
      for (const register of program.destinations[last.at]!)
        for (let lane = 0; lane < LANES; lane++)
          beside.shades.set(register, this.main.shades.of(register, lane), 1 << lane, warp.lanes);
      if (!isTry(warp, last.at)) this.#last = null;
    }
    const { attempt } = warp.shadow;
    if (attempt !== this.#peek) {
      if (beside !== null) this.#requireEqual(beside, last?.at ?? -1);
      this.#peek = attempt;
      const shades = this.#tried?.copy() ?? new Shades();
      this.#beside = attempt === null ? null : { shades, quiet: null };
      this.#last = null;
    }
    if (this.#beside === null || warp.program.kinds[at] !== VISIBLE || isTry(warp, at)) return;
    const registers = readsOf(warp.instruction);
    const reads = registers.map((register): readonly [number, Shade[]] => {
      return [
        register,
        Array.from({ length: LANES }, (_, lane) => this.main.shades.of(register, lane)),
      ];
    });
    this.#last = { at, reads };
  }

  #requireEqual({ shades }: Context, lastAt: number): void {
    const warp = this.#warp;
    const written = new Set(lastAt < 0 ? [] : warp.program.destinations[lastAt]!);
    for (const register of liveOf(warp))
      for (let lane = 0; lane < LANES; lane++)
        if (
          !written.has(register) &&
          shades.of(register, lane) !== this.main.shades.of(register, lane)
        )
          throw new NotProved(warp.stack.counter, NOT_ALIKE);
  }

  /** Whether a round ends here. */
  #end({ at, length }: Loop, time: number): void {
    const warp = this.#warp;
    const { steps } = warp;
    const [first] = this.#boundaries;
    const count = this.#boundaries.length;
    const due = first === undefined ? at : first.steps + count * length;
    if (steps.length < due) return;
    const isIdle =
      warp.isDivisible && warp.apart.fibers.length === 0 && warp.wait.pending === undefined;
    if (!isIdle || this.main.quiet !== null) {
      if (steps.length >= due + length) throw new NotProved(warp.stack.counter, NO_END);
      return;
    }
    if (first !== undefined && steps.length !== due)
      throw new NotProved(warp.stack.counter, NO_END);
    const boundary = this.#boundary();
    if (first !== undefined && boundary.text !== first.text)
      throw new NotProved(warp.stack.counter, NO_END);
    this.#boundaries.push(boundary);
    if (count === 0) {
      this.part = 'first';
      this.beganAt = time;
    } else if (count === 1) this.#begin();
    else this.#leave();
  }

  #boundary(): Boundary {
    const warp = this.#warp;
    const { stack, steps, registers } = warp;
    const { joins } = warp.apart;
    const live = [...liveOf(warp)];
    const flights = warp.inFlight?.text ?? '';
    return {
      text: [stack.text, joins.stateAfter(steps.length), warp.live, flights].join(' '),
      steps: steps.length,
      live,
      values: new Map(live.map((register) => [register, valuesOf(registers, register)])),
      origins: new Map(live.map((register) => [register, registers.origins[register]!])),
      shades: this.main.shades.copy(),
    };
  }

  /** The second round begins: what a register gains in the first one, it gains in each. */
  #begin(): void {
    const [first, second] = this.#boundaries as [Boundary, Boundary];
    const shades = new Shades();
    const { lanes } = this.#warp;
    for (const register of second.live) {
      const [one, two] = [first.values.get(register)!, second.values.get(register)!];
      const bits = this.#bitsOf(register);
      for (let rest = lanes; rest !== 0; rest &= rest - 1) {
        const lane = 31 - Math.clz32(rest & -rest);
        const before = first.shades.of(register, lane);
        const isKnown = (((one.known & two.known) >>> lane) & 1) === 1;
        const isUnknown = (((one.known | two.known) >>> lane) & 1) === 0;
        const m = before === null || before === ANY ? 0 : before.m;
        const isAny =
          this.any.has(register) ||
          before === ANY ||
          (!isKnown && !isUnknown) ||
          !isSame(first.origins.get(register) ?? null, second.origins.get(register) ?? null);
        const isChanged = isKnown && difference(two, one, lane, bits) !== 0;
        const shade =
          isAny || (isChanged && !isNumber(this.#warp, register))
            ? ANY
            : isUnknown
              ? null
              : slope(difference(two, one, lane, bits), m, bits);
        if (shade !== null) shades.set(register, shade, 1 << lane, lanes);
      }
    }
    shades.hasCarry = true;
    this.main = { shades, quiet: null };
    this.#started = shades.copy();
    this.part = 'round';
  }

  #started = new Shades();

  /** The last round has ended: it did to all registers what the first one did. */
  #leave(): void {
    const [first, second, third] = this.#boundaries as [Boundary, Boundary, Boundary];
    const { lanes } = this.#warp;
    const shades = new Shades();
    for (const register of third.live) {
      const [one, two, three] = [first, second, third].map(({ values }) =>
        values.get(register)!,
      ) as [Lanes, Lanes, Lanes];
      const bits = this.#bitsOf(register);
      for (let rest = lanes; rest !== 0; rest &= rest - 1) {
        const lane = 31 - Math.clz32(rest & -rest);
        const before = this.#started.of(register, lane);
        const after = this.main.shades.of(register, lane);
        const isSameKind = (((one.known ^ three.known) >>> lane) & 1) === 0;
        const isKnown = ((three.known >>> lane) & 1) === 1;
        const isEven =
          !isKnown || difference(three, two, lane, bits) === difference(two, one, lane, bits);
        if (before !== ANY && (before !== after || !isSameKind || !isEven)) {
          this.any.add(register);
          this.isOpen = true;
        }
        const shade =
          before === ANY || before === null ? before : slope(0, before.t + before.m, bits);
        if (shade !== null) shades.set(register, shade, 1 << lane, lanes);
      }
    }
    shades.hasCarry = true;
    this.main = { shades, quiet: null };
    this.part = 'after';
  }

  #bitsOf(register: number): number {
    return Math.min(64, this.#warp.program.bitsOf(register));
  }
}

/** Whether a register holds a whole number that may grow: no predicate. */
function isNumber({ program }: Warp, register: number): boolean {
  const bits = program.bitsOf(register);
  return bits > 1 && bits <= 64;
}

const VISIBLE = 1;
const NOT_FOLLOWED = 'a try that is not repeated is not followed here';
const NOT_ALIKE = 'what a try that is not repeated decides may not be the same in all rounds';
const NO_END = 'the rounds of a warp do not end alike';

function isTry({ program }: Warp, at: number): boolean {
  return isPhaseWait(program.code.instructions[at]!);
}

function liveOf({ stack, program }: Warp): Set<number> {
  const live = new Set<number>();
  for (const counter of stack.counters())
    for (const register of registersIn(program.liveBefore(counter))) live.add(register);
  return live;
}
