// What each role brings to each barrier and waits for in the whole program, in no order.
import { FlightKind, type Instruction } from '../../machine/index.ts';
import { CATALOGUE, isTest, isTry, OpKind } from '../../op/index.ts';
import type { System } from '../system.ts';
import { broughtBy } from './brings.ts';
import { future } from './future.ts';

/** What one role does with one barrier if every wait of it passes. */
export interface BarrierUse {
  readonly role: number;
  arrivals: number;
  /** Operations and commits that arrive: fewer than the arrivals where several threads arrive. */
  signals: number;
  /** Arrivals of work that raise the count before they arrive, and so complete nothing. */
  uncounted: number;
  expected: number;
  copied: number;
  /** The bytes between one wait of the role and the next, by the number of waits before. */
  readonly laps: { readonly expected: Map<number, number>; readonly copied: Map<number, number> };
  /** The most arrivals, and the operations that make them, between two waits of the role. */
  burst: Pace;
  /** Those since the role's last wait. */
  pace: Pace;
  /** Waits for a phase of it, and the phases that these need: 0 where a fresh barrier is enough. */
  waits: number;
  phases: number;
  /** Whether one of the waits blocks, and is not only tried. */
  blocks: boolean;
  /** Waits that want the same phase, or test the same parity, as its last one. */
  repeats: number;
  /** Whether it tests parities, and not the phases of a ring or absolute ones. */
  isRaw: boolean;
  /** Whether its first wait passes on a fresh barrier. */
  startsFresh: boolean;
  last: number;
}

/** Arrivals of a role that are not held up by a wait. */
interface Pace {
  /** How often the role had waited before. */
  readonly wait: number;
  arrivals: number;
  signals: number;
}

/** How often one role comes to a named barrier, and with how many threads at most. */
export interface NamedUse {
  readonly role: number;
  times: number;
  lanes: number;
  /** The threads of all its times, and the count that it names last. */
  threads: number;
  count: number;
}

/** All uses of the barriers of a program. */
export interface Protocol {
  /** By physical barrier. */
  readonly barriers: readonly BarrierUse[][];
  /** By number and CTA. */
  readonly named: readonly NamedUse[][];
  /** Barriers whose count an operation changes: init after invalidate, and drops. */
  readonly changed: ReadonlySet<number>;
  /** By barrier that a program initializes: its count, where there is one. */
  readonly counts: ReadonlyMap<number, number>;
  /** Whether all of every role was seen: no choices, no values of others, no end of patience. */
  readonly isWhole: boolean;
  /** The same of roles that may go on after their last wait, up to it. */
  readonly isSeen: boolean;
  /** By role that may go on after its last wait: the barrier that this wait is for, or −1. */
  readonly cut: ReadonlyMap<number, number>;
}

/** Whether a role that may come to a barrier is held up by a wait for something else. */
export function isHeldUp({ cut }: Protocol, barrier: number): boolean {
  return [...cut.values()].some((at) => at !== barrier);
}

/** Whether all that can come to a barrier was seen before the waits that no role passes. */
export function isSettled(protocol: Protocol, barrier: number): boolean {
  return protocol.isSeen && !isHeldUp(protocol, barrier);
}

/** The most operations of a role that are followed (bound `protocol-steps`). */
const MAX_PROTOCOL_STEPS = 100_000;

const known = new WeakMap<System, Protocol>();

export function protocolOf(system: System): Protocol {
  const before = known.get(system);
  if (before !== undefined) return before;
  const found = new ProtocolReader(system).read();
  known.set(system, found);
  return found;
}

/** Follows each role as if every wait passed. */
class ProtocolReader {
  readonly #system: System;
  readonly #barriers: BarrierUse[][];
  readonly #named: NamedUse[][];
  readonly #changed = new Set<number>();
  readonly #counts = new Map<number, number>();
  readonly #cut = new Map<number, number>();
  #isSeen = true;

  constructor(system: System) {
    const { barriers, named, ctas } = system.machine.shape;
    this.#system = system;
    this.#barriers = Array.from({ length: barriers.length * ctas }, () => []);
    this.#named = Array.from({ length: named * ctas }, () => []);
  }

  read(): Protocol {
    const initial = this.#system.initial();
    for (let role = 0; role < this.#system.roles; role++) this.#follow(initial, role);
    return {
      barriers: this.#barriers,
      named: this.#named,
      changed: this.#changed,
      counts: this.#counts,
      isSeen: this.#isSeen,
      isWhole: this.#isSeen && this.#cut.size === 0,
      cut: this.#cut,
    };
  }

  #follow(initial: Int32Array, role: number): void {
    const system = this.#system;
    const cut = this.#cut;
    if (initial[role]! < 0) this.#isSeen = false;
    if (system.program.roles[role]!.isCut) cut.set(role, -1);
    let steps = 0;
    let waits = 0;
    for (const { instruction, words } of future(system, initial, role, MAX_PROTOCOL_STEPS)) {
      const { kind } = instruction;
      if (CATALOGUE[kind]!.cost === 'wait') {
        waits++;
        const awaited = isTest(kind) ? system.waits.testedBarrier(words, instruction) : -1;
        if (cut.has(role)) cut.set(role, awaited);
      }
      if (++steps >= MAX_PROTOCOL_STEPS || isUnknown(kind)) {
        this.#isSeen = false;
        return;
      }
      this.#noteCount(instruction);
      if (CATALOGUE[kind]!.names === 'named') {
        this.#noteNamed(instruction);
        continue;
      }
      if (isTest(kind)) this.#noteTest(words, instruction);
      else if (instruction.flights.length === 0) this.#noteSignals(instruction, waits);
      this.#noteFlights(instruction, waits);
    }
  }

  #noteCount({ kind, target, arrivals }: Instruction): void {
    const isSecond = kind === OpKind.init && this.#counts.has(target);
    if (kind === OpKind.arriveDrop || isSecond) this.#changed.add(target);
    if (kind === OpKind.init) this.#counts.set(target, arrivals);
  }

  #noteNamed({ role, target, lanes, threads }: Instruction): void {
    const none = { role, times: 0, lanes: 0, threads: 0, count: 0 };
    const use = useOf(this.#named[target]!, role, () => none);
    use.times++;
    use.lanes = Math.max(use.lanes, lanes);
    use.threads += lanes;
    use.count = threads;
  }

  #noteSignals(instruction: Instruction, waits: number): void {
    const { arrivals, expected, bytes } = broughtBy(instruction);
    for (const barrier of instruction.barriers) {
      const use = barrierUse(this.#barriers[barrier]!, instruction.role);
      use.arrivals += arrivals;
      use.signals += arrivals > 0 ? 1 : 0;
      if (arrivals > 0) notePace(use, waits, arrivals);
      use.expected += expected;
      use.copied += bytes;
      addTo(use.laps.expected, waits, expected);
      addTo(use.laps.copied, waits, bytes);
    }
  }

  #noteFlights(instruction: Instruction, waits: number): void {
    for (const id of instruction.flights) {
      const { kind, barrier, bytes } = this.#system.machine.flights.flights[id]!;
      if (barrier < 0) continue;
      const use = barrierUse(this.#barriers[barrier]!, instruction.role);
      if (kind !== FlightKind.signal) {
        use.copied += bytes;
        addTo(use.laps.copied, waits, bytes);
      } else if (raisesCount(instruction)) use.uncounted++;
      else {
        use.arrivals++;
        use.signals++;
      }
    }
  }

  #noteTest(words: Int32Array, instruction: Instruction): void {
    const { kind, role, parity } = instruction;
    const barrier = this.#system.waits.testedBarrier(words, instruction);
    if (barrier < 0) return;
    const isRaw = kind === OpKind.waitParity;
    const use = barrierUse(this.#barriers[barrier]!, role);
    use.blocks ||= !isTry(kind);
    noteWait(use, isRaw ? parity : this.#system.wantedPhase(words, instruction), isRaw);
  }
}

/** Answers that other roles decide: what a role does then is not known. */
function isUnknown(kind: OpKind): boolean {
  const { answer } = CATALOGUE[kind]!;
  return answer === 'open' && kind !== OpKind.tryWait && kind !== OpKind.tryWaitStage;
}

/** Whether a commit adds to the count what it then arrives with: `cp.async` without `.noinc`. */
export function raisesCount({ kind, arrivals }: Instruction): boolean {
  return kind === OpKind.commit && arrivals > 0;
}

function addTo(laps: Map<number, number>, lap: number, bytes: number): void {
  if (bytes > 0) laps.set(lap, (laps.get(lap) ?? 0) + bytes);
}

/** Arrivals of a role that has waited `wait` times so far. */
function notePace(use: BarrierUse, wait: number, arrivals: number): void {
  if (use.pace.wait !== wait) use.pace = { wait, arrivals: 0, signals: 0 };
  use.pace.arrivals += arrivals;
  use.pace.signals++;
  if (use.pace.arrivals > use.burst.arrivals) use.burst = { ...use.pace };
}

/** A wait for a phase, or for a parity that alternates from phase to phase. */
function noteWait(use: BarrierUse, phase: number, isRaw: boolean): void {
  const isFirst = use.waits === 0;
  if (isFirst) use.startsFresh = isRaw ? phase === 1 : phase < 0;
  const isSame = !isFirst && use.last === phase;
  use.waits++;
  use.isRaw = isRaw;
  use.last = phase;
  if (isSame) use.repeats++;
  else if (!isRaw) use.phases = Math.max(use.phases, phase + 1);
  else if (!isFirst || !use.startsFresh) use.phases++;
}

function barrierUse(uses: BarrierUse[], role: number): BarrierUse {
  return useOf(uses, role, () => ({
    role,
    arrivals: 0,
    signals: 0,
    uncounted: 0,
    burst: { wait: -1, arrivals: 0, signals: 0 },
    pace: { wait: -1, arrivals: 0, signals: 0 },
    expected: 0,
    copied: 0,
    laps: { expected: new Map(), copied: new Map() },
    waits: 0,
    phases: 0,
    blocks: false,
    repeats: 0,
    isRaw: false,
    startsFresh: false,
    last: 0,
  }));
}

function useOf<Use extends { readonly role: number }>(
  uses: Use[],
  role: number,
  make: () => Use,
): Use {
  const last = uses.at(-1);
  if (last?.role === role) return last;
  const use = make();
  uses.push(use);
  return use;
}
