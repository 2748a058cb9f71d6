// The dull search's state: plain objects that become JSON strings, and nothing else.
import { flatten, type Instr } from './dull-code.ts';
import {
  allBarriers,
  ringBarrier,
  type DullBarrier,
  type DullProgram,
  type Side,
} from './dull-program.ts';

export interface BarrierState {
  E: number;
  P: number;
  T: number;
  k: number;
  life: 'unborn' | 'live' | 'gone';
}

export interface Handle {
  id: number;
  ring: number;
  side: Side;
  stage: number;
  /** What the register was as it was acquired; `null` once a loop lies between (R10). */
  at: number | null;
  linear: boolean;
}

export interface Owned extends Handle {
  /** The scope of the loop whose round it belongs to. */
  scope: string;
}

export interface RoleState {
  /** L01: whether it runs, or waits for its `spawn`. */
  started: boolean;
  /** −1: the role has ended. */
  pc: number;
  /** Where it stands at a barrier that counts threads or roles. */
  meeting: '' | 'waiting' | 'freed';
  /** The try that failed last, with nothing since: a poll of it only succeeds (P07). */
  failed: string;
  slots: Record<string, Handle>;
  /** Allocated buffers by their variables: pool and number. */
  memory: Record<string, { pool: number; at: number }>;
  owned: Owned[];
  /** Rounds of `repeat` that are left. */
  counters: Record<string, number>;
  /** How often each count has said `true`. */
  used: number[];
  /** By ring and side: stage + S · lap. */
  registers: Record<string, number>;
}

/** Something under way, or the mark of a group; in the order of issue. */
export interface Flight {
  kind: 'copy' | 'use' | 'signal' | 'group';
  role: number;
  unit: string;
  cta: number;
  /** The CTA of its barrier (U06), and those of its buffers (U07). */
  barCta: number;
  ctas: readonly number[];
  bar: number;
  bytes: number;
  reads: string[];
  writes: string[];
  cell: number;
  value: number;
}

export interface State {
  roles: RoleState[];
  flights: Flight[];
  /** By CTA. */
  barriers: BarrierState[][];
  cells: number[][];
  /** By CTA, then by pool: the units of every buffer, 0 where it is free. */
  pools: { units: number[]; wasUsed: boolean; isRelinquished: boolean }[][];
  exited: boolean[];
  /** By CTA, then by id. */
  named: Record<string, { count: number; arrived: number }>[];
  /** The shared registers of `tryClaim`, by CTA and ring. */
  shared: number[][];
  /** Roles that are at the cluster barrier. */
  cluster: number;
}

/** A program with its code, and what the code says about its rings and barriers. */
export interface Machine {
  readonly program: DullProgram;
  readonly codes: readonly Instr[][];
  readonly barriers: readonly DullBarrier[];
  readonly ctas: number;
  /** Barriers with a wait for an absolute phase. */
  readonly absolute: ReadonlySet<number>;
  /** How its rings fall by double laps (R06). */
  readonly falls: readonly RingFall[];
}

export function machineOf(program: DullProgram): Machine {
  const codes = program.roles.map((role) => flatten(program, role));
  const absolute = new Set<number>();
  for (const instr of codes.flat()) {
    if (instr.op === 'wait' || instr.op === 'tryWait') absolute.add(instr.at);
  }
  const ctas = 1 + Math.max(...program.roles.map((role) => role.cta));
  const falls = fallsOf(program, codes, absolute);
  return { program, codes, barriers: allBarriers(program), ctas, absolute, falls };
}

export function initialState({ program, codes, barriers, ctas }: Machine): State {
  const each = <T>(make: () => T): T[] => Array.from({ length: ctas }, make);
  return {
    roles: program.roles.map(({ spawned = false }, index) => ({
      started: !spawned,
      pc: 0,
      meeting: '',
      failed: '',
      slots: {},
      memory: {},
      owned: [],
      counters: {},
      used: program.counts.map(() => 0),
      registers: registersOf(codes[index]!),
    })),
    flights: [],
    barriers: each(() =>
      barriers.map(({ count: E }) => ({ E, P: E, T: 0, k: 0, life: E === 0 ? 'unborn' : 'live' })),
    ),
    cells: each(() => [...program.cells]),
    pools: each(() =>
      program.pools.map(({ buffers }) => {
        return {
          units: Array.from({ length: buffers }, () => 0),
          wasUsed: false,
          isRelinquished: false,
        };
      }),
    ),
    exited: each(() => false),
    named: each(() => ({})),
    shared: each(() => program.rings.map(() => 0)),
    cluster: 0,
  };
}

/** Only the registers that a role's code uses can move. */
function registersOf(code: readonly Instr[]): Record<string, number> {
  const used = code.flatMap((instr) => {
    const isOn = instr.op === 'waitStage' || instr.op === 'step' || instr.op === 'tryStage';
    if (isOn) return [`${instr.ring}.${instr.side}`];
    // A register that is only looked at counts, too.
    const slot = 'slot' in instr ? instr.slot : 'at' in instr ? `${instr.at}` : '';
    return slot.startsWith('@') ? [slot.slice(1)] : [];
  });
  return Object.fromEntries([...new Set(used)].toSorted().map((key) => [key, 0]));
}

/** R06: what two equal states have in common, as a string. */
export function keyOf(machine: Machine, state: State): string {
  for (const one of machine.falls) fall(state, one);
  const { absolute, program } = machine;
  for (const barriers of state.barriers) {
    for (let at = 0; at < program.barriers.length; at++) {
      if (!absolute.has(at)) barriers[at]!.k %= 2;
    }
  }
  // Only the order within one role and unit matters.
  const order = (flight: Flight) => `${flight.role} ${flight.unit}`;
  if (state.flights.length > 1)
    state.flights.sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
  return JSON.stringify(state);
}

/** What one ring, and those that are copies of it, need to fall by double laps. */
interface RingFall {
  readonly ring: number;
  readonly stages: number;
  readonly bars: readonly number[];
  /** The rings that fall together (R09), and their registers. */
  readonly group: readonly number[];
  readonly keys: readonly string[];
  /** A ring that is claimed from has a shared register, too. */
  readonly isClaimed: boolean;
}

/** How the rings of a program fall: those of which R06 says something, and no copies. */
function fallsOf(program: DullProgram, codes: Machine['codes'], absolute: Machine['absolute']) {
  return program.rings.flatMap(({ stages, copyOf }, ring): RingFall[] => {
    if (copyOf !== undefined) return [];
    const first = ringBarrier(program, ring, 'full', 0);
    const bars = Array.from({ length: 2 * stages }, (_, at) => first + at);
    // R06 says nothing of a ring's barrier that is waited for by absolute phase.
    if (bars.some((bar) => absolute.has(bar))) return [];
    const group = [...program.rings.keys()].filter(
      (at) => (program.rings[at]!.copyOf ?? at) === ring,
    );
    const keys = group.flatMap((at) => [`${at}.produce`, `${at}.consume`]);
    const isClaimed = codes.flat().some((one) => one.op === 'claim' && one.ring === ring);
    return [{ stages, bars, group, keys, isClaimed, ring }];
  });
}

function fall(state: State, { stages, bars, group, keys, isClaimed, ring }: RingFall): void {
  let least = Infinity;
  for (const { registers } of state.roles) {
    for (const key of keys) least = Math.min(least, registers[key] ?? Infinity);
  }
  if (isClaimed) for (const shared of state.shared) least = Math.min(least, shared[ring]!);
  const laps = 2 * Math.floor(least / (2 * stages));
  if (least === Infinity || laps === 0) return;
  for (const { registers, slots, owned } of state.roles) {
    for (const key of keys) {
      if (registers[key] !== undefined) registers[key] -= laps * stages;
    }
    for (const handle of [...Object.values(slots), ...owned]) {
      if (group.includes(handle.ring) && handle.at !== null) handle.at -= laps * stages;
    }
  }
  for (const shared of state.shared) shared[ring]! -= laps * stages;
  for (const barriers of state.barriers) for (const bar of bars) barriers[bar]!.k -= laps;
}
