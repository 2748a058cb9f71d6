// What an instruction or a flight does, in the words of the documentation.
import { unreachable } from '../base/index.ts';
import { FlightKind, type Flight, type Instruction } from '../machine/index.ts';
import { CATALOGUE, OpKind, Side } from '../op/index.ts';
import { formatNumber, list, plural, type Names } from './names.ts';

/** `arrive on ab.full[0], expecting 32,768 B`. */
export function describe(names: Names, instruction: Instruction): string {
  const { kind, target, side, threads, bytes } = instruction;
  const barriers = (): string => list(instruction.barriers.map((id) => names.barrier(id)));
  const buffers = (ids: readonly number[]): string => listBuffers(names, ids);
  switch (kind) {
    case OpKind.wait:
      return `wait for ${names.barrier(target)} phase ${instruction.phase}`;
    case OpKind.waitParity:
      return `wait for ${names.barrier(target)} parity ${instruction.parity}`;
    case OpKind.waitStage:
      if (instruction.isAssumed) {
        return `skip the wait for the next stage of ${names.ring(target)} to be ${sideWord(side)}`;
      }
      return `wait for the next stage of ${names.ring(target)} to be ${sideWord(side)}`;
    case OpKind.tryWait:
      return instruction.isRaw
        ? `try ${names.barrier(target)} parity ${instruction.phase}`
        : `try ${names.barrier(target)} phase ${instruction.phase}`;
    case OpKind.tryWaitStage:
      return `try the next stage of ${names.ring(target)} for ${sideWord(side)}`;
    case OpKind.tryClaim:
      return `try to claim the next stage of ${names.ring(target)}`;
    case OpKind.init:
      return `initialize ${names.barrier(target)} for ${plural(instruction.arrivals, 'arrival')}`;
    case OpKind.invalidate:
      return `invalidate ${names.barrier(target)}`;
    case OpKind.arrive: {
      const arrivals = instruction.arrivals * instruction.lanes;
      const times = arrivals === 1 ? '' : ` ${formatNumber(arrivals)} times`;
      const expects = bytes === 0 ? '' : `, expecting ${formatNumber(bytes)} B`;
      return `arrive${times} on ${barriers()}${expects}`;
    }
    case OpKind.expectTx:
      return `expect ${formatNumber(bytes)} B on ${barriers()}`;
    case OpKind.completeTx:
      return `complete ${formatNumber(bytes)} B on ${barriers()}`;
    case OpKind.arriveDrop:
      return `arrive on ${barriers()} and drop`;
    case OpKind.asyncCopy:
      return `start ${copyText(instruction, buffers)}`;
    case OpKind.asyncUse:
      return `start asynchronous work that ${accessText(instruction, buffers)}`;
    case OpKind.commit:
      return target < 0 ? 'commit a group' : `commit to ${barriers()}`;
    case OpKind.waitGroup:
      return groupsText(instruction);
    case OpKind.syncNamed:
      return `sync at ${names.namedBarrier(target)} with ${plural(threads, 'thread')}`;
    case OpKind.arriveNamed:
      return `arrive at ${names.namedBarrier(target)} of ${plural(threads, 'thread')}`;
    case OpKind.syncCluster:
      return 'sync with the cluster';
    case OpKind.arriveCluster:
      return 'arrive at the barrier of the cluster';
    case OpKind.waitCluster:
      return 'wait for the cluster';
    case OpKind.giveRegisters:
      return `give registers back and keep ${formatNumber(instruction.units)} in each thread`;
    case OpKind.takeRegisters:
      return `take registers, for ${formatNumber(instruction.units)} in each thread`;
    case OpKind.launchDependents:
      return 'allow the next grid to begin';
    case OpKind.waitGrids:
      return instruction.isRaw
        ? 'begin once the grid before allows it'
        : 'wait until the grid before has ended';
    case OpKind.read:
      return `read ${buffers(instruction.reads)}`;
    case OpKind.write:
      return `write ${buffers(instruction.writes)}`;
    case OpKind.store:
      return `store ${instruction.stored} in ${names.cell(target)}`;
    case OpKind.load:
      return `load ${names.cell(target)}`;
    case OpKind.fetchAdd:
      return `add ${instruction.amount} to ${names.cell(target)}`;
    case OpKind.alloc:
      return `allocate ${formatNumber(instruction.units)} of ${names.pool(target)}`;
    case OpKind.free:
      return `free ${buffers(instruction.writes)}`;
    case OpKind.relinquish:
      return `relinquish the permit to allocate from ${names.pool(target)}`;
    case OpKind.choose:
      return `choose one of ${instruction.choices}`;
    case OpKind.spawn:
      return `start ${names.agent(target)}`;
    case OpKind.join:
      return `wait until ${names.agent(target)} has ended`;
    case OpKind.exit:
    case OpKind.fence:
    case OpKind.compute:
    case OpKind.more:
    case OpKind.step:
    case OpKind.stage:
      return CATALOGUE[kind]!.name;
    default:
      return unreachable(kind);
  }
}

/** Buffers by their pieces, of which several may have one name. */
function listBuffers(names: Names, pieces: readonly number[]): string {
  return list([...new Set(pieces.map((id) => names.buffer(id)))]);
}

function groupsText({ inFlight, isRaw }: Instruction): string {
  const pending = isRaw ? 'still reading' : 'pending';
  if (inFlight === 0) return `wait until no group is ${pending}`;
  const most = `at most ${plural(inFlight, 'group')}`;
  return `wait until ${most} ${inFlight === 1 ? 'is' : 'are'} ${pending}`;
}

/** A copy into a barrier's CTA comes from memory that a program need not declare. */
function copyText(
  { bytes, reads, writes }: Instruction,
  buffers: (ids: readonly number[]) => string,
): string {
  const size = bytes === 0 ? '' : ` of ${formatNumber(bytes)} B`;
  const from = reads.length === 0 ? '' : ` from ${buffers(reads)}`;
  const into = buffers(writes) || (from === '' ? 'a cell' : '');
  return `a copy${size}${from}${into === '' ? '' : ` into ${into}`}`;
}

/** `complete the copy into ab[0] and 32,768 B on ab.full[0]`. */
export function describeFlight(names: Names, flight: Flight): string {
  if (flight.kind === FlightKind.signal) return `arrive on ${names.barrier(flight.barrier)}`;
  const buffers = (ids: readonly number[]): string => listBuffers(names, ids);
  if (flight.kind === FlightKind.use)
    return `complete the asynchronous work that ${accessText(flight, buffers)}`;
  const isStore = flight.barrier < 0 && flight.cell < 0;
  const into = buffers(flight.writes) || (isStore ? '' : 'a cell');
  const bytes =
    flight.barrier < 0
      ? ''
      : ` and ${formatNumber(flight.bytes)} B on ${names.barrier(flight.barrier)}`;
  return `complete the copy${into === '' ? '' : ` into ${into}`}${bytes}`;
}

function sideWord(side: number): string {
  return side === Side.produce ? 'empty' : 'full';
}

function accessText(
  accesses: { readonly reads: readonly number[]; readonly writes: readonly number[] },
  buffers: (ids: readonly number[]) => string,
): string {
  const parts: string[] = [];
  if (accesses.reads.length > 0) parts.push(`reads ${buffers(accesses.reads)}`);
  if (accesses.writes.length > 0) parts.push(`writes ${buffers(accesses.writes)}`);
  return parts.join(' and ') || 'accesses no buffer';
}
