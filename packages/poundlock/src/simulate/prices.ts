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
const ACCESS = EXPECT + 6;
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

/** Index of the price of an operation in {@link Prices.before} and {@link Prices.after}. */
export function priceIndex(instruction: Instruction, { program, classes }: PriceContext): number {
  const role = program.roles[instruction.role]!;
  const access = accessOf(instruction, program);
  const index =
    access === null
      ? operationIndex(instruction, role, classes)
      : ACCESS + ACCESSES.indexOf(access);
  return styleNumber(role.waits) * PRICES + index;
}

function operationIndex(instruction: Instruction, role: Role, classes: FlightClasses): number {
  const { kind, bytes, lanes, inFlight } = instruction;
  if (kind === OpKind.arrive && bytes > 0) return classes.isTensor ? EXPECT_TENSOR : EXPECT;
  if (kind === OpKind.arrive && (lanes < role.lanes || role.lanes === 1)) return ELECTED;
  if (kind === OpKind.waitGroup && inFlight > 0 && isMatrix(instruction)) return PIPELINED;
  const first = classes.ofInstruction(instruction);
  if (first === FlightClass.tensor) return COPY_TENSOR;
  return first === FlightClass.store ? STORE : kind;
}

/** Whether a wait is for groups of the tensor core: those of other units are in no order. */
function isMatrix({ reading }: Instruction): boolean {
  return reading < 0;
}

/** The prices of a model in typed arrays by kind of operation, for loops over millions of them. */
export class Prices {
  readonly #costs: Costs;
  /** From reaching an operation to its effect. */
  readonly before = new Float64Array(PRICES * STYLES.length);
  /** From its effect to the next operation. */
  readonly after = new Float64Array(PRICES * STYLES.length);
  /** The last part of it in which a timed wait can begin; negative: as the operation before. */
  readonly overlap = new Float64Array(PRICES * STYLES.length).fill(-1);
  /** The last part of it in which a wait for a barrier can begin. */
  readonly overlapByWaits = new Float64Array(PRICES * STYLES.length);
  /** From issuing a load to its value, for which its role waits before it does anything else. */
  readonly latency = new Float64Array(PRICES * STYLES.length);
  /** 1 for the waits that can begin so. */
  readonly begins = new Uint8Array(PRICES * STYLES.length);

  /** Whether tensor-map copies are taken for bulk copies once the tensor core works. */
  readonly #isTiled: boolean;
  #isHot = false;

  constructor(costs: Costs, isTiled: boolean) {
    this.#costs = costs;
    this.#isTiled = isTiled;
    const { arriveCycles, expectCycles, copyIssueCycles } = costs;
    STYLES.forEach((style, at) => {
      const set = (index: number, [before, after]: readonly [number, number]): void => {
        this.before[at * PRICES + index] = before;
        this.after[at * PRICES + index] = after;
        this.overlap[at * PRICES + index] = before > 0 || after > 0 ? 0 : -1;
      };
      for (const [kind, { cost }] of CATALOGUE.entries())
        set(kind, this.#ofHook(cost, style, kind));
      set(EXPECT, [arriveCycles, expectCycles - arriveCycles]);
      const { tensorExpectCycles, tensorIssueCycles } = costs;
      set(EXPECT_TENSOR, [arriveCycles, expectCycles - arriveCycles + tensorExpectCycles]);
      set(COPY_TENSOR, [0, copyIssueCycles + tensorIssueCycles]);
      set(STORE, [0, copyIssueCycles]);
      set(ELECTED, [arriveCycles + electCycles(costs, style), 0]);
      set(PIPELINED, [costs.mmaPipelinedCycles, 0]);
      for (const [number, access] of ACCESSES.entries()) {
        set(ACCESS + number, [0, costs.accessCycles]);
        this.latency[at * PRICES + ACCESS + number] = latencyOf(access, costs);
      }
      for (const kind of OVERLAPPED) this.overlap[at * PRICES + kind] = costs.overlapCycles;
      for (const kind of STAGE_WAITS) {
        const index = at * PRICES + kind;
        this.begins[index] = 1;
        this.overlapByWaits[index] = Math.min(costs.overlapCycles, this.after[index]!);
      }
    });
    // A role that has just started.
    this.overlap[0] = 0;
  }

  /** The tensor core has work: it slows who issues copies, and `tiled` copies are made in bulk. */
  tensorCoreWorks(): void {
    if (this.#isHot) return;
    this.#isHot = true;
    STYLES.forEach((_, at) => {
      const [expect, copy] = [at * PRICES + EXPECT, at * PRICES + OpKind.asyncCopy];
      const [mapped, box] = [at * PRICES + EXPECT_TENSOR, at * PRICES + COPY_TENSOR];
      this.after[mapped] = this.#isTiled ? this.after[expect]! : this.after[mapped]!;
      if (this.#isTiled) this.after[box] = this.after[copy]!;
    });
  }

  /** Duration of `compute`: rounded up to whole clock reads, plus an overhead that may overlap. */
  compute(cycles: number, overlap: number): number {
    if (cycles <= 0) return 0;
    const { spinStepCycles: step, spinOverheadCycles } = this.#costs;
    const start = Math.max(0, spinOverheadCycles - overlap);
    return (step > 0 ? Math.ceil(cycles / step) * step : cycles) + start;
  }

  #ofHook(
    hook: (typeof CATALOGUE)[number]['cost'],
    style: (typeof STYLES)[number],
    kind: number,
  ): readonly [number, number] {
    const costs = this.#costs;
    switch (hook) {
      case 'issue':
        return [0, costs.issueCycles];
      case 'wait':
        return waitPrice(costs, style, kind as OpKind);
      case 'arrive':
        return [costs.arriveCycles, 0];
      case 'copy':
        return [0, costs.copyIssueCycles];
      case 'use':
        return [costs.mmaIssueCycles, 0];
      case 'compute':
      case 'none':
        return [0, 0];
    }
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
function waitPrice(
  costs: Costs,
  style: (typeof STYLES)[number],
  kind: OpKind,
): readonly [number, number] {
  if (kind === OpKind.wait || kind === OpKind.waitParity || !isWait(kind)) {
    return [costs.testCycles, 0];
  }
  switch (style) {
    case 'diverged':
      return [costs.waitCycles, costs.wakeCycles];
    case 'lane':
      return [costs.laneWaitCycles, costs.laneWakeCycles];
    case 'warp':
      return [costs.warpWaitCycles, costs.warpWakeCycles];
    case 'group':
      return [costs.groupWaitCycles, costs.groupWakeCycles];
  }
}
