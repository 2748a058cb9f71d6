// Cost of each operation for a role: the time before its effect, and the time after it.
import type { Instruction } from '@poundlock/core/internal/machine';
import { CATALOGUE, isWait, OpKind } from '@poundlock/core/internal/op';
import type { Program, Role } from '@poundlock/core/internal/program';
import { ACCESSES, accessOf, latencyOf } from './accesses.ts';
import { FlightClass, type FlightClasses } from './flight-class.ts';
import type { Costs } from './model.ts';
import { STYLES, styleNumber } from './polling.ts';

/** Prices that depend on operands have indices after those of all kinds of operations. */
const EXPECT = CATALOGUE.length;
const EXPECT_TENSOR = EXPECT + 1;
const COPY_TENSOR = EXPECT + 2;
const STORE = EXPECT + 3;
const ELECTED = EXPECT + 4;
const PIPELINED = EXPECT + 5;
const COPY_THREADS = EXPECT + 6;
const WAIT_GROUP = EXPECT + 7;
const ACCESS = EXPECT + 8;
const PRICES = ACCESS + ACCESSES.length;

/** Waits for a stage of a ring. */
const STAGE_WAITS = [OpKind.waitStage] as const;
/** What ends with a part in which a timed wait can begin: waits and copies. */
const OVERLAPPED = [...STAGE_WAITS, OpKind.asyncCopy, COPY_TENSOR] as const;

/** What the price of an operation depends on, beside the operation. */
export interface PriceContext {
  readonly program: Program;
  readonly classes: FlightClasses;
}

/** The index of the price of an operation, in {@link Prices.list}. */
export function priceIndex(instruction: Instruction, { program, classes }: PriceContext): number {
  const role = program.roles[instruction.role]!;
  const access = accessOf(instruction, program);
  const index =
    access === null
      ? isGroupWait(instruction, program)
        ? WAIT_GROUP
        : operationIndex(instruction, role, classes)
      : ACCESS + ACCESSES.indexOf(access);
  return styleNumber(role.waits) * PRICES + index;
}

/** Whether a wait stands for one for groups of a warpgroup: its barrier is none of the kernel. */
export function isGroupWait({ kind, target }: Instruction, program: Program): boolean {
  if (kind !== OpKind.waitParity) return false;
  return program.declarations.hiddenBarriers.has(Math.floor(target / program.ctas));
}

function operationIndex(instruction: Instruction, role: Role, classes: FlightClasses): number {
  const { kind, bytes, lanes, inFlight } = instruction;
  if (kind === OpKind.arrive && bytes > 0) return classes.isTensor ? EXPECT_TENSOR : EXPECT;
  if (kind === OpKind.arrive && (lanes < role.lanes || role.lanes === 1)) return ELECTED;
  if (kind === OpKind.waitGroup && inFlight > 0 && isMatrix(instruction)) return PIPELINED;
  const first = classes.ofInstruction(instruction);
  if (first === FlightClass.tensor) return COPY_TENSOR;
  if (first === FlightClass.threads && kind === OpKind.asyncCopy) return COPY_THREADS;
  return first === FlightClass.store ? STORE : kind;
}

/** Whether a wait is for groups of the tensor core: those of other units are in no order. */
function isMatrix({ reading }: Instruction): boolean {
  return reading < 0;
}

/**
 * What one operation costs its role, in cycles. Every field begins as no number, so that V8 keeps
 * it as a double.
 */
export class Price {
  /** From reaching the operation to its effect. */
  before = NaN;
  /** From its effect to the next operation. */
  after = NaN;
  /** The last part of it in which a timed wait can begin. */
  overlap = NaN;
  /** The last part of it in which a wait for a barrier can begin. */
  overlapByWaits = NaN;
  /** From issuing a load to its value, for which its role waits before it does anything else. */
  latency = NaN;
  /** Whether it takes any time; else what follows can begin as after the operation before. */
  takesTime: boolean;
  /** Whether it is a wait that can begin so. */
  begins = false;
  /** Whether it has a latency. */
  isLoad = false;

  constructor(before: number, after: number) {
    this.before = before;
    this.after = after;
    this.overlap = 0;
    this.takesTime = before > 0 || after > 0;
    this.overlapByWaits = 0;
    this.latency = 0;
  }
}

/** The prices of a model by index, for loops over millions of operations. */
export class Prices {
  readonly #costs: Costs;
  /** By {@link priceIndex}. */
  readonly list: readonly Price[];
  /** The price of a role that has just started, or has looked at the bound of a loop. */
  readonly idle: Price;
  /** Whether tensor-map copies are taken for bulk copies once the tensor core works. */
  readonly #isTiled: boolean;
  /** Whether the time of instructions between operations was counted: prices are of these alone. */
  readonly #isTimed: boolean;
  #isHot = false;

  constructor(costs: Costs, isTiled: boolean, isTimed: boolean) {
    this.#costs = costs;
    this.#isTimed = isTimed;
    this.#isTiled = isTiled;
    this.list = STYLES.flatMap((style) => this.#ofStyle(style));
    this.idle = this.list[0]!;
    this.idle.takesTime = true;
  }

  #ofStyle(style: (typeof STYLES)[number]): Price[] {
    const costs = this.#costs;
    const { arriveCycles, expectCycles, copyIssueCycles } = costs;
    const { tensorExpectCycles, tensorIssueCycles } = costs;
    const prices = CATALOGUE.map(({ cost }, kind) => this.#ofHook(cost, style, kind));
    const expectAfter = expectCycles - arriveCycles;
    prices[EXPECT] = new Price(arriveCycles, expectAfter);
    prices[EXPECT_TENSOR] = new Price(arriveCycles, expectAfter + tensorExpectCycles);
    prices[COPY_TENSOR] = new Price(0, copyIssueCycles + tensorIssueCycles);
    prices[COPY_THREADS] = new Price(0, costs.threadIssueCycles);
    prices[STORE] = new Price(0, copyIssueCycles);
    prices[ELECTED] = new Price(arriveCycles + electCycles(costs, style), 0);
    prices[WAIT_GROUP] = new Price(costs.testCycles, 0);
    prices[PIPELINED] = new Price(costs.mmaPipelinedCycles, 0);
    for (const [number, access] of ACCESSES.entries()) {
      prices[ACCESS + number] = new Price(0, costs.accessCycles);
      const price = prices[ACCESS + number]!;
      price.latency = latencyOf(access, costs);
      price.isLoad = price.latency > 0;
    }
    for (const kind of OVERLAPPED) {
      prices[kind]!.overlap = costs.overlapCycles;
      prices[kind]!.takesTime = true;
    }
    for (const kind of STAGE_WAITS) {
      const price = prices[kind]!;
      price.begins = true;
      price.overlapByWaits = Math.min(costs.overlapCycles, price.after);
    }
    return this.#isTimed ? this.#timed(prices, style) : prices;
  }

  /** Prices without the arithmetic that operations of programs stand for. */
  #timed(prices: Price[], style: (typeof STYLES)[number]): Price[] {
    const { arriveCycles, testCycles, tensorExpectCycles, builtIssueCycles, tensorIssueCycles } =
      this.#costs;
    const wake = builtWakeCycles(this.#costs, style);
    prices[OpKind.waitParity] = new Price(testCycles, wake);
    // The fitted cost of issuing work has the descriptors of its operands.
    prices[OpKind.asyncUse] = new Price(0, 0);
    prices[WAIT_GROUP] = new Price(0, 0);
    prices[COPY_THREADS] = new Price(0, this.#costs.builtCopyCycles);
    prices[EXPECT] = prices[ELECTED] = new Price(arriveCycles, 0);
    prices[OpKind.asyncCopy] = prices[STORE] = new Price(0, builtIssueCycles);
    // What a lane that only copies takes beyond a bulk copy, and no warp that multiplies, too.
    const isLone = style === 'diverged' || style === 'lane';
    prices[EXPECT_TENSOR] = new Price(arriveCycles, isLone ? tensorExpectCycles : 0);
    prices[COPY_TENSOR] = new Price(0, builtIssueCycles + (isLone ? tensorIssueCycles : 0));
    for (const number of ACCESSES.keys()) prices[ACCESS + number] = new Price(0, 0);
    return prices;
  }

  /** The tensor core has work: it slows who issues copies, and `tiled` copies are made in bulk. */
  tensorCoreWorks(): void {
    if (this.#isHot) return;
    this.#isHot = true;
    if (!this.#isTiled) return;
    STYLES.forEach((_, style) => {
      const of = (index: number): Price => this.list[style * PRICES + index]!;
      of(EXPECT_TENSOR).after = of(EXPECT).after;
      of(COPY_TENSOR).after = of(OpKind.asyncCopy).after;
    });
  }

  /** Duration of `compute`: rounded up to whole clock reads, plus an overhead that may overlap. */
  compute(cycles: number, overlap: number): number {
    if (cycles <= 0) return 0;
    if (this.#isTimed) return cycles;
    const { spinStepCycles: step, spinOverheadCycles } = this.#costs;
    const start = Math.max(0, spinOverheadCycles - overlap);
    return (step > 0 ? Math.ceil(cycles / step) * step : cycles) + start;
  }

  #ofHook(
    hook: (typeof CATALOGUE)[number]['cost'],
    style: (typeof STYLES)[number],
    kind: number,
  ): Price {
    const costs = this.#costs;
    switch (hook) {
      case 'issue':
        return new Price(0, costs.issueCycles);
      case 'wait':
        return waitPrice(costs, style, kind as OpKind);
      case 'arrive':
        return new Price(costs.arriveCycles, 0);
      case 'copy':
        return new Price(0, costs.copyIssueCycles);
      case 'use':
        return new Price(costs.mmaIssueCycles, 0);
      case 'compute':
      case 'none':
        return new Price(0, 0);
    }
  }
}

/** From a completed phase to the next instruction, which is timed by itself. */
function builtWakeCycles(costs: Costs, style: (typeof STYLES)[number]): number {
  switch (style) {
    case 'diverged':
      return costs.builtWakeCycles;
    case 'lane':
      return costs.builtLaneWakeCycles;
    case 'warp':
    case 'group':
      return costs.builtWarpWakeCycles;
  }
}

/** An arrive of one lane for others that must have come. */
function electCycles(costs: Costs, style: (typeof STYLES)[number]): number {
  switch (style) {
    case 'diverged':
      return 0;
    case 'lane':
      return costs.laneElectCycles;
    case 'warp':
      return costs.warpElectCycles;
    case 'group':
      return costs.groupElectCycles;
  }
}

/** A wait for a ring's stage counts it, too; a wait for a barrier by its name only tests it. */
function waitPrice(costs: Costs, style: (typeof STYLES)[number], kind: OpKind): Price {
  if (kind === OpKind.wait || kind === OpKind.waitParity || !isWait(kind)) {
    return new Price(costs.testCycles, 0);
  }
  switch (style) {
    case 'diverged':
      return new Price(costs.waitCycles, costs.wakeCycles);
    case 'lane':
      return new Price(costs.laneWaitCycles, costs.laneWakeCycles);
    case 'warp':
      return new Price(costs.warpWaitCycles, costs.warpWakeCycles);
    case 'group':
      return new Price(costs.groupWaitCycles, costs.groupWakeCycles);
  }
}
