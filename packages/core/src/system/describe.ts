// What an instruction or a flight does, in the words of the documentation.
import { unreachable } from '../base/index.ts';
import { FlightKind, NAMED_BARRIERS, type Flight, type Instruction } from '../machine/index.ts';
import { CATALOGUE, OpKind, Side } from '../op/index.ts';
import { formatNumber, list, plural, type Names } from './names.ts';

/** `arrive on ab.full[0], expecting 32,768 B`. */
export function describe(names: Names, instruction: Instruction): string {
  const { kind, target, side, threads, bytes } = instruction;
  const barriers = (): string => list(instruction.barriers.map((id) => names.barrier(id)));
  const buffers = (ids: readonly number[]): string => list(ids.map((id) => names.buffer(id)));
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
      return `try ${names.barrier(target)} phase ${instruction.phase}`;
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
    case OpKind.asyncCopy: {
      const size = bytes === 0 ? '' : ` of ${formatNumber(bytes)} B`;
      return `start a copy${size} into ${buffers(instruction.writes) || 'a cell'}`;
    }
    case OpKind.asyncUse:
      return `start asynchronous work that ${accessText(instruction, buffers)}`;
    case OpKind.commit:
      return target < 0 ? 'commit a group' : `commit to ${barriers()}`;
    case OpKind.waitGroup:
      return groupsText(instruction.inFlight);
    case OpKind.syncNamed:
      return `sync at named barrier ${target % NAMED_BARRIERS} with ${plural(threads, 'thread')}`;
    case OpKind.arriveNamed:
      return `arrive at named barrier ${target % NAMED_BARRIERS} of ${plural(threads, 'thread')}`;
    case OpKind.syncCluster:
      return 'sync with the cluster';
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

function groupsText(inFlight: number): string {
  if (inFlight === 0) return 'wait until no group is pending';
  return `wait until at most ${plural(inFlight, 'group')} ${inFlight === 1 ? 'is' : 'are'} pending`;
}

/** `complete the copy into ab[0] and 32,768 B on ab.full[0]`. */
export function describeFlight(names: Names, flight: Flight): string {
  if (flight.kind === FlightKind.signal) return `arrive on ${names.barrier(flight.barrier)}`;
  const buffers = (ids: readonly number[]): string => list(ids.map((id) => names.buffer(id)));
  if (flight.kind === FlightKind.use)
    return `complete the asynchronous work that ${accessText(flight, buffers)}`;
  const where = buffers(flight.writes) || 'a cell';
  const bytes =
    flight.barrier < 0
      ? ''
      : ` and ${formatNumber(flight.bytes)} B on ${names.barrier(flight.barrier)}`;
  return `complete the copy into ${where}${bytes}`;
}

export function sideWord(side: number): string {
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
