// Cluster launch control, register counts and instructions without an effect here.
import { Unsupported } from '../machine/machine.ts';
import { rankOf } from '../../steps/step.ts';
import type { Instruction } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { checkShared } from './alignment.ts';
import { writeData } from './barrier-data.ts';
import { addressOf, NOTHING, silent, visible } from './builder.ts';
import type { Builder, Family } from './builder.ts';
import { BULK_STORE } from './copies.ts';
import { data, dataOfWarp } from './data.ts';
import { address, clusterRanks, firstLane, inRank, sharedAddress } from './lane.ts';
import { griddepcontrol } from './earlier.ts';
import { tensorMap } from './maps.ts';
import { Status } from './program.ts';
import { setRegisters } from './registers.ts';
import type { Slots } from './slots.ts';
import { destinationsOf } from '../../flow/destinations.ts';
import { matrixOfWarp } from './wmma.ts';

const out: Wide = { low: 0, high: 0 };
/** Bytes of the answer of cluster launch control. */
const ANSWER_BYTES = 16;

/** `clusterlaunchcontrol.try_cancel`: the answer is written into shared memory like a copy. */
const tryCancel: Builder = (instruction, slots) => {
  const target = sharedAddress(addressOf(instruction, 0), slots);
  const barrier = sharedAddress(addressOf(instruction, 1), slots);
  const isMulticast = instruction.opcode.includes('multicast');
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
        machine.memory.store(to, 4, out, true);
        out.low = block ?? 0;
        machine.memory.store(to + 4, 4, out, true);
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
const queryCancel: Builder = (instruction, slots) => {
  const answer = slots.source(instruction.operands[1]);
  const destinations = destinationsOf(instruction);
  const isQuestion = instruction.opcode.includes('is_canceled');
  const isOtherAxis = /get_first_ctaid::[yz]/.test(instruction.opcode);
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

function clusterLaunchControl(instruction: Instruction, slots: Slots): ReturnType<Builder> {
  return (instruction.parts[1] === 'try_cancel' ? tryCancel : queryCancel)(instruction, slots);
}

const nothing: Builder = () => NOTHING;
const isData: Builder = (instruction, slots) => silent(data(instruction, slots));
const isDataOfWarp: Builder = (instruction, slots) => silent(dataOfWarp(instruction, slots, false));
/** What was read from memory may be another value each time. */
const isRead: Builder = (instruction, slots) => silent(dataOfWarp(instruction, slots, true));

/** An access to memory that blocks may share, which is not followed there. */
function unseen(what: string, build: Builder): Builder {
  return (instruction, slots) => {
    const action = build(instruction, slots);
    if (!slots.isGrid || action.kind !== 'silent') return action;
    return silent((warp, mask) => {
      warp.machine.assume(instruction.index, `what blocks do to ${what} is ordered`);
      action.run(warp, mask);
    });
  };
}

/** `multimem`: the same memory of several devices, by an address of its own. */
const multimem: Builder = (instruction, slots) => {
  const { parts, index } = instruction;
  if (parts.includes('async')) return BULK_STORE(instruction, slots);
  if (slots.isGrid)
    return silent(() => {
      throw new Unsupported('memory of several devices is not followed between blocks', index);
    });
  return parts[1] === 'ld_reduce' ? isRead(instruction, slots) : NOTHING;
};

/** Bytes that a `discard` makes undefined. */
const LINE = 128;

/** `discard` leaves a line of global memory undefined. */
const discard: Builder = (instruction, slots) => {
  const read = address(addressOf(instruction, 0), slots);
  return silent((warp, mask) => {
    for (let rest = mask; rest !== 0; rest &= rest - 1)
      if (read(warp, firstLane(rest), out)) warp.machine.global.overwrite(out.low, out.high, LINE);
  });
};

/** What is left of a call by address behind all functions of the text that it may lead to. */
const callByAddress: Builder = ({ index }) =>
  visible((warp) => warp.machine.undecided(index, 'which function it calls is unknown'));

/** Mnemonics of instructions that change nothing that is followed here. */
const WITHOUT_EFFECT = 'nanosleep prefetch prefetchu applypriority pmevent stackrestore'.split(' ');

/** Mnemonics whose results are data: floating-point arithmetic, textures. */
const DATA = [
  'fma rcp rsqrt sqrt sin cos lg2 ex2 tanh testp copysign dp4a dp2a fns createpolicy',
  'vadd vsub vabsdiff vmin vmax vshl vshr vmad vset vadd2 vadd4 tex tld4 txq',
  'suq istypep alloca stacksave',
].flatMap((line) => line.split(' '));

/** Mnemonics whose results are data of all lanes together. */
const DATA_OF_WARP = ['mma', 'movmatrix'] as const;

const SURFACES = 'surfaces';

/** A builder for several mnemonics. */
export function each(names: readonly string[], build: Builder): Family {
  return Object.fromEntries(names.map((name) => [name, build]));
}

/** Other instructions by mnemonic. */
export const OTHER: Family = {
  ...each(WITHOUT_EFFECT, nothing),
  ...each(DATA, isData),
  ...each(DATA_OF_WARP, isDataOfWarp),
  ...each(['sust', 'sured'], unseen(SURFACES, nothing)),
  suld: unseen(SURFACES, isRead),
  multimem,
  discard,
  call: callByAddress,
  clusterlaunchcontrol: clusterLaunchControl,
  wmma: (instruction, slots) =>
    (instruction.parts[1] === 'mma' ? isDataOfWarp : matrixOfWarp)(instruction, slots),
  tensormap: tensorMap,
  setmaxnreg: setRegisters,
  griddepcontrol,
};
