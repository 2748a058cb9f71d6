// What lanes of a stopped warp wait for: by their code and registers, or by the PTX alone.
import type { Instruction } from '@poundlock/ptx/internal/text/module';
import { Row } from './dump/row.ts';
import { ZERO_REGISTER, type WaitInstruction } from './dump/sass.ts';
import { decodeWord, type BarrierWord } from './dump/word.ts';
import type { KernelText } from './kernel-text.ts';
import { isKnownArchitecture, RANK_SIZE, withinBlock, type Located } from './locate.ts';
import type { TableContext, WarpState } from './rows.ts';
import { nameOfAddress, type SharedPlacement } from './shared-names.ts';
import type { LaneGroup, StoppedBlock, StoppedGrid } from './stopped.ts';

/** The block that an address of a wait is of. */
function ownerOf({ blocks }: TableContext, block: StoppedBlock, address: number): StoppedBlock {
  const rank = Math.floor(address / RANK_SIZE);
  // Without a cluster an address has no rank; in one, that of the own block may be left out.
  if (rank === 0 || rank === block.rank) return block;
  const { cluster } = block.grid;
  const origin = block.block.map((each, axis) => each - (each % cluster[axis]!));
  const peer = blocks.find((each) => {
    const isNear = each.block.every((at, axis) => at - (at % cluster[axis]!) === origin[axis]);
    return each.grid === block.grid && isNear && each.rank === rank;
  });
  return peer ?? block;
}

/** The word of the barrier that a group of lanes waits for. */
export function wordOf(
  context: TableContext,
  { block, address }: Located,
): BarrierWord | undefined {
  if (address === null) return undefined;
  const word = ownerOf(context, block, address).sharedWord(withinBlock(address));
  return word === undefined ? undefined : decodeWord(word);
}

/** The names of exceptions, by their numbers in `cudadebugger.h`. */
const EXCEPTIONS: Readonly<Record<number, string>> = {
  1: 'illegal address',
  2: 'stack overflow',
  3: 'stack overflow',
  4: 'illegal instruction',
  5: 'address out of range',
  6: 'misaligned address',
  7: 'invalid address space',
  8: 'invalid program counter',
  9: 'stack overflow',
  10: 'illegal address',
  11: 'misaligned address',
  12: 'failed assertion',
  13: 'error in a system call',
  14: 'illegal address',
  17: 'a block of the cluster that is not there',
  18: 'address out of range in the cluster',
};

/** What a group of lanes is in. */
export function stateOf(
  context: TableContext,
  located: Located,
  placement: SharedPlacement | null,
): WarpState {
  const { block, group, place, wait, ptxLine, errorPc } = located;
  if (group.exception > 0 || errorPc !== undefined) {
    const number = group.exception || block.exception;
    return { kind: 'exception', number, name: EXCEPTIONS[number] ?? `exception ${number}` };
  }
  if (wait?.kind === 'mbarrier') return phaseState(context, located, wait.parity, placement);
  if (wait?.kind === 'load') return wordState(context, located, wait);
  if (wait?.kind === 'named') return { kind: 'named', id: wait.id };
  if (wait !== undefined) return { kind: wait.kind };
  const instruction = ptxLine === null ? undefined : context.text?.at(ptxLine);
  const isKnown = isKnownArchitecture(context.gpu.architecture);
  if (place === undefined || (!isKnown && instruction === undefined)) return { kind: 'unknown' };
  return instruction === undefined ? { kind: 'running' } : stateOfText(context.text!, instruction);
}

/** A wait for a phase, whose barrier and parity are in registers. */
function phaseState(
  context: TableContext,
  { block, group, address }: Located,
  register: number,
  placement: SharedPlacement | null,
): WarpState {
  const parity = register === ZERO_REGISTER ? 0 : group.register(register);
  const owner = address === null ? block : ownerOf(context, block, address);
  const within = address === null ? null : withinBlock(address);
  const name = within === null || placement === null ? null : nameOfAddress(placement, within);
  return {
    kind: 'mbarrier',
    name: name ?? null,
    address: within,
    // The compiler shifts the parity to the highest bit.
    parity: parity === undefined ? null : parity >>> 31 === 1 ? 1 : 0,
    ...(owner !== block && { rank: owner.rank }),
  };
}

/** Where the encoding of the code does not say it: what a warp at an instruction waits for. */
function stateOfText(text: KernelText, instruction: Instruction): WarpState {
  const kind = text.waitAround(instruction);
  if (kind === 'mbarrier') return { kind, name: null, address: null, parity: null };
  if (kind === 'named') return { kind, id: null };
  if (kind === 'word') return { kind, name: null, address: '', holds: null };
  return { kind };
}

function wordState(
  context: TableContext,
  { block, group, ptxLine }: Located,
  wait: Extract<WaitInstruction, { kind: 'load' }>,
): WarpState {
  const ofText = ptxLine === null ? null : polledWord(context.text, block.grid, ptxLine);
  const address = ofText?.address ?? addressOf(group, wait);
  const bytes = ofText?.bytes ?? wait.bytes;
  if (address === null) return { kind: 'word', name: null, address: '', holds: null };
  const memory = context.gpu.memory(address, bytes);
  const row = memory && new Row(memory);
  const value = row && (bytes === 8 ? BigInt.asIntN(64, row.word64(0)) : row.word32(0) | 0);
  return {
    kind: 'word',
    name: context.bufferAt(address),
    address: `0x${address.toString(16)}`,
    holds: value === undefined ? null : Number(value),
  };
}

/** Where the word is that a line, or the small loop around it, polls: by the parameters. */
export function polledWord(
  text: KernelText | undefined,
  { parameters }: Pick<StoppedGrid, 'parameters'>,
  line: number,
): { readonly address: bigint; readonly bytes: 4 | 8 } | null {
  const word = text?.polledWord(line) ?? null;
  const parameter = text?.entry.parameters.find(({ name }) => name === word?.parameter);
  if (word === null || parameter === undefined || parameters === undefined) return null;
  const { offset, size } = parameter;
  const isWhole = size === POINTER_BYTES && offset + size <= parameters.length;
  const isWord = word.bytes === 4 || word.bytes === 8;
  if (!isWhole || !isWord) return null;
  const base = new Row(parameters).word64(offset);
  return { address: base + BigInt(word.plus), bytes: word.bytes === 8 ? 8 : 4 };
}

const POINTER_BYTES = 8;

/** The address in registers; `null` where it is not known, or what was read is there now. */
function addressOf(
  { register }: LaneGroup,
  { base, plus, result }: Extract<WaitInstruction, { kind: 'load' }>,
): bigint | null {
  const [low, high] = [register(base), register(base + 1)];
  const isGone = result !== ZERO_REGISTER && Math.abs(result - base) <= 1;
  if (low === undefined || high === undefined || isGone) return null;
  return (BigInt(high) << 32n) + BigInt(low) + BigInt(plus);
}
