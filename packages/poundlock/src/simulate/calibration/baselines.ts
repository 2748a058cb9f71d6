// Baselines for the simulation: a recurrence without polls or queues, and a closed formula.
import type { Costs } from '../model.ts';
import type { MeasuredCase } from './cases.ts';

/** The parameters of the recurrence, which is fitted to each program separately. */
export const RECURRENCE_NAMES: readonly (keyof Costs)[] = [
  'launchCycles',
  'waitCycles',
  'wakeCycles',
  'arriveCycles',
  'expectCycles',
  'copyIssueCycles',
  'spinOverheadCycles',
  'linkBytesPerCycle',
  'l2LatencyCycles',
  'hbmLatencyCycles',
  'l2BytesPerCycle',
  'hbmBytesPerCycle',
];

/** The same costs without polling delays, variation and queues. */
export function recurrenceOf(costs: Costs): Costs {
  return {
    ...costs,
    wakeCycles: costs.wakeCycles + (costs.pollPauseCycles + costs.pollIntervalCycles) / 4,
    pollPauseCycles: 0,
    pollIntervalCycles: 0,
    pollsPerBurst: 1,
    spinStepCycles: 0,
    spinOverheadCycles: costs.spinOverheadCycles + costs.spinStepCycles / 2,
    hbmSpreadCycles: 0,
    l2QueueCycles: 0,
    hbmQueueCycles: 0,
    l2GapCycles: 0,
    hbmGapCycles: 0,
    l2Bytes: 0,
    burstCycles: 0,
  };
}

/** The three bounds of a ring, each per item. */
interface Loops {
  readonly items: number;
  readonly producer: number;
  readonly consumer: number;
  readonly roundTrip: number;
  readonly stages: number;
}

/** max(producer loop, consumer loop, round trip / stages), times the items. */
export function formulaCycles({ program }: MeasuredCase, costs: Costs): number {
  const loops = loopsOf(program.params as Record<string, number & string>, costs);
  const least = loops.map(({ items, producer, consumer, roundTrip, stages }) => {
    return items * Math.max(producer, consumer, roundTrip / stages);
  });
  return costs.launchCycles + Math.max(...least);
}

type Values = Readonly<Record<string, number & string>>;

function loopsOf(params: Values, costs: Costs): Loops[] {
  const formulas = new LoopFormulas(params, costs);
  if ('aStages' in params) return formulas.twoInputs();
  if ('mmaN' in params) return formulas.tensorCore();
  if ('kSteps' in params) return formulas.inputAndOutput();
  return formulas.oneInput();
}

/** The rings of each kind of program that was measured. */
class LoopFormulas {
  readonly #params: Values;
  readonly #costs: Costs;
  /** A wait that passes at once, and cycles of a copy: until it lands, and for each byte. */
  readonly #wait: number;
  readonly #latency: number;
  readonly #rate: number;

  constructor(params: Values, costs: Costs) {
    const isHbm = params['source'] === 'hbm';
    const total = isHbm ? costs.hbmBytesPerCycle : costs.l2BytesPerCycle;
    const { ctas = 1 } = params as { ctas?: number };
    const link = costs.linkBytesPerCycle;
    this.#params = params;
    this.#costs = costs;
    this.#wait = costs.waitCycles + costs.wakeCycles;
    this.#latency = isHbm ? costs.hbmLatencyCycles : costs.l2LatencyCycles;
    this.#rate = ctas > 1 ? Math.min(link, total / ctas) : link;
  }

  oneInput(): Loops[] {
    const stages = this.#of('stages');
    const used = this.#spin('consumerCycles');
    const consumer = this.#wait + used + this.#costs.arriveCycles;
    const base = this.#loop(this.#of('tiles'), this.#of('tileBytes'), 1, used);
    return [{ ...base, producer: base.producer + this.#spin('producerCycles'), consumer, stages }];
  }

  twoInputs(): Loops[] {
    const [useA, useB] = [this.#spin('useACycles'), this.#spin('useBCycles')];
    const consumer = 2 * this.#wait + useA + useB + 2 * this.#costs.arriveCycles;
    const heldA = this.#isLinear() ? useA : useA + useB;
    const tiles = this.#of('tiles');
    const a = this.#loop(tiles, this.#of('aBytes'), 1, heldA);
    const b = this.#loop(tiles, this.#of('bBytes'), 1, useA + useB);
    return [
      { ...a, consumer, stages: this.#of('aStages') },
      { ...b, consumer, stages: this.#of('bStages') },
    ];
  }

  tensorCore(): Loops[] {
    const { arriveCycles, mmaIssueCycles, mmaDrainCycles } = this.#costs;
    const [groups, mmaN] = [this.#of('warpgroups'), this.#of('mmaN')];
    const work = 2 * mmaN;
    const bytes = groups * 8192 + mmaN * 128;
    const overhead = this.#wait + arriveCycles + 4 * mmaIssueCycles + mmaDrainCycles;
    const isLinear = this.#isLinear();
    const consumer = Math.max(work * groups, isLinear ? overhead : work + overhead);
    const held = work + overhead + (isLinear ? consumer : 0);
    const base = this.#loop(this.#of('kBlocks'), bytes, groups + 1, held);
    return [{ ...base, consumer, stages: this.#of('stages') }];
  }

  inputAndOutput(): Loops[] {
    const { arriveCycles } = this.#costs;
    const [steps, outputs, stages] = [
      this.#of('kSteps'),
      this.#of('outputTiles'),
      this.#of('stages'),
    ];
    const used = this.#spin('mmaCycles');
    const multiply = this.#wait + used + arriveCycles;
    const store = this.#wait + this.#spin('epilogueCycles') + arriveCycles;
    const tile = this.#loop(outputs * steps, this.#of('tileBytes'), 1, used);
    const sum = this.#wait + steps * Math.max(multiply, tile.producer, tile.roundTrip / stages);
    const output = { producer: sum, consumer: store, roundTrip: sum + store };
    return [
      { ...tile, consumer: multiply, stages },
      { ...output, items: outputs, stages: this.#of('accumStages') },
    ];
  }

  #of(name: string): number {
    return this.#params[name]!;
  }

  #isLinear(): boolean {
    return this.#params['order'] === 'linear';
  }

  /** Cycles of work, with what the loop that stands for it costs. */
  #spin(name: string): number {
    const cycles = this.#of(name);
    return cycles > 0 ? cycles + this.#costs.spinOverheadCycles : 0;
  }

  #loop(
    items: number,
    bytes: number,
    copies: number,
    held: number,
  ): Omit<Loops, 'consumer' | 'stages'> {
    const { expectCycles, copyIssueCycles, arriveCycles } = this.#costs;
    const wait = this.#wait;
    const issue = expectCycles + copies * copyIssueCycles;
    const producer = Math.max(wait + issue, bytes / this.#rate);
    const copied = wait + issue + this.#latency + bytes / this.#rate;
    return { items, producer, roundTrip: copied + wait + held + arriveCycles };
  }
}
