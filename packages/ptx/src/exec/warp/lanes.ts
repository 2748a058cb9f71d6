// Instructions that exchange values between the lanes of a warp: shfl, vote, match, elect, redux.
import type { AtomicOperation, Lanes } from '../../isa/effect.ts';
import { LANES } from '../../values/register-file.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import { mix, seedOf, start, vary } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { NOTHING, sequence, silent, sourceOf } from './builder.ts';
import {
  heldBefore,
  originOf,
  settle,
  shuffled,
  together,
  unsettle,
} from '../origins/expressions.ts';
import { OPAQUE } from '../../values/origin.ts';
import type { Origin } from '../../values/origin.ts';
import type { Action } from './program.ts';
import type { BuilderOf } from './builder.ts';
import type { Silent } from './elementwise.ts';
import { firstLane, lanesOf } from '../../values/lane-mask.ts';
import { withMembers } from './members.ts';
import type { Warp } from './warp.ts';

type LaneBuilder = BuilderOf<Lanes>;

const out: Wide = { low: 0, high: 0 };
const other: Wide = { low: 0, high: 0 };
const results = new Uint32Array(2 * LANES);

/** Writes `results` into a register; bits of `known` say which lanes are known. */
function write(warp: Warp, register: number, mask: number, known: number): void {
  const { registers } = warp;
  const base = registers.openLanes(register, mask, warp.lanes);
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = firstLane(rest);
    registers.low[base + lane] = results[lane]!;
    registers.high[base + lane] = results[LANES + lane]!;
  }
  registers.known[register] = (registers.known[register]! & ~mask) | (known & mask);
}

/** Writes one 32-bit value into all lanes. */
function writeAll(warp: Warp, register: number, mask: number, value: number): void {
  out.low = value >>> 0;
  out.high = 0;
  warp.registers.setUniform(register, out, true, mask, warp.lanes);
}

/** Writes one unknown value into all lanes, or one into each. */
function writeUnknown(
  warp: Warp,
  register: number,
  mask: number,
  seed: number,
  isOfLanes = false,
): void {
  start(out, seed);
  mix(out, warp.machine.fresh(), 0, 0);
  if (isOfLanes) vary(out);
  warp.registers.setUniform(register, out, false, mask, warp.lanes);
}

/** Writes what follows from unknown values of lanes: equal ones give the same. */
function writeTogether(
  warp: Warp,
  register: number,
  mask: number,
  seed: number,
  source: number,
): void {
  start(out, seed);
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = firstLane(rest);
    const isKnown = warp.registers.read(source, lane, other);
    mix(out, other.low, other.high, isKnown ? 1 : 0);
    mix(out, lane, 0, 1);
  }
  warp.registers.setUniform(register, out, false, mask, warp.lanes);
}

/** The lane that `shfl` reads, and whether it is within the segment. */
function shuffleSource(
  mode: Lanes['mode'],
  lane: number,
  distance: number,
  control: number,
): readonly [number, boolean] {
  const clamp = control & 31;
  const segment = (control >>> 8) & 31;
  const most = (lane & segment) | (clamp & ~segment);
  const least = lane & segment;
  if (mode === 'up') return [lane - distance, lane - distance >= most];
  if (mode === 'down') return [lane + distance, lane + distance <= most];
  if (mode === 'bfly') return [lane ^ distance, (lane ^ distance) <= most];
  const source = least | (distance & ~segment);
  return [source, source <= most];
}

const shuffle: LaneBuilder = (instruction, { mode }, slots) => {
  const { operands } = instruction;
  const [to, value, distance, control] = operands;
  const destination = slots.destination(to?.kind === 'pair' ? to.first : to);
  const predicate = to?.kind === 'pair' ? slots.destination(to.second) : -1;
  const valueAt = slots.source(value);
  const distanceAt = slots.source(distance);
  const controlAt = slots.source(control);
  const seed = seedOf(instruction.opcode);
  const sourceOf = (lane: number, from: number, by: number): number => {
    const [source, isWithin] = shuffleSource(mode, lane, from, by);
    return isWithin ? source : lane;
  };
  const run = silent((warp, mask) => {
    const { registers } = warp;
    let known = 0;
    let within = 0;
    let isDecided = true;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const isKnown = registers.read(distanceAt, lane, out);
      if (!isKnown || !registers.read(controlAt, lane, other)) isDecided = false;
      const [source, isWithin] = shuffleSource(mode, lane, out.low & 31, other.low);
      const from = isWithin ? source : lane;
      if (isWithin) within |= 1 << lane;
      const isActive = ((mask >>> from) & 1) === 1;
      if (isDecided && isActive && registers.read(valueAt, from, out)) known |= 1 << lane;
      if (!isActive || !isDecided) {
        start(out, seed);
        mix(out, warp.machine.fresh(), lane, 0);
      }
      results[lane] = out.low;
      results[LANES + lane] = out.high;
    }
    write(warp, destination, mask, known);
    if (predicate < 0) return;
    for (let lane = 0; lane < LANES; lane++) {
      results[lane] = (within >>> lane) & 1;
      results[LANES + lane] = 0;
    }
    write(warp, predicate, mask, isDecided ? mask : 0);
  });
  const inputs = [valueAt, distanceAt, controlAt] as const;
  return withOrigins(run, inputs, [destination, predicate], (registers, mask) => {
    const [value, distance, control] = inputs.map((each) => originOf(registers, each));
    return [shuffled([value!, distance!, control!], mask, sourceOf), OPAQUE];
  });
};

/** An exchange that says how its results are computed from the place of the block. */
function withOrigins(
  action: Action,
  inputs: readonly number[],
  results: readonly number[],
  originsOf: (registers: RegisterFile, mask: number) => readonly Origin[],
): Action {
  if (action.kind !== 'silent') return action;
  const plain = action.run;
  const written = results.filter((each) => each >= 0);
  return silent((warp, mask) => {
    const { registers } = warp;
    const { depends } = registers;
    const isOfBlock = inputs.some((each) => depends[each] === 1);
    if (!isOfBlock && !written.some((each) => depends[each] === 1)) return plain(warp, mask);
    const origins = isOfBlock ? originsOf(registers, mask) : [];
    const before = written.map((each) => heldBefore(warp, mask, each));
    plain(warp, mask);
    if (warp.apart.isHeld) {
      for (const [index, register] of written.entries()) unsettle(warp, register, before[index]!);
      return;
    }
    for (const [index, register] of written.entries())
      settle(warp, mask, register, origins[index] ?? null, before[index]!);
  });
}

/** Lanes in which a predicate is true, and whether it is known in all of them. */
function ballot(warp: Warp, register: number, mask: number): readonly [number, boolean] {
  let truth = 0;
  let isKnown = true;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = firstLane(rest);
    if (!warp.registers.read(register, lane, out)) isKnown = false;
    else if (out.low !== 0) truth |= 1 << lane;
  }
  return [truth, isKnown];
}

/** The result of a vote by its mode. */
function votedBy(mode: Lanes['mode']): (truth: number, mask: number) => number {
  if (mode === 'ballot') return (truth) => truth;
  if (mode === 'all') return (truth, mask) => (truth === mask ? 1 : 0);
  if (mode === 'uni') return (truth, mask) => (truth === mask || truth === 0 ? 1 : 0);
  return (truth) => (truth === 0 ? 0 : 1);
}

const vote: LaneBuilder = (instruction, { mode }, slots) => {
  const voted = votedBy(mode);
  const destination = slots.destination(instruction.operands[0]);
  const prepared: Silent[] = [];
  const predicate = sourceOf(instruction.operands[1]!, slots, prepared);
  const seed = seedOf(instruction.opcode);
  const run = silent((warp, mask) => {
    const [truth, isKnown] = ballot(warp, predicate, mask);
    if (isKnown) writeAll(warp, destination, mask, voted(truth, mask));
    else writeTogether(warp, destination, mask, seed, predicate);
  });
  const whole = withOrigins(run, [predicate], [destination], (registers, mask) => [
    together(originOf(registers, predicate), mask, voted, (values) => {
      const lanes = lanesOf(mask);
      const isTrue = (lane: number, index: number): number => (values[index] === 0 ? 0 : 1 << lane);
      return voted(
        lanes.reduce((truth, lane, index) => truth | isTrue(lane, index), 0),
        mask,
      );
    }),
  ]);
  if (prepared.length === 0 || whole.kind !== 'silent') return whole;
  return silent(sequence([...prepared, whole.run]));
};

/** `match.any` gives each lane the lanes with its value; `match.all` says whether all agree. */
const match: LaneBuilder = (instruction, { mode }, slots) => {
  const [to, value] = instruction.operands;
  const isAll = mode === 'all';
  const destination = slots.destination(to?.kind === 'pair' ? to.first : to);
  const predicate = to?.kind === 'pair' ? slots.destination(to.second) : -1;
  const source = slots.source(value);
  const seed = seedOf(instruction.opcode);
  const run = silent((warp, mask) => {
    let isKnown = true;
    results.fill(0);
    let isEqual = true;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      isKnown &&= warp.registers.read(source, lane, out);
      for (let peers = mask; peers !== 0; peers &= peers - 1) {
        const peer = firstLane(peers);
        isKnown &&= warp.registers.read(source, peer, other);
        if (other.low === out.low && other.high === out.high)
          results[lane] = (results[lane]! | (1 << peer)) >>> 0;
        else isEqual = false;
      }
    }
    if (!isKnown) {
      writeUnknown(warp, destination, mask, seed, !isAll);
      if (predicate >= 0) writeUnknown(warp, predicate, mask, seed);
    } else if (isAll) {
      writeAll(warp, destination, mask, isEqual ? mask : 0);
      if (predicate >= 0) writeAll(warp, predicate, mask, isEqual ? 1 : 0);
    } else write(warp, destination, mask, mask);
  });
  return withOrigins(run, [source], [destination, predicate], () => [OPAQUE, OPAQUE]);
};

const activeMask: LaneBuilder = (instruction, _effect, slots) => {
  const destination = slots.destination(instruction.operands[0]);
  const seed = seedOf(instruction.opcode);
  return silent((warp, mask) => {
    // Data decides which lanes are there.
    if (warp.mode.isUncertain) return writeUnknown(warp, destination, mask, seed);
    warp.machine.assume(instruction.index, 'active-mask', RUN_LANES);
    writeAll(warp, destination, mask, mask);
  });
};

const RUN_LANES = 'activemask returns the lanes that the run had';

/** Elects the lowest active lane. */
const elect: LaneBuilder = (instruction, _effect, slots) => {
  const to = instruction.operands[0];
  const leader = to?.kind === 'pair' ? slots.destination(to.first) : -1;
  const predicate = slots.destination(to?.kind === 'pair' ? to.second : to);
  return silent((warp, mask) => {
    const first = firstLane(mask);
    if (mask === 1 << first) writeAll(warp, predicate, mask, 1);
    else {
      results.fill(0);
      results[first] = 1;
      write(warp, predicate, mask, mask);
    }
    if (leader >= 0) writeAll(warp, leader, mask, first);
  });
};

const REDUCTIONS: Readonly<Partial<Record<AtomicOperation, (a: number, b: number) => number>>> = {
  add: (a, b) => a + b,
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  min: Math.min,
  max: Math.max,
};

const reduce: LaneBuilder = (instruction, { type, operation: name }, slots) => {
  const { operands } = instruction;
  const destination = slots.destination(operands[0]);
  const source = slots.source(operands[1]);
  const operation = name === null || type?.class === 'float' ? undefined : REDUCTIONS[name];
  const isSigned = type?.class === 'signed';
  const seed = seedOf(instruction.opcode);
  const run = silent((warp, mask) => {
    let result: number | undefined;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const isKnown = warp.registers.read(source, firstLane(rest), out);
      if (!isKnown || operation === undefined)
        return writeTogether(warp, destination, mask, seed, source);
      const value = isSigned ? out.low | 0 : out.low;
      result = result === undefined ? value : operation(result, value);
      if (!isSigned) result >>>= 0;
    }
    writeAll(warp, destination, mask, result ?? 0);
  });
  return withOrigins(run, [source], [destination], (registers, mask) => {
    if (operation === undefined) return [OPAQUE];
    const input = originOf(registers, source);
    const number = (value: number): number => (isSigned ? value | 0 : value);
    const combine = (values: readonly number[]): number =>
      values.map(number).reduce((one, other) => {
        const both = operation(one, other);
        return isSigned ? both : both >>> 0;
      });
    return [together(input, mask, operation, combine)];
  });
};

/** Leaves out results that decide nothing. */
function ofNeeded(build: LaneBuilder): LaneBuilder {
  return (instruction, effect, slots) =>
    slots.slice?.isData(instruction) === true ? NOTHING : build(instruction, effect, slots);
}

/** Instructions between lanes: all but one have a mask of those that take part. */
const BUILDERS: Readonly<Record<Lanes['op'], LaneBuilder>> = {
  shuffle: withMembers(ofNeeded(shuffle)),
  vote: withMembers(vote),
  match: withMembers(match),
  'active mask': activeMask,
  elect: withMembers(elect),
  reduce: withMembers(ofNeeded(reduce)),
  join: withMembers(() => NOTHING),
};

/** Instructions in which lanes of a warp take part together. */
export const lanes: LaneBuilder = (instruction, effect, slots) =>
  BUILDERS[effect.op](instruction, effect, slots);
