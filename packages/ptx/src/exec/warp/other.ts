// Cluster launch control, register counts and instructions without an effect here.
import { Unsupported } from '../machine/machine.ts';
import type { Access, Control, Hint, LaunchControl } from '../../isa/effect.ts';
import { rankOf } from '../../steps/step.ts';
import type { Wide } from '../../values/wide.ts';
import { checkAlignment, checkShared } from './alignment.ts';
import { writeData } from './barrier-data.ts';
import { addressOf, addressWith, NOTHING, silent, visible } from './builder.ts';
import type { Builder, BuilderOf } from './builder.ts';
import { checkBuffer } from './buffer-bounds.ts';
import { overwritten } from './copied-memory.ts';
import { data, dataOfWarp } from './data.ts';
import { address, clusterRanks, inRank, sharedAddress } from './lane.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { memory } from './memory.ts';
import { Status } from './program.ts';
import { checkSpace } from './state-space.ts';
import type { Warp } from './warp.ts';
import { destinationsOf } from '../../flow/destinations.ts';

const out: Wide = { low: 0, high: 0 };
/** Bytes of the answer of cluster launch control. */
const ANSWER_BYTES = 16;

/** `clusterlaunchcontrol.try_cancel`: the answer is written into shared memory like a copy. */
const tryCancel: BuilderOf<LaunchControl> = (instruction, { isMulticast }, slots) => {
  const target = sharedAddress(addressWith(instruction, 'to'), slots, true);
  const barrier = sharedAddress(addressWith(instruction, 'mbarrier'), slots, true);
  return visible((warp, mask) => {
    const { machine } = warp;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const block = machine.launch.clusterLaunchControl[machine.handedOut++];
      const address = target(warp, lane);
      const ranks = isMulticast ? clusterRanks(warp) : [rankOf(address)];
      const writes: number[] = [];
      const signals: { barrier: number; bytes: number }[] = [];
      for (const rank of ranks) {
        const to = isMulticast ? inRank(address, rank) : address;
        const signal = isMulticast ? inRank(barrier(warp, lane), rank) : barrier(warp, lane);
        checkShared(warp, to, ANSWER_BYTES);
        writeData(warp, to, to + ANSWER_BYTES);
        machine.memory.overwrite(to, to + ANSWER_BYTES);
        // The first word says whether a block was handed out, the second which one.
        out.high = 0;
        out.low = block === undefined ? 0 : 1;
        machine.memory.store(to, 4, out, true, null);
        out.low = block ?? 0;
        machine.memory.store(to + 4, 4, out, true, null);
        const state = machine.barriers.at(signal);
        if (state !== undefined) machine.barriers.expect(state, -ANSWER_BYTES);
        writes.push(to, to + ANSWER_BYTES);
        signals.push({ barrier: signal, bytes: ANSWER_BYTES });
      }
      const step = { op: 'copy', at: instruction.index, writes, reads: [], signals } as const;
      warp.record({ ...step, map: null }, 1 << lane);
    }
    return Status.done;
  });
};

/** `clusterlaunchcontrol.query_cancel`: reads an answer that was loaded into a 128-bit register. */
const queryCancel: BuilderOf<LaunchControl> = (instruction, { query }, slots) => {
  const answer = slots.source(instruction.operands[1]);
  const destinations = destinationsOf(instruction);
  const isQuestion = query === 'is canceled';
  const isOtherAxis = query === 'y' || query === 'z';
  return silent((warp, mask) => {
    const isKnown = warp.registers.read(answer, firstLane(mask), out);
    const { low, high } = out;
    for (const [index, register] of destinations.entries()) {
      const isFirst = index === 0 && !isOtherAxis;
      if (isKnown) {
        out.low = isQuestion ? low & 1 : isFirst ? high : 0;
        out.high = 0;
      }
      warp.registers.setUniform(register, out, isKnown, mask, warp.lanes);
    }
  });
};

/** Cluster launch control. */
export const launchControl: BuilderOf<LaunchControl> = (instruction, effect, slots) =>
  (effect.op === 'try cancel' ? tryCancel : queryCancel)(instruction, effect, slots);

/** What was read from memory may be another value each time. */
const isRead: Builder = (instruction, slots) => silent(dataOfWarp(instruction, slots, true));

/** `multimem`: the same memory of several devices, by an address of its own. */
const multimem: BuilderOf<Access> = (instruction, { op }, slots) => {
  if (slots.isGrid)
    return silent(() => {
      const reason = 'memory of several devices is not followed between blocks';
      throw new Unsupported(reason, instruction.index);
    });
  return op === 'load' ? isRead(instruction, slots) : NOTHING;
};

/** Bytes that a `discard` makes undefined. */
export const LINE = 128;
const LINE_RULE = `discard takes a multiple of ${LINE}`;

/** `discard` leaves a line of global memory undefined, as a store of what is not known does. */
const discard: Builder = (instruction, slots) => {
  const read = address(addressOf(instruction, 0), slots);
  const { index } = instruction;
  const run = (warp: Warp, mask: number): void => {
    const writes: number[] = [];
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      if (!read(warp, firstLane(rest), out)) continue;
      const { low, high } = out;
      checkSpace(warp, 'global', low, high);
      checkAlignment(warp, low, high, LINE, LINE_RULE);
      checkBuffer(warp, low, high, LINE, 'discards');
      writes.push(...overwritten(warp, index, { address: { low, high }, bytes: LINE }));
    }
    if (writes.length === 0) return;
    const step = { op: 'access', at: index, kind: 'plain', reads: [], writes, values: [] } as const;
    warp.record(step, mask);
  };
  if (!slots.isGrid && !slots.isCompared) return silent(run);
  return visible((warp, mask) => {
    run(warp, mask);
    return Status.done;
  });
};

/** Accesses of lanes. */
export const access: BuilderOf<Access> = (instruction, effect, slots) => {
  if (effect.isMultimem) return multimem(instruction, effect, slots);
  return effect.op === 'discard' ? discard(instruction, slots) : memory(instruction, effect, slots);
};

/** What is left of a call by address behind all functions of the text that it may lead to. */
const callByAddress: Builder = ({ index }) =>
  visible((warp) => warp.machine.undecided(index, 'which function it calls is unknown'));

const CONTROL: Readonly<Record<Control['op'], Builder>> = {
  branch: () => ({ kind: 'branch' }),
  table: ({ operands }, slots) => ({ kind: 'table', index: slots.source(operands[0]) }),
  call: callByAddress,
  return: () => ({ kind: 'return' }),
  exit: () => ({ kind: 'return' }),
  trap: () => ({ kind: 'trap' }),
  breakpoint: () => ({ kind: 'trap' }),
  sleep: () => NOTHING,
};

/** Which instruction comes next. */
export const control: BuilderOf<Control> = (instruction, { op }, slots) =>
  CONTROL[op](instruction, slots);

const NOT_WRITTEN = 'what is read through textures and surfaces lies in no buffer of a pointer';
const NOT_BEFORE =
  'what is read through textures and surfaces is not what the kernel before writes';

/**
 * Reads through textures and surfaces. What they read is data; a run that writes through surfaces
 * is undecided, so that only a pointer could lead to the same memory.
 */
export const opaque: Builder = (instruction, slots) => {
  const read = dataOfWarp(instruction, slots, true);
  return silent((warp, mask) => {
    const { machine, progress } = warp;
    machine.assume(instruction.index, 'separate-buffers', NOT_WRITTEN);
    if (slots.isFollowing && (mask & ~progress.followed) !== 0)
      machine.assume(instruction.index, 'earlier-grid', NOT_BEFORE);
    read(warp, mask);
  });
};

const GUESSES =
  'H24 holds, which the PTX ISA does not promise: what a retry loop expects at first is read ' +
  'while others change it';

/** A hint: its results, such as policies, are data. What a retry loop expects at first is, too. */
export const hint: BuilderOf<Hint> = (instruction, { guess }, slots) => {
  if (destinationsOf(instruction).length === 0) return NOTHING;
  if (guess === null) return silent(data(instruction, slots));
  const give = dataOfWarp(instruction, slots, true);
  return silent((warp, mask) => {
    if (guess === 'weak') warp.machine.assume(instruction.index, 'H24', GUESSES);
    give(warp, mask);
  });
};
