// How many words of loads a thread has registers for, beside what else is live there.
import { basicBlocks } from '../flow/blocks.ts';
import { destinationsOf } from '../flow/destinations.ts';
import { Liveness, registersIn } from '../flow/liveness.ts';
import { volume, type Launch } from '../launch/launch.ts';
import type { Instruction, PtxFunction } from '../text/module.ts';
import { estimatedRegisters, wordsOf } from './register-estimate.ts';

/** The words of a load's value, and those that there are registers for. */
interface LoadRoom {
  readonly words: number;
  readonly room: number;
}

/** Of an instruction that is no load. */
export const NO_LOAD: LoadRoom = { words: 0, room: 0 };
/** Registers and threads of an SM, and its blocks (CUDA C++ Programming Guide, 9.0). */
const REGISTERS = 65_536;
const THREADS = 2048;
const BLOCKS = 32;

/** By instruction: how many words of loads may be in flight there, as ptxas gives registers. */
export function loadRoomsOf(code: PtxFunction, launch: Launch): readonly LoadRoom[] {
  const loads = code.instructions.filter(isLoad);
  if (loads.length === 0) return code.instructions.map(() => NO_LOAD);
  const threads = volume(launch.block);
  // As many as leave an SM full: to give a thread fewer saves nothing.
  const free = REGISTERS / Math.min(THREADS, BLOCKS * threads);
  const registers = Math.max(free, launch.registers ?? estimatedRegisters(code, threads));
  const loaded = new Set(loads.flatMap(destinationsOf));
  const liveness = new Liveness(code);
  const wordsIn = (list: readonly number[]): number =>
    list.reduce((sum, register) => sum + wordsOf(code.registers[register]!.type.bits), 0);
  // Addresses are computed one by one: of the loads of a block, the one beside which least is live.
  const rooms = new Map<number, number>();
  const { blockOf } = basicBlocks(code);
  for (const { index } of loads) {
    const block = blockOf[index]!;
    const live = registersIn(liveness.before(index));
    const others = wordsIn(live.filter((register) => !loaded.has(register)));
    rooms.set(block, Math.max(rooms.get(block) ?? 0, registers - others));
  }
  return code.instructions.map((instruction): LoadRoom => {
    if (!isLoad(instruction)) return NO_LOAD;
    const room = rooms.get(blockOf[instruction.index]!)!;
    return { words: wordsIn(destinationsOf(instruction)), room };
  });
}

function isLoad({ effect }: Instruction): boolean {
  return effect.kind === 'access' && effect.op === 'load';
}
