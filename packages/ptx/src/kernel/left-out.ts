// Whether values of stores are needed that were left out: only where several lanes store into the
// same bytes in no order, which may be equal stores. A lack of values only adds races.
import { allOf, LANES, lanesOf, makersOf } from '../lanes/mask.ts';
import { partOf } from '../lanes/touches.ts';
import { exchangesValues } from '../isa/questions.ts';
import { LEFT_OUT } from '../steps/step.ts';
import type { AccessStep, Ranges, Step } from '../steps/step.ts';
import type { ExecutedRun, ReferenceRun, WarpSteps } from '../steps/run.ts';
import type { PtxFunction } from '../text/module.ts';
import { RunOrder } from './run-order.ts';

const PAGE = 4096;

/** A number for each unit of memory; 0 unless it was set. */
class Numbers {
  readonly #unit: number;
  readonly #pages = new Map<number, Int32Array>();
  #last = -1;
  #page: Int32Array = new Int32Array(0);

  constructor(unit: number) {
    this.#unit = unit;
  }

  get(address: number): number {
    const index = address / this.#unit;
    return this.#pageOf(index)[index % PAGE]!;
  }

  set(address: number, value: number): void {
    const index = address / this.#unit;
    this.#pageOf(index)[index % PAGE] = value;
  }

  #pageOf(index: number): Int32Array {
    const number = Math.floor(index / PAGE);
    if (number === this.#last) return this.#page;
    let page = this.#pages.get(number);
    if (page === undefined) this.#pages.set(number, (page = new Int32Array(PAGE)));
    this.#last = number;
    return (this.#page = page);
  }
}

function isStore(step: Step): step is AccessStep {
  return step.op === 'access' && step.kind !== 'atomic' && step.writes.length > 0;
}

/** The stores of a warp, also those of its last thread. */
function* storesOf(steps: readonly Step[]): Generator<AccessStep> {
  for (const step of steps)
    if (step.op === 'last') yield* storesOf(step.steps);
    else if (isStore(step)) yield step;
}

/** The stores of a warp that differ in their bytes, their lanes, or in whether values lack. */
function differentStores(
  steps: readonly Step[],
  found = new Map<Ranges, AccessStep[]>(),
): Map<Ranges, AccessStep[]> {
  for (const step of steps) {
    if (step.op === 'last') differentStores(step.steps, found);
    if (!isStore(step)) continue;
    const alike = found.get(step.writes);
    if (alike === undefined) found.set(step.writes, [step]);
    else if (!alike.some((one) => one.lanes === step.lanes && lacks(one) === lacks(step)))
      alike.push(step);
  }
  return found;
}

function lacks({ values }: AccessStep): boolean {
  return values === LEFT_OUT;
}

/** The most bytes of which all stores write all or none, up to 16. */
function unitOf(stores: readonly ReadonlyMap<Ranges, unknown>[]): number {
  let bits = 16;
  for (const own of stores)
    for (const ranges of own.keys()) for (const end of ranges) bits |= end % 16;
  return bits & -bits;
}

/** Visits the units of a step, with the lane that stores into each. */
function eachUnit(
  step: AccessStep,
  lanes: number,
  unit: number,
  visit: (address: number, lane: number) => void,
): void {
  const makers = lanesOf(makersOf(step, lanes));
  for (const [index, lane] of makers.entries()) {
    const own = partOf(step.writes, index, makers.length);
    for (let at = 0; at < own.length; at += 2)
      for (let address = own[at]!; address < own[at + 1]!; address += unit) visit(address, lane);
  }
}

/** Of a unit: its lane, whether others store there, and whether values were left out. */
const SEVERAL = 2 ** 29;
const LACKING = 2 ** 30;
const LANE = SEVERAL - 1;

/** The memory into which several lanes store, and a value of which was left out. */
class Lacking {
  readonly unit: number;
  readonly #units: Numbers;
  readonly #known = new Map<Ranges, boolean>();
  isEmpty = true;

  constructor(warps: readonly WarpSteps[]) {
    const stores = warps.map(({ steps }) => differentStores(steps));
    this.unit = unitOf(stores);
    this.#units = new Numbers(this.unit);
    if (!stores.some((own) => [...own.values()].some((each) => each.some(lacks)))) return;
    for (const [number, warp] of warps.entries())
      for (const step of [...stores[number]!.values()].flat()) this.#add(number, warp, step);
  }

  #add(number: number, { threads }: WarpSteps, step: AccessStep): void {
    const left = lacks(step) ? LACKING : 0;
    eachUnit(step, allOf(threads), this.unit, (address, lane) => {
      const own = (number + 1) * LANES + lane;
      const before = this.#units.get(address) || own;
      const after = before | ((before & LANE) === own ? 0 : SEVERAL) | left;
      this.#units.set(address, after);
      this.isEmpty &&= !isLacking(after);
    });
  }

  /** Whether a store writes one of them. */
  has({ writes }: AccessStep): boolean {
    let known = this.#known.get(writes);
    if (known === undefined) this.#known.set(writes, (known = this.#meets(writes)));
    return known;
  }

  #meets(ranges: Ranges): boolean {
    for (let index = 0; index < ranges.length; index += 2)
      for (let address = ranges[index]!; address < ranges[index + 1]!; address += this.unit)
        if (isLacking(this.#units.get(address))) return true;
    return false;
  }
}

function isLacking(unit: number): boolean {
  return unit >= SEVERAL + LACKING;
}

/** The store that wrote a unit last. */
interface Last {
  readonly warp: number;
  readonly at: number;
  readonly lane: number;
  /** How often the warp had joined its lanes before. */
  readonly joins: number;
}

/** Whether two stores have no order where a value is lacking. */
function areUnordered({ warps, effectOf }: ReferenceRun, lacking: Lacking): boolean {
  const isExchange = (at: number): boolean => {
    const effect = effectOf(at);
    return effect !== null && exchangesValues({ effect });
  };
  const order = new RunOrder(warps);
  const joins = warps.map(() => 0);
  const units = new Numbers(lacking.unit);
  const all: Last[] = [];
  let isFound = false;
  const see = (store: AccessStep, warp: number, at: number): void => {
    let own: Last | null = null;
    eachUnit(store, allOf(warps[warp]!.threads), lacking.unit, (address, lane) => {
      const last = all[units.get(address) - 1];
      const isSame = last?.lane === lane || (last !== undefined && last.joins < joins[warp]!);
      if (last !== undefined)
        isFound ||= last.warp === warp ? !isSame : !order.knows(warp, last.warp, last.at);
      if (own?.lane !== lane) all.push((own = { warp, at, lane, joins: joins[warp]! }));
      units.set(address, all.length);
    });
  };
  const areAll = order.visit((warp, at, step) => {
    if (isFound) return;
    for (const store of storesOf([step])) if (lacking.has(store)) see(store, warp, at);
    // What joins lanes by practice alone leaves a note where it is needed.
    if (joinsAll(step) && !isExchange(step.at)) joins[warp]!++;
  });
  return isFound || !areAll;
}

/** Whether a step joins all lanes of its warp. */
function joinsAll(step: Step): boolean {
  if (step.op === 'join') return step.lanes === undefined;
  return step.isJoint === true || (step.op === 'named' && step.isSync && step.lanes === undefined);
}

/** Whether values are needed that a run left out. */
function needsValues(run: ReferenceRun): boolean {
  const lacking = new Lacking(run.warps);
  return !lacking.isEmpty && areUnordered(run, lacking);
}

/** Kernels of which values were needed that decide nothing. */
const whole = new WeakSet<PtxFunction>();

/** From now on, runs of a kernel compute all values. */
export function computeAll(entry: PtxFunction): void {
  whole.add(entry);
}

/** A run without the values that decide nothing, unless they are needed. */
export function withNeeded(
  entry: PtxFunction,
  execute: (isSliced: boolean) => ExecutedRun,
): ExecutedRun {
  if (whole.has(entry)) return execute(false);
  const run = execute(true);
  if (!needsValues(run)) return run;
  computeAll(entry);
  return execute(false);
}
