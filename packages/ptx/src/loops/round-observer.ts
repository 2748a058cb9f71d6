// Follows a run of two rounds: whether each warp does the same in all rounds of all launches. What
// others can observe, and the way that a warp takes, may rest on values that grow with the rounds
// only where the outcome is shown to be one.
import type { Machine } from '../exec/machine/machine.ts';
import type { Observer } from '../exec/machine/observer.ts';
import type { ExecutedRun } from '../steps/run.ts';
import type { Program } from '../exec/warp/program.ts';
import type { WarpState } from '../exec/warp/peek.ts';
import type { Changes } from '../exec/warp/polling.ts';
import type { Warp } from '../exec/warp/warp.ts';
import { Follower } from './follower.ts';
import type { Loop } from './follower.ts';
import { Look, NotProved } from './look.ts';
import type { Growing } from './look.ts';
import { passOn } from './pass-on.ts';
import { phasesOfRounds } from './phases.ts';
import { plansOf } from './plan.ts';
import type { InstructionPlan } from './plan.ts';
import { ANY } from './reach.ts';

/** What earlier looks at the run found that nothing is known of. */
export interface Unknowns {
  /** By warp: registers as a round begins. */
  readonly registers: readonly Set<number>[];
  /** Loads of shared memory. */
  readonly loads: Set<number>;
}

const plans = new WeakMap<Program, readonly InstructionPlan[]>();

function planned(program: Program): readonly InstructionPlan[] {
  let known = plans.get(program);
  if (known === undefined) plans.set(program, (known = plansOf(program)));
  return known;
}

const UNEVEN_PHASES = 'states of arrivals may not grow alike in all rounds';

/** Follows all warps of a run; only the last one that it is begun for counts. */
export class RoundObserver implements Observer {
  readonly follows = new Uint8Array(0);
  readonly isThorough = true;
  readonly #growing: Growing;
  readonly #loops: readonly (Loop | null)[];
  readonly #unknowns: Unknowns;
  #look: Look | null = null;
  #followers = new Map<Warp, Follower>();
  #current: Follower | null = null;

  constructor(growing: Growing, loops: readonly (Loop | null)[], unknowns: Unknowns) {
    this.#growing = growing;
    this.#loops = loops;
    this.#unknowns = unknowns;
  }

  /** The machine that was followed last. */
  get machine(): Machine | null {
    return this.#look?.machine ?? null;
  }

  begin(): void {
    this.#look = null;
    this.#followers = new Map();
    this.#current = null;
  }

  /** A branch on data is passed over: the branch itself was looked at before. */
  passesOver(): void {}

  forgets(warp: Warp, changes: Changes): void {
    const follower = this.#followers.get(warp);
    if (follower === undefined) return;
    for (const [register, lanes] of changes.registers)
      follower.main.shades.set(register, ANY, lanes, warp.lanes);
    if (changes.local.size > 0) follower.hasLocal = true;
  }

  copies(warp: Warp, from: WarpState | null, to: WarpState): void {
    this.#followers.get(warp)?.probes.copy(from, to);
  }

  forgetsIn(state: WarpState, warp: Warp, changes: Changes): void {
    this.#followers.get(warp)?.probes.forget(state, changes);
  }

  equates(warp: Warp, one: WarpState, other: WarpState, changes: Changes): void {
    this.#followers.get(warp)?.probes.equate(one, other, changes);
  }

  /** All of the run was followed, and each warp came to the ends of its rounds. */
  requireWhole(run: ExecutedRun): void {
    const look = this.#look;
    if (look === null) throw new NotProved(-1, 'nothing is executed');
    const isChanged = look.storesAnywhere || look.machine.global.text !== '';
    if (look.readsContents >= 0 && isChanged)
      throw new NotProved(look.readsContents, 'it reads global memory that the kernel changes');
    for (const { isWhole } of this.#followers.values())
      if (!isWhole) throw new NotProved(-1, 'the rounds of a warp do not end alike');
    if (!look.countsPhases) return;
    const phases = phasesOfRounds(run, this.ends);
    for (const [barrier, more] of look.phases)
      if (phases?.get(barrier) !== more) throw new NotProved(-1, UNEVEN_PHASES);
    if (phases === null) throw new NotProved(-1, UNEVEN_PHASES);
  }

  /** Whether it would hold for fewer rounds. */
  get isShort(): boolean {
    return this.#look?.reach.isShort ?? false;
  }

  /** Adds what nothing is known of; whether the run has to be looked at again. */
  learn(): boolean {
    const broken = this.#look?.words.broken() ?? new Set();
    for (const at of broken) this.#unknowns.loads.add(at);
    return broken.size > 0 || [...this.#followers.values()].some(({ isOpen }) => isOpen);
  }

  /** The most rounds that all of it holds for. */
  get most(): number {
    return this.#look?.reach.most ?? 0;
  }

  /** Instructions that may touch other places of global memory in other rounds. */
  get moving(): ReadonlySet<number> {
    return this.#look?.moving ?? new Set();
  }

  /** By warp: its steps at the ends of rounds. */
  get ends(): readonly (readonly number[])[] {
    return [...this.#followers]
      .toSorted(([one], [other]) => one.number - other.number)
      .map(([, { ends }]) => ends);
  }

  executes(warp: Warp, at: number, mask: number): void {
    const look = this.#look ?? this.#begin(warp.machine);
    look.time++;
    look.isStoreShaded = false;
    const follower = this.#followers.get(warp) ?? this.#follow(warp);
    this.#current = follower;
    if (warp.ahead.look === null && !warp.shadow.isRunning) {
      follower.come(at, look.time);
      if (follower.mayLeave && look.leftAt === Infinity) look.leftAt = look.time;
    }
    const { part } = follower;
    // The first round is one like all others: the second one is looked at, for all of them.
    if (part === 'first') return;
    const context = follower.context();
    const { shades } = context;
    const plan = look.plans[at]!;
    passOn({ look, follower, context, shades, warp, at, mask, part, plan });
  }

  #begin(machine: Machine): Look {
    const look = new Look(machine, planned(machine.program), this.#growing, this.#unknowns.loads);
    this.#look = look;
    machine.memory.watch = (from, to, isKnown) => {
      const isFirst = this.#current?.part === 'first';
      look.words.store(from, to, isKnown, {
        time: look.time,
        isLate: this.#current?.isLate ?? true,
        isShaded: isFirst ? isKnown : look.isStoreShaded,
      });
    };
    return look;
  }

  #follow(warp: Warp): Follower {
    const index = warp.number - 1;
    const loop = this.#loops[index] ?? null;
    const follower = new Follower(warp, loop, this.#unknowns.registers[index] ?? new Set());
    this.#followers.set(warp, follower);
    return follower;
  }
}
