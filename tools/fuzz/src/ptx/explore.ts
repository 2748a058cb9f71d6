// Every schedule of a kernel on a few warps, lane group by lane group: what goes wrong in one.
import { readLaunchFile } from '@poundlock/ptx/internal/launch/read-launch';
import type { Launch } from '@poundlock/ptx/internal/launch/launch';
import { readKernel, type KernelText } from './kernel-text.ts';
import { Divergence, LaneInterpreter, OutOfScope, simplified } from './lane-group.ts';
import type { Action, LaneGroup, Value } from './lane-group.ts';
import { atomically, barrierKey, contents, landed, Misuse, onBarrier } from './machine.ts';
import { withRegisters, wordsOf, type Shared } from './machine.ts';

/** What the schedules of a kernel show; `open` where it is beyond what is interpreted. */
export interface Outcome {
  readonly verdict: 'ends' | 'stuck' | 'race' | 'misuse' | 'open';
  readonly why: string;
}

/** A state: for each warp its groups, by their numbers. */
interface State extends Shared {
  readonly warps: readonly (readonly number[])[];
}

/** An access that an agent makes next. */
interface Next {
  readonly words: readonly string[];
  readonly writes: boolean;
  readonly isAtomic: boolean;
  /** What it stores, if that is a number in the text. */
  readonly constant: string;
}

const MAX_STATES = 20_000;
const MAX_RESTARTS = 60;
const BASES = [0x7f01_0000_0000n, 0x7f01_0010_0000n, 0x7f01_0030_0000n];
const WARP = 32;
const ENDS: Outcome = { verdict: 'ends', why: '' };

/** All schedules of some blocks of a launch, with addresses for its pointers. */
class Exploration {
  readonly #kernel: KernelText;
  readonly #launch: Launch;
  readonly #blocks: readonly number[];
  readonly #lanes: LaneInterpreter;
  readonly #groups: LaneGroup[] = [];
  readonly #actions: Action[] = [];
  readonly #numbers = new Map<string, number>();
  /** By warp and segment, the lanes that are one group. */
  readonly #classes = new Map<string, (readonly number[])[]>();
  /** By word, what each agent does to it: 1 reads, 2 writes, 4 accesses atomically. */
  readonly #footprint = new Map<string, Map<string, number>>();
  readonly #conflicts = new Set<string>();
  readonly #loaded = new Set<string>();
  readonly #forgotten = new Set<string>();
  #isStale = false;

  constructor(
    kernel: KernelText,
    launch: Launch,
    blocks: readonly number[],
    bases: readonly bigint[],
  ) {
    this.#kernel = kernel;
    this.#launch = launch;
    this.#blocks = blocks;
    this.#lanes = new LaneInterpreter(kernel, factsOf(kernel, launch, bases));
  }

  /** Words of global memory, with what is done to them. */
  get global(): Map<string, number> {
    const words = [...this.#footprint].filter(([word]) => word.startsWith('g'));
    return new Map(
      words.map(([word, agents]) => [
        word,
        [...agents.values()].reduce((all, bits) => all | bits, 0),
      ]),
    );
  }

  run(): Outcome {
    for (let restarts = 0; restarts < MAX_RESTARTS; restarts++) {
      this.#isStale = false;
      try {
        const outcome = this.#search();
        if (!this.#isStale) return outcome;
      } catch (error) {
        if (error instanceof OutOfScope) return { verdict: 'open', why: error.message };
        if (error instanceof Misuse) {
          if (!this.#isStale) return { verdict: 'misuse', why: error.message };
          continue;
        }
        if (!(error instanceof Divergence)) throw error;
        if (process.env.DBG)
          console.log(
            error.group.block,
            error.group.warp,
            error.group.segment,
            error.group.pc,
            error.lanes.join(),
            error.group.lanes.join(),
          );
        this.#refine(error);
      }
    }
    return { verdict: 'open', why: 'too many restarts' };
  }

  #refine({ group, lanes }: Divergence): void {
    const key = `${group.block}.${group.warp}.${group.segment}`;
    const old = this.#classes.get(key) ?? [Array.from({ length: WARP }, (_, lane) => lane)];
    const parts = old.flatMap((part) => [
      part.filter((lane) => lanes.includes(lane)),
      part.filter((lane) => !lanes.includes(lane)),
    ]);
    this.#classes.set(
      key,
      parts.filter((part) => part.length > 0),
    );
  }

  #search(): Outcome {
    const first = this.#first();
    const numbers = new Map([[keyOf(first), 0]]);
    const states = [first];
    const before: number[][] = [[]];
    const ends: number[] = [];
    for (let at = 0; at < states.length; at++) {
      if (states.length > MAX_STATES) throw new OutOfScope('too many states');
      const state = states[at]!;
      const race = this.#race(state);
      if (race !== null) return race;
      if (state.warps.every((warp) => warp.every((id) => this.#isOver(id)))) ends.push(at);
      for (const next of this.#moves(state)) {
        const key = keyOf(next);
        let number = numbers.get(key);
        if (number === undefined) {
          number = states.push(next) - 1;
          numbers.set(key, number);
          before.push([]);
        }
        before[number]!.push(at);
      }
    }
    const reached = new Set(ends);
    for (const at of reached) for (const each of before[at]!) reached.add(each);
    if (reached.size === states.length) return ENDS;
    const stuck = states.findIndex((_, at) => !reached.has(at));
    return { verdict: 'stuck', why: this.#places(states[stuck]!) };
  }

  #first(): State {
    const { block, registers } = this.#launch;
    const threads = block[0] * block[1] * block[2];
    const count = Math.ceil(threads / WARP);
    const places = this.#blocks.flatMap((each) =>
      Array.from({ length: count }, (_, warp) => ({ block: each, warp })),
    );
    const warps = places.map(({ block, warp }) => {
      const present = Math.min(WARP, threads - WARP * warp);
      const lanes = Array.from({ length: present }, (_, lane) => lane);
      return this.#formed({
        block,
        warp,
        lanes,
        segment: 0,
        pc: 0,
        registers: new Map(),
        waits: false,
      });
    });
    const memory: Record<string, bigint> = {};
    for (const { address, contents: bytes } of this.#launch.memory)
      for (const [at, word] of wordsOf('global', 0, address, BigInt(bytes.length)).entries())
        memory[word] = BigInt(new DataView(bytes.buffer, bytes.byteOffset).getUint32(4 * at, true));
    const none = { barriers: {}, named: {}, flights: [] };
    const perWarp = places.map(() => registers ?? 0);
    return { warps, memory, ...none, free: this.#blocks.map(() => 0), registers: perWarp };
  }

  /** The groups that lanes of a warp form where they begin together. */
  #formed(group: LaneGroup): number[] {
    const classes = this.#classes.get(`${group.block}.${group.warp}.${group.segment}`) ?? [
      group.lanes,
    ];
    return classes.flatMap((each) => {
      const lanes = group.lanes.filter((lane) => each.includes(lane));
      const registers = [...group.registers].map(([name, value]): [string, Value] => {
        if (typeof value === 'bigint') return [name, value];
        return [name, simplified(lanes.map((lane) => value[group.lanes.indexOf(lane)]!))];
      });
      if (lanes.length === 0) return [];
      return [this.#id(this.#lanes.settle({ ...group, lanes, registers: new Map(registers) }))];
    });
  }

  #id(group: LaneGroup): number {
    const values = [...group.registers].map(([name, value]) => `${name}=${String(value)}`);
    const { block, warp, lanes, segment, pc, waits } = group;
    const key = [block, warp, lanes.join(), segment, pc, waits, ...values].join(' ');
    let id = this.#numbers.get(key);
    if (id === undefined) {
      id = this.#groups.push(group) - 1;
      this.#numbers.set(key, id);
      this.#actions.push(this.#lanes.actionOf(group));
    }
    return id;
  }

  #isOver(id: number): boolean {
    return this.#actions[id]!.do === 'end' && this.#groups[id]!.waits;
  }

  #places(state: State): string {
    const left = state.warps.flat().filter((id) => !this.#isOver(id));
    return left
      .map((id) => {
        const { block, warp, lanes, pc } = this.#groups[id]!;
        const name = this.#kernel.code[pc]?.parts.join('.') ?? 'end';
        return `block ${block} warp ${warp} lanes ${lanes[0]}-${lanes.at(-1)}: ${name} (${pc})`;
      })
      .join('; ');
  }

  /** The access that a group makes next; `null` for none. */
  #access(id: number): Next | null {
    const action = this.#actions[id]!;
    if (action.do !== 'load' && action.do !== 'store' && action.do !== 'atom') return null;
    const { block, pc } = this.#groups[id]!;
    const bytes = BigInt(action.bytes);
    const words = action.addresses.flatMap((each) => wordsOf(action.space, block, each, bytes));
    const constant = action.do === 'store' ? this.#kernel.code[pc]!.operands[1]! : '';
    return {
      words,
      writes: action.do !== 'load',
      isAtomic: action.do === 'atom' || action.isStrong,
      constant,
    };
  }

  #race(state: State): Outcome | null {
    const ofGroups = state.warps.flat().flatMap((id) => this.#access(id) ?? []);
    const ofFlights = state.flights.flatMap(({ block, to, from, bytes }): Next[] => [
      { words: wordsOf('shared', block, to, bytes), writes: true, isAtomic: false, constant: '' },
      {
        words: wordsOf('global', block, from, bytes),
        writes: false,
        isAtomic: false,
        constant: '',
      },
    ]);
    const all = [...ofGroups, ...ofFlights];
    for (const [at, a] of all.entries())
      for (const b of all.slice(at + 1)) {
        if (!(a.writes || b.writes) || (a.isAtomic && b.isAtomic)) continue;
        const word = a.words.find((each) => b.words.includes(each));
        if (word === undefined) continue;
        if (a.constant === b.constant && /^\d/.test(a.constant))
          throw new OutOfScope('equal stores');
        return { verdict: 'race', why: `${word}: ${this.#places(state)}` };
      }
    return null;
  }

  /** Whether others may access the same words; what is seen of the words is noted. */
  #isContended(agent: string, { words, writes, isAtomic }: Next): boolean {
    const bits = isAtomic ? 4 : writes ? 2 : 1;
    for (const word of words) {
      const agents = this.#footprint.get(word) ?? new Map<string, number>();
      this.#footprint.set(word, agents);
      agents.set(agent, (agents.get(agent) ?? 0) | bits);
      if (agents.size < 2 || this.#conflicts.has(word)) continue;
      const seen = [...agents.values()].reduce((a, b) => a | b, 0);
      if (seen === 1) continue;
      this.#conflicts.add(word);
      this.#isStale = true;
    }
    return words.some((word) => this.#conflicts.has(word));
  }

  #moves(state: State): State[] {
    const moves: State[] = [];
    for (const [warp, ids] of state.warps.entries())
      for (const [at, id] of ids.entries()) {
        if (this.#groups[id]!.waits) continue;
        const next = this.#performed(state, warp, at);
        const action = this.#actions[id]!;
        const access = this.#access(id);
        const { block, warp: own, lanes } = this.#groups[id]!;
        const agent = `${block}.${own}.${lanes.join()}`;
        const isAlone = access === null ? isPrivate(action) : !this.#isContended(agent, access);
        // Nothing that others do changes it, or is changed by it.
        if (isAlone && next.length > 0) return next;
        moves.push(...next);
      }
    for (const at of state.flights.keys()) moves.push({ ...state, ...landed(state, at) });
    return moves;
  }

  /** The states after a group has done what it does next; none while it cannot. */
  #performed(state: State, warp: number, at: number): State[] {
    const id = state.warps[warp]![at]!;
    const group = this.#groups[id]!;
    const action = this.#actions[id]!;
    const moved = (next: LaneGroup, shared: Shared = state): State => {
      const ids = state.warps[warp]!.with(at, this.#id(next));
      return { ...shared, warps: state.warps.with(warp, ids) };
    };
    const behind = (shared?: Shared, answer?: Value): State =>
      moved(this.#lanes.behind(group, answer), shared);
    if ('barrier' in action && action.do !== 'init')
      if (state.barriers[barrierKey(group.block, action.barrier)] === undefined)
        throw new Misuse('a barrier is used before it is initialized');
    switch (action.do) {
      case 'end': {
        const ended = moved({ ...group, waits: true });
        return [this.#released(ended, group.block)];
      }
      case 'choose':
        return action.domain.map((value) =>
          action.register === ''
            ? behind(state, value)
            : moved(this.#lanes.defined(group, action.register, value)),
        );
      case 'load':
      case 'store':
      case 'atom':
        return this.#accessed(state, id, behind);
      case 'init':
      case 'expect':
      case 'arrive':
        return [behind(onBarrier(state, group, action))];
      case 'try': {
        const parity = state.barriers[barrierKey(group.block, action.barrier)]![3];
        return parity === action.parity
          ? [behind(state, 0n)]
          : [behind(state, 0n), behind(state, 1n)];
      }
      case 'copy': {
        const flights = [
          ...state.flights,
          ...group.lanes.map(() => ({ ...action, block: group.block })),
        ];
        this.#noteCopy(group, action);
        return [behind({ ...state, flights: flights.toSorted(byPlace) })];
      }
      case 'bar':
      case 'join':
      case 'registers':
        return this.#together(state, warp, id);
    }
  }

  #noteCopy({ block, pc }: LaneGroup, { to, from, bytes }: Extract<Action, { do: 'copy' }>): void {
    const [isAtomic, constant] = [false, ''];
    const words = wordsOf('shared', block, to, bytes);
    this.#isContended(`copy${pc}`, { words, writes: true, isAtomic, constant });
    const read = wordsOf('global', block, from, bytes);
    this.#isContended(`copy${pc}`, { words: read, writes: false, isAtomic, constant });
  }

  #accessed(state: State, id: number, behind: (shared?: Shared, answer?: Value) => State): State[] {
    const action = this.#actions[id]! as Extract<Action, { do: 'load' | 'store' | 'atom' }>;
    const { words } = this.#access(id)!;
    if (action.do === 'load' && !action.isWanted) return [behind()];
    if (action.do === 'store') {
      const kept = Object.fromEntries(
        words.map((word, lane): [string, bigint] => [word, action.values[lane]!]),
      );
      return [behind({ ...state, memory: this.#remembered(state.memory, kept) })];
    }
    if (words.length !== action.addresses.length) throw new OutOfScope('a wide load');
    for (const word of words) {
      this.#isStale ||= this.#forgotten.has(word) && !this.#loaded.has(word);
      this.#loaded.add(word);
    }
    return contents(state, words).map((filled) => {
      if (action.do === 'load')
        return behind(
          filled,
          words.map((word) => filled.memory[word]!),
        );
      const { shared, answer } = atomically(filled, words, action.kind, action.operands);
      return behind(shared, answer);
    });
  }

  /** Memory with what was stored, of the words that some load reads. */
  #remembered(
    memory: Shared['memory'],
    stored: Readonly<Record<string, bigint>>,
  ): Shared['memory'] {
    const read = Object.entries(stored).filter(([word]) => this.#loaded.has(word));
    for (const word of Object.keys(stored)) this.#forgotten.add(word);
    return read.length === 0 ? memory : { ...memory, ...Object.fromEntries(read) };
  }

  /** What a warp does with all its lanes that have not exited. */
  #together(state: State, warp: number, id: number): State[] {
    const action = this.#actions[id]!;
    const live = state.warps[warp]!.filter((each) => !this.#isOver(each));
    const groups = live.map((each) => this.#groups[each]!);
    const [first] = groups as [LaneGroup];
    if (groups.some(({ pc }) => pc !== first.pc)) {
      if (live.every((each) => this.#actions[each]!.do === 'bar'))
        throw new Misuse('lanes diverge');
      return [];
    }
    const lanes = groups.flatMap((each) => each.lanes).toSorted((a, b) => a - b);
    const merged: LaneGroup = { ...first, lanes, registers: mergedRegisters(groups, lanes) };
    const over = state.warps[warp]!.filter((each) => this.#isOver(each));
    if (action.do === 'join') {
      if (!lanes.every((lane) => action.lanes.includes(lane)))
        throw new OutOfScope('some lanes join');
      return [this.#continued(state, warp, merged, over)];
    }
    if (action.do === 'registers') {
      const { isMore } = action;
      const block = this.#blocks.indexOf(first.block);
      const count = Number(action.count);
      if (this.#launch.registers === null) return [this.#continued(state, warp, merged, over)];
      const shared = withRegisters(state, { block, isMore, count, warp });
      return shared === null ? [] : [this.#continued({ ...state, ...shared }, warp, merged, over)];
    }
    if (action.do !== 'bar') throw new OutOfScope(action.do);
    return [this.#arrived(state, warp, [this.#id({ ...merged, waits: true }), ...over], action)];
  }

  #continued(state: State, warp: number, group: LaneGroup, over: readonly number[]): State {
    const pc = group.pc + 1;
    const ids = this.#formed({ ...group, pc, segment: pc, waits: false });
    return { ...state, warps: state.warps.with(warp, [...ids, ...over]) };
  }

  #arrived(
    state: State,
    warp: number,
    ids: readonly number[],
    { id, count }: { readonly id: bigint; readonly count: bigint | null },
  ): State {
    const { block } = this.#groups[ids[0]!]!;
    const key = `${block}:${id}`;
    const [wanted, arrived] = state.named[key] ?? [count, []];
    if (wanted !== count || (count ?? 0n) % BigInt(WARP) !== 0n) throw new Misuse('counts differ');
    const named = { ...state.named, [key]: [count, [...arrived, warp].toSorted()] as const };
    const warps = state.warps.with(warp, ids);
    return this.#released({ ...state, warps, named } as State, block);
  }

  /** The state after named barriers of a block that are full have opened. */
  #released(state: State, block: number): State {
    let next = state;
    for (const [key, [count, arrived]] of Object.entries(state.named)) {
      if (!key.startsWith(`${block}:`)) continue;
      const isOf = (warp: readonly number[]): boolean => this.#groups[warp[0]!]!.block === block;
      const left = state.warps.filter(
        (warp) => isOf(warp) && !warp.every((id) => this.#isOver(id)),
      );
      if (arrived.length !== (count === null ? left.length : Number(count) / WARP)) continue;
      const { [key]: _full, ...named } = next.named;
      next = { ...next, named };
      for (const warp of arrived) {
        const [waiting = 0, ...over] = next.warps[warp]!;
        next = this.#continued(next, warp, this.#groups[waiting]!, over);
      }
    }
    return next;
  }
}

/** Whether an action concerns its own group alone. */
function isPrivate(action: Action): boolean {
  const { do: name } = action;
  return (
    name === 'choose' ||
    name === 'end' ||
    name === 'join' ||
    (name === 'bar' && action.count === null)
  );
}

function byPlace(a: Copy_, b: Copy_): number {
  return Number(a.to - b.to) || Number(a.barrier - b.barrier);
}
type Copy_ = { readonly to: bigint; readonly barrier: bigint };

function keyOf(state: State): string {
  return JSON.stringify(state, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

function mergedRegisters(
  groups: readonly LaneGroup[],
  lanes: readonly number[],
): Map<string, Value> {
  const names = [...groups[0]!.registers.keys()];
  const shared = names.filter((name) => groups.every(({ registers }) => registers.has(name)));
  const value = (name: string, lane: number): bigint => {
    const group = groups.find((each) => each.lanes.includes(lane))!;
    const own = group.registers.get(name)!;
    return typeof own === 'bigint' ? own : own[group.lanes.indexOf(lane)]!;
  };
  return new Map(
    shared.map((name) => {
      return [name, simplified(lanes.map((lane) => value(name, lane)))];
    }),
  );
}

function factsOf(kernel: KernelText, launch: Launch, bases: readonly bigint[]) {
  const { grid, block, parameters } = launch;
  const view = new DataView(parameters.buffer, parameters.byteOffset);
  const values = new Map<string, bigint>();
  let pointers = 0;
  for (const { name, size, offset } of kernel.parameters) {
    const bits =
      size === 8 ? view.getBigUint64(offset, true) : BigInt(view.getUint32(offset, true));
    const isPointer = size === 8 && launch.bounds.has(Number(bits >> 32n));
    values.set(name, isPointer && bases.length > 0 ? bases[pointers++]! : bits);
  }
  const axes = ['x', 'y', 'z'];
  return (name: string, at: { block: number; warp: number }, lane: number): bigint | undefined => {
    const known = values.get(name);
    if (known !== undefined) return known;
    const [, word = '', axis = 'x'] = /^%(\w+)(?:\.([xyz]))?$/.exec(name) ?? [];
    const index = axes.indexOf(axis);
    const part = (number: number, sizes: readonly number[]): bigint => {
      const below = sizes.slice(0, index).reduce((product, size) => product * size, 1);
      return BigInt(Math.floor(number / below) % sizes[index]!);
    };
    if (word === 'tid') return part(WARP * at.warp + lane, block);
    if (word === 'ntid') return BigInt(block[index]!);
    if (word === 'ctaid') return part(at.block, grid);
    if (word === 'nctaid') return BigInt(grid[index]!);
    return word === 'laneid' ? BigInt(lane) : undefined;
  };
}

/** Whether blocks learn something of one another, so that one alone does not stand for itself. */
const EXCHANGES = /\b(?:atom|ld\.(?:acquire|relaxed|volatile))\S*\.global/;

/** What the schedules of a launch of a kernel show. */
export function exploreKernel(source: string, launchText: string): Outcome {
  const kernel = readKernel(source);
  const entry = { ...kernel, directives: new Map<string, number[]>() };
  const file = readLaunchFile(launchText, 'launch.json');
  const launch = file.launch(0, entry as unknown as Parameters<typeof file.launch>[1], {});
  const numbers = Array.from(
    { length: launch.grid[0] * launch.grid[1] * launch.grid[2] },
    (_, at) => at,
  );
  const parts = EXCHANGES.test(source) ? [numbers] : numbers.map((each) => [each]);
  const { size } = launch.bounds;
  const cases = kernel.hasPlaces ? tuples(size) : [[]];
  for (const bases of cases) {
    const seen = new Map<string, number>();
    for (const blocks of parts) {
      const exploration = new Exploration(kernel, launch, blocks, bases);
      const outcome = exploration.run();
      if (outcome.verdict !== 'ends') return outcome;
      for (const [word, bits] of exploration.global) {
        const both = (seen.get(word) ?? 0) | bits;
        const isShared = seen.has(word) && both !== 1 && both !== 4;
        if (isShared) return { verdict: 'race', why: `blocks: ${word}` };
        seen.set(word, both);
      }
    }
  }
  return ENDS;
}

function tuples(length: number): bigint[][] {
  if (length === 0) return [[]];
  return tuples(length - 1).flatMap((rest) => BASES.map((base) => [...rest, base]));
}
