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
  const wait = costs.waitCycles + costs.wakeCycles;
  const spin = (cycles: number): number => (cycles > 0 ? cycles + costs.spinOverheadCycles : 0);
  const isHbm = params['source'] === 'hbm';
  const latency = isHbm ? costs.hbmLatencyCycles : costs.l2LatencyCycles;
  const total = isHbm ? costs.hbmBytesPerCycle : costs.l2BytesPerCycle;
  const { ctas = 1 } = params as { ctas?: number };
  const rate = ctas > 1 ? Math.min(costs.linkBytesPerCycle, total / ctas) : costs.linkBytesPerCycle;
  const loop = (
    items: number,
    bytes: number,
    copies: number,
    held: number,
  ): Omit<Loops, 'consumer' | 'stages'> => {
    const issue = costs.expectCycles + copies * costs.copyIssueCycles;
    const producer = Math.max(wait + issue, bytes / rate);
    const copied = wait + issue + latency + bytes / rate;
    return { items, producer, roundTrip: copied + wait + held + costs.arriveCycles };
  };
  if ('aStages' in params) {
    const [useA, useB] = [spin(params['useACycles']!), spin(params['useBCycles']!)];
    const consumer = 2 * wait + useA + useB + 2 * costs.arriveCycles;
    const heldA = params['order'] === 'linear' ? useA : useA + useB;
    return [
      {
        ...loop(params['tiles']!, params['aBytes']!, 1, heldA),
        consumer,
        stages: params['aStages']!,
      },
      {
        ...loop(params['tiles']!, params['bBytes']!, 1, useA + useB),
        consumer,
        stages: params['bStages']!,
      },
    ];
  }
  if ('mmaN' in params) {
    const groups = params['warpgroups']!;
    const work = 2 * params['mmaN']!;
    const bytes = groups * 8192 + params['mmaN']! * 128;
    const overhead = wait + costs.arriveCycles + 4 * costs.mmaIssueCycles + costs.mmaDrainCycles;
    const isLinear = params['order'] === 'linear';
    const consumer = Math.max(work * groups, isLinear ? overhead : work + overhead);
    const held = work + overhead + (isLinear ? consumer : 0);
    const base = loop(params['kBlocks']!, bytes, groups + 1, held);
    return [{ ...base, consumer, stages: params['stages']! }];
  }
  if ('kSteps' in params) {
    const [steps, outputs] = [params['kSteps']!, params['outputTiles']!];
    const multiply = wait + spin(params['mmaCycles']!) + costs.arriveCycles;
    const store = wait + spin(params['epilogueCycles']!) + costs.arriveCycles;
    const tile = loop(outputs * steps, params['tileBytes']!, 1, spin(params['mmaCycles']!));
    const sum =
      wait + steps * Math.max(multiply, tile.producer, tile.roundTrip / params['stages']!);
    return [
      { ...tile, consumer: multiply, stages: params['stages']! },
      {
        items: outputs,
        producer: sum,
        consumer: store,
        roundTrip: sum + store,
        stages: params['accumStages']!,
      },
    ];
  }
  const produce = spin(params['producerCycles']!);
  const consumer = wait + spin(params['consumerCycles']!) + costs.arriveCycles;
  const base = loop(params['tiles']!, params['tileBytes']!, 1, spin(params['consumerCycles']!));
  return [{ ...base, producer: base.producer + produce, consumer, stages: params['stages']! }];
}
