// Executes an operation lane by lane: once for all lanes where its inputs are uniform.
import { ALL_LANES, LANES } from '../../values/register-file.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import type { Wide } from '../../values/wide.ts';
import { operationOf, written } from '../origins/expressions.ts';
import { meetsAddress } from '../origins/places.ts';
import { computePartly } from './operation.ts';
import type { Elementwise } from './operation.ts';
import type { Warp } from './warp.ts';

/** Executes an instruction that only changes registers of its warp, in the lanes of `mask`. */
export type Silent = (warp: Warp, mask: number) => void;

const out: Wide = { low: 0, high: 0 };

/** The instruction as a function of a warp and its active lanes. */
export function elementwise(operation: Elementwise): Silent {
  const { destination, sources, compute } = operation;
  const [a, b, c, d] = sources;
  const aSlot = a * LANES;
  const bSlot = b * LANES;
  const cSlot = c * LANES;
  const dSlot = d * LANES;
  const plain: Silent = (warp, mask) => {
    const registers = warp.registers;
    const { low, high, known, perLane } = registers;
    if ((perLane[a]! | perLane[b]! | perLane[c]! | perLane[d]!) !== 0)
      return laneByLane(operation, warp, mask);
    const isKnown = (known[a]! & known[b]! & known[c]! & known[d]!) !== 0;
    if (isKnown) {
      compute(
        out,
        low[aSlot]!,
        high[aSlot]!,
        low[bSlot]!,
        high[bSlot]!,
        low[cSlot]!,
        high[cSlot]!,
        low[dSlot]!,
      );
      registers.setUniform(destination, out, true, mask, warp.lanes);
      return;
    }
    const k = (known[a]! & 1) | (known[b]! & 2) | (known[c]! & 4) | (known[d]! & 8);
    const isFound = unknown(operation, registers, k, aSlot, bSlot, cSlot, dSlot);
    registers.setUniform(destination, out, isFound, mask, warp.lanes);
  };
  const mayMeet = operation.kind !== undefined && operation.kind.onAddresses !== 'same';
  return (warp, mask) => {
    const { depends, isPicked } = warp.registers;
    const isOfBlock = depends[a]! | depends[b]! | depends[c]! | depends[d]! | depends[destination]!;
    const isFollowed = (isOfBlock | isPicked) !== 0;
    if (!isFollowed && !(mayMeet && meetsAddress(warp, operation, mask))) return plain(warp, mask);
    const { origin, values } = operationOf(operation, warp, mask);
    written(warp, mask, destination, origin, () => {
      if (values === null) plain(warp, mask);
      else values.write(warp, destination, mask);
    });
  };
}

function laneByLane(operation: Elementwise, warp: Warp, mask: number): void {
  const { destination, sources, compute } = operation;
  const [a, b, c, d] = sources;
  const registers = warp.registers;
  const { low, high, known, perLane } = registers;
  // The destination may be a source: all inputs of a lane are read before its result is written,
  // but a uniform source is read through a copy of its flag from before.
  const knownA = known[a]!;
  const knownB = known[b]!;
  const knownC = known[c]!;
  const knownD = known[d]!;
  const all = knownA & knownB & knownC & knownD;
  if (sources.includes(destination) && perLane[destination] === 0) spread(warp, destination);
  const base = registers.openLanes(destination, mask, warp.lanes);
  let result = 0;
  const aStep = perLane[a] === 0 ? 0 : ALL_LANES;
  const bStep = perLane[b] === 0 ? 0 : ALL_LANES;
  const cStep = perLane[c] === 0 ? 0 : ALL_LANES;
  const dStep = perLane[d] === 0 ? 0 : ALL_LANES;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const al = a * LANES + (lane & aStep);
    const bl = b * LANES + (lane & bStep);
    const cl = c * LANES + (lane & cStep);
    const dl = d * LANES + (lane & dStep);
    if (((all >>> lane) & 1) === 1) {
      compute(out, low[al]!, high[al]!, low[bl]!, high[bl]!, low[cl]!, high[cl]!, low[dl]!);
      result |= 1 << lane;
    } else {
      const k =
        ((knownA >>> lane) & 1) |
        (((knownB >>> lane) & 1) << 1) |
        (((knownC >>> lane) & 1) << 2) |
        (((knownD >>> lane) & 1) << 3);
      if (unknown(operation, registers, k, al, bl, cl, dl)) result |= 1 << lane;
    }
    low[base + lane] = out.low;
    high[base + lane] = out.high;
  }
  known[destination] = (known[destination]! & ~mask) | result;
}

/** Computes from inputs that are not all known: those in slots, with their bits in `k`. */
function unknown(
  operation: Elementwise,
  { low, high }: RegisterFile,
  k: number,
  al: number,
  bl: number,
  cl: number,
  dl: number,
): boolean {
  return computePartly(
    operation,
    k,
    low[al]!,
    high[al]!,
    low[bl]!,
    high[bl]!,
    low[cl]!,
    high[cl]!,
    low[dl]!,
    high[dl]!,
    out,
  );
}

/** Makes a uniform register hold a value for each lane. */
function spread(warp: Warp, register: number): void {
  const { registers } = warp;
  registers.undo?.save(register);
  const base = register * LANES;
  registers.low.fill(registers.low[base]!, base + 1, base + LANES);
  registers.high.fill(registers.high[base]!, base + 1, base + LANES);
  registers.perLane[register] = 1;
}
