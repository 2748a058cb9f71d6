// Every schedule of some blocks of a launch: an order of what groups of lanes do, and of copies.
import type { Launch } from '@poundlock/ptx/internal/launch/launch';
import { accessesOf, accessOf, Footprint, racingWord } from './conflicts.ts';
import { Groups, LANES, withLanes } from './groups.ts';
import { OutOfScope, type KernelText } from './kernel-text.ts';
import { Divergence, simplified, wordsOf } from './lane-group.ts';
import type { Action, Facts, LaneGroup, Value, Verb } from './lane-group.ts';
import {
  completed,
  forgetClocks,
  readClock,
  readResults,
  issued,
  keyOf,
  Misuse,
  onBarrier,
  stored,
  WARP,
} from './machine.ts';
import { withRegisters, type Shared } from './machine.ts';

/** What the schedules of a kernel show; `open` where it is beyond what is interpreted. */
export interface Outcome {
  readonly verdict: 'ends' | 'stuck' | 'race' | 'misuse' | 'open';
  readonly why: string;
  /** Whether lanes that only wait have to keep up with those that act, as hardware lets them. */
  readonly keepsUp: boolean;
}

/** A state: for each warp its groups, by their numbers. */
interface State extends Shared {
  readonly warps: readonly (readonly number[])[];
}

const MAX_STATES = 20_000;
const MAX_RESTARTS = 100;
const ON_BARRIERS: ReadonlySet<Verb> = new Set([
  'try',
  'arrive',
  'arriveExpecting',
  'expect',
  'copy',
]);
const WAITS: ReadonlySet<Verb> = new Set(['try', 'bar', 'join', 'end']);

/** Whether an action concerns its own group alone, or leads to the same in any order. */
function isPrivate({ do: verb, numbers }: Action): boolean {
  return ['choose', 'end', 'join'].includes(verb) || (verb === 'bar' && numbers.length < 2);
}

const keys = new WeakMap<State, string>();

/** Equal for equal states. */
function keyOfState(state: State): string {
  let key = keys.get(state);
  if (key === undefined) keys.set(state, (key = JSON.stringify(state)));
  return key;
}

/** All schedules of some blocks of a launch. */
export class Exploration {
  readonly footprint: Footprint;
  readonly #kernel: KernelText;
  readonly #launch: Launch;
  readonly #blocks: readonly number[];
  readonly #groups: Groups;
  /** Registers of each thread as the kernel begins; 0 where nothing says how many. */
  readonly #registers: number;
  #keepsUp = false;

  constructor(kernel: KernelText, launch: Launch, blocks: readonly number[], facts: Facts) {
    this.footprint = new Footprint(kernel.readsData);
    this.#kernel = kernel;
    this.#launch = launch;
    this.#blocks = blocks;
    this.#groups = new Groups(kernel, facts);
    this.#registers = launch.registers ?? kernel.registers;
  }

  run(): Outcome {
    for (let restarts = 0; restarts < MAX_RESTARTS; restarts++) {
      this.footprint.isStale = false;
      const outcome = this.#attempt();
      if (outcome === null || (this.footprint.isStale && outcome.verdict !== 'open')) continue;
      if (outcome.verdict !== 'stuck' || this.#keepsUp) return outcome;
      this.#keepsUp = true;
    }
    return this.#outcome('open', 'too many restarts');
  }

  #outcome(verdict: Outcome['verdict'], why: string): Outcome {
    return { verdict, why, keepsUp: this.#keepsUp };
  }

  /** `null` where groups of lanes have to be finer. */
  #attempt(): Outcome | null {
    try {
      return this.#search();
    } catch (error) {
      if (error instanceof OutOfScope) return this.#outcome('open', error.message);
      if (error instanceof Misuse) return this.#outcome('misuse', error.message);
      if (!(error instanceof Divergence)) throw error;
      this.#groups.refine(error);
      this.footprint.clear();
      return null;
    }
  }

  #search(): Outcome {
    const first = this.#first();
    const numbers = new Map([[JSON.stringify(first), 0]]);
    const states = [first];
    const before: number[][] = [[]];
    const ends: number[] = [];
    for (let at = 0; at < states.length; at++) {
      if (states.length > MAX_STATES) throw new OutOfScope('too many states');
      const state = states[at]!;
      const word = this.#racing(state);
      if (word !== null) return this.#outcome('race', `${word}: ${this.#places(state)}`);
      if (this.#isEnd(state)) ends.push(at);
      for (const next of this.#moves(state, (each) => !numbers.has(keyOfState(each)))) {
        const key = keyOfState(next);
        const number = numbers.get(key) ?? states.push(next) - 1;
        numbers.set(key, number);
        (before[number] ??= []).push(at);
      }
    }
    const reached = new Set(ends);
    for (const at of reached) for (const each of before[at]!) reached.add(each);
    const stuck = states.findLast((_, at) => !reached.has(at));
    if (stuck === undefined) return this.#outcome('ends', '');
    return this.#outcome('stuck', this.#places(stuck));
  }

  #first(): State {
    const { block, memory: known } = this.#launch;
    const threads = block[0] * block[1] * block[2];
    const places = this.#blocks.flatMap((each) =>
      Array.from({ length: Math.ceil(threads / WARP) }, (_, warp) => ({ block: each, warp })),
    );
    const start = { segment: 0, pc: 0, registers: new Map(), waits: false };
    const warps = places.map(({ block, warp }) => {
      const lanes = LANES.filter((lane) => WARP * warp + lane < threads);
      return this.#groups.formed({ ...start, block, warp, lanes });
    });
    const memory = known.flatMap(({ address, contents }) => {
      const view = new DataView(contents.buffer, contents.byteOffset);
      const words = wordsOf('global', 0, Number(address), contents.length);
      return words.map((word, at) => [word, String(view.getUint32(4 * at, true))]);
    });
    const shared = {
      barriers: {},
      named: {},
      flights: [],
      clocks: {},
      memory: Object.fromEntries(memory),
    };
    return { warps, ...shared, registers: places.map(() => [this.#registers]) };
  }

  #places({ warps }: State): string {
    return this.#groups.places(warps.flat().filter((id) => !this.#groups.isOver(id)));
  }

  #isEnd({ warps, registers }: State): boolean {
    if (!warps.every((warp) => warp.every((id) => this.#groups.isOver(id)))) return false;
    const changes = new Map<string, string>();
    for (const [at, [id = 0]] of warps.entries()) {
      const { block, warp } = this.#groups.group(id);
      const warpgroup = `${block}.${warp >> 2}`;
      const own = registers[at]!.join();
      if ((changes.get(warpgroup) ?? own) !== own) throw new Misuse('warps differ in registers');
      changes.set(warpgroup, own);
    }
    return true;
  }

  #racing({ warps, flights }: State): string | null {
    const next = warps.flat().filter((id) => !this.#groups.group(id).waits);
    const ofGroups = next.flatMap((id) => accessOf(this.#groups.action(id)) ?? []);
    return racingWord([...ofGroups, ...flights.flatMap(accessesOf)]);
  }

  /** The states after the next action of some group; a group that goes around is not alone. */
  #moves(state: State, isNew: (next: State) => boolean): State[] {
    const moves: State[] = [];
    for (const [warp, ids] of state.warps.entries())
      for (const [at, id] of ids.entries()) {
        const group = this.#groups.group(id);
        if (group.waits) continue;
        const next = this.#performed(state, warp, at);
        // Nothing that others do changes it, or is changed by it.
        const action = this.#groups.action(id);
        const isAlone = next.length > 0 && this.#isAlone(group, action);
        // A load that is made again and again waits for the others.
        if (isAlone && (action.do !== 'load' || next.every(isNew))) return next;
        moves.push(...next);
      }
    for (const at of state.flights.keys()) moves.push({ ...state, ...completed(state, at) });
    return moves;
  }

  #isAlone(group: LaneGroup, action: Action): boolean {
    const access = accessOf(action);
    if (access === null) return isPrivate(action);
    this.footprint.requireApart(group, access);
    const { block, warp, lanes } = group;
    return !this.footprint.isContended([block, warp, lanes].join(), access);
  }

  /** The states after a group has done what it does next; none while it cannot. */
  #performed(state: State, warp: number, at: number): State[] {
    const id = state.warps[warp]![at]!;
    const [group, action] = [this.#groups.group(id), this.#groups.action(id)];
    const moved = (next: number, shared: Shared = state): State => {
      const warps = state.warps.with(warp, state.warps[warp]!.with(at, next));
      return { ...state, ...shared, warps };
    };
    const behind = (shared?: Shared, answer?: Value): State =>
      moved(this.#groups.behind(id, answer), shared);
    const [first = 0, parity = 0] = action.numbers;
    const barrier = state.barriers[keyOf(group.block, first)];
    if (ON_BARRIERS.has(action.do) && barrier === undefined)
      throw new Misuse('a barrier is used before it is initialized');
    switch (action.do) {
      case 'end':
        return [this.#opened(moved(this.#groups.id({ ...group, waits: true })), group.block)];
      case 'choose':
        return this.#answers(state, warp, group, action).map(([shared, value]) =>
          behind(shared, value),
        );
      case 'load':
      case 'atom':
        if (!this.#isRead(group, action)) return [behind()];
        if (action.words.length !== group.lanes.length) throw new OutOfScope(action.opcode);
        return readResults(state, action).map(([shared, all]) => behind(shared, simplified(all)));
      case 'store':
        return [behind(this.#kernel.readsData ? stored(state, action, group.lanes.length) : state)];
      case 'try': {
        const isOver = barrier![3] !== (parity & 1);
        return [behind(state, 0n), ...(isOver ? this.#passed(state, warp, at) : [])];
      }
      case 'copy': {
        const next = issued(state, group, action);
        for (const each of next.flights.flatMap(accessesOf))
          this.footprint.isContended(`copy ${group.pc}`, each);
        return [behind(next)];
      }
      case 'bar':
      case 'join':
      case 'registers':
        return this.#together(state, warp, action);
      case 'init':
      case 'expect':
      case 'arrive':
      case 'arriveExpecting':
        return [behind(onBarrier(state, group, action))];
    }
  }

  /** What may be the value of something that the kernel does not say. */
  #answers(
    state: State,
    warp: number,
    group: LaneGroup,
    { domain, register }: Action,
  ): (readonly [Shared, bigint])[] {
    if (register !== '') return domain.map((value) => [state, value]);
    const live = state.warps[warp]!.filter((id) => !this.#groups.isOver(id));
    const lanes = live.reduce((sum, id) => sum + this.#groups.group(id).lanes.length, 0);
    return readClock(state, group, domain, lanes);
  }

  /** Whether what an access finds decides something. */
  #isRead({ pc }: LaneGroup, { do: verb }: Action): boolean {
    const { deciding, readsData, code } = this.#kernel;
    return verb === 'atom' ? readsData : deciding.has(code[pc]!.target);
  }

  /** A try that succeeds; where lanes keep up, all that make it pass together. */
  #passed(state: State, warp: number, at: number): State[] {
    const ids = state.warps[warp]!;
    const { pc } = this.#groups.group(ids[at]!);
    const isSame = (id: number): boolean => this.#groups.group(id).pc === pc;
    const isLate = (id: number): boolean => !isSame(id) && !WAITS.has(this.#groups.action(id).do);
    if (this.#keepsUp && ids.some(isLate)) return [];
    const next = ids.map((id, index) =>
      index === at || (this.#keepsUp && isSame(id)) ? this.#groups.behind(id, 1n) : id,
    );
    return [{ ...state, warps: state.warps.with(warp, next) }];
  }

  /** What a warp does with all its lanes that have not exited. */
  #together(state: State, warp: number, action: Action): State[] {
    const ids = state.warps[warp]!.filter((id) => !this.#groups.isOver(id));
    const actions = ids.map((id) => this.#groups.action(id));
    if (action.do === 'join') return this.#joined(state, warp, ids, actions);
    const groups = ids.map((id) => this.#groups.group(id));
    if (groups.some(({ pc }) => pc !== groups[0]!.pc)) {
      if (actions.every((each) => each.do === 'bar'))
        throw new Misuse('lanes of a warp come to different barriers');
      return [];
    }
    const merged = mergedOf(groups);
    if (action.do === 'bar') return [this.#arrived(state, warp, merged, action)];
    const own = [...state.warps.keys()].filter((at) => this.#blockOf(state, at) === merged.block);
    const shared = this.#registers > 0 ? withRegisters(state, warp, own, action) : state;
    return shared === null ? [] : [this.#continued({ ...state, ...shared }, warp, [merged])];
  }

  /** Lanes that name one mask join, each where it is: the instruction need not be the same. */
  #joined(state: State, warp: number, ids: readonly number[], actions: readonly Action[]): State[] {
    if (actions.some((each) => each.do !== 'join')) return [];
    const masks = new Set(actions.map(({ numbers: [mask = 0] }) => mask | 0));
    const groups = ids.map((id) => this.#groups.group(id));
    const [mask = 0] = masks;
    const isOfAll = groups.every(({ lanes }) => lanes.every((lane) => (mask >> lane) & 1));
    if (masks.size > 1 || !isOfAll) throw new OutOfScope('some lanes join');
    const merged = [...Map.groupBy(groups, ({ pc }) => pc).values()].map(mergedOf);
    return [this.#continued(state, warp, merged)];
  }

  #blockOf({ warps }: State, warp: number): number {
    return this.#groups.group(warps[warp]![0]!).block;
  }

  /** A warp with some groups instead of those that have not ended. */
  #withGroups(state: State, warp: number, ids: readonly number[]): State {
    const over = state.warps[warp]!.filter((id) => this.#groups.isOver(id));
    return { ...state, warps: state.warps.with(warp, [...ids, ...over]) };
  }

  #continued(state: State, warp: number, groups: readonly LaneGroup[]): State {
    const ids = groups.flatMap((group) => {
      const pc = group.pc + 1;
      return this.#groups.formed({ ...group, pc, segment: pc, waits: false });
    });
    const [{ block, warp: number }] = groups as [LaneGroup];
    const clocks = forgetClocks(state, block, number);
    return this.#withGroups({ ...state, clocks }, warp, ids);
  }

  #arrived(state: State, warp: number, group: LaneGroup, { numbers }: Action): State {
    const [number = 0, count = 0] = numbers;
    const key = keyOf(group.block, number);
    const [wanted, arrived] = state.named[key] ?? [count, []];
    if (wanted !== count || count % WARP !== 0) throw new Misuse('counts of a barrier differ');
    const warps = [...arrived, warp].toSorted((a, b) => a - b);
    const waiting = this.#withGroups(state, warp, [this.#groups.id({ ...group, waits: true })]);
    const named = { ...state.named, [key]: [count, warps] as const };
    return this.#opened({ ...waiting, named }, group.block);
  }

  /** The state after named barriers of a block that are full have opened. */
  #opened(state: State, block: number): State {
    const left = state.warps.filter(
      (warp, at) =>
        this.#blockOf(state, at) === block && !warp.every((id) => this.#groups.isOver(id)),
    );
    const full = Object.entries(state.named).find(([key, [count, arrived]]) => {
      const isFull = arrived.length === (count === 0 ? left.length : count / WARP);
      return key.startsWith(`${block}:`) && isFull;
    });
    if (full === undefined) return state;
    const [key, [, arrived]] = full;
    const named = Object.entries(state.named).filter(([name]) => name !== key);
    const opened = arrived.reduce<State>(
      (next, warp) => this.#continued(next, warp, [this.#groups.group(next.warps[warp]![0]!)]),
      { ...state, named: Object.fromEntries(named) },
    );
    return this.#opened(opened, block);
  }
}

/** Groups that are at one instruction as one. */
function mergedOf(groups: readonly LaneGroup[]): LaneGroup {
  const lanes = groups.flatMap((each) => each.lanes).toSorted((a, b) => a - b);
  return withLanes(groups, lanes);
}
