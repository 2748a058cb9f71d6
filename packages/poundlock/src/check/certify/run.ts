// One run of a program, and what everybody knows in it: a certificate for every other run (T1).
import { BoundError } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import type { Op } from '@poundlock/core/internal/op';
import { Cursor, misuseOf, type Program, type Resolver } from '@poundlock/core/internal/program';
import { Registers } from '@poundlock/core/internal/system';
import { Effects } from './effects.ts';
import { nothingLearned, RunState, type Learned } from './run-state.ts';
import { Stop, type Undecided } from './certificate-failure.ts';
import { Twin } from './shadow-run.ts';
import { unfold, type Unfolded } from './execution-context.ts';

/**
 * Runs a program once, each role as far as it can go, and checks that the conditions of
 * docs/explanation/certificate.md hold. Flights land as soon as they are issued: any order will do.
 */
export class CertifyingRun {
  /** The steps of the second instance of each role. */
  readonly unfolded: Unfolded;
  readonly #program: Program;
  readonly #twin: Twin;
  readonly #resolver: Resolver;
  readonly #effects: Effects;
  readonly #cursors: Cursor[] = [];
  /** By role: the operation it waits at, how far its posted ones are done, whether it has ended. */
  readonly #yielded: (Op | null)[] = [];
  readonly #postedDone: number[] = [];
  readonly #hasEnded: boolean[] = [];
  #hasStarted = false;
  #until = 0;

  constructor(program: Program, learned: Learned = nothingLearned()) {
    this.#program = program;
    this.unfolded = unfold(program);
    const { layout, machine } = this.unfolded;
    this.#twin = new Twin(program, this.unfolded);
    this.#resolver = this.#twin.resolver;
    const registers = new Registers(program, layout, machine);
    const run = new RunState(program, machine, registers, learned);
    this.#effects = new Effects(run, {
      hasEnded: (role) => this.#hasEnded[role] === true,
      start: (role) => this.#startRole(role),
    });
  }

  /**
   * Runs until about `budget` more events have happened or the run is over; the answer is `null`
   * for certified, `'running'` when there is more to do.
   */
  run(budget: number): Undecided | 'running' | null {
    this.#until = this.events + budget;
    try {
      if (!this.#hasStarted) this.#start();
      do {
        this.#effects.progress = false;
        for (let role = 0; role < this.#program.roles.length; role++) this.#runRole(role);
        if (this.events >= this.#until) return 'running';
      } while (this.#effects.progress);
      this.#requireEnd();
      return null;
    } catch (error) {
      if (error instanceof Stop) return error.undecided;
      if (error instanceof BoundError) return { condition: 'bound', why: error.message };
      throw error;
    }
  }

  /** Whether the run ended with something left over, which is a warning (M13, A03). */
  get hasLeftovers(): boolean {
    return this.#effects.hasLeftovers;
  }

  /** P09: whether no role was seen to do something else in its second instance. */
  isDeterministicSoFar(): boolean {
    return this.#twin.divergence === null && this.#twin.isStable();
  }

  get events(): number {
    return this.#effects.events;
  }

  /** The second instance of each role: where it did something else, and its steps. */
  get twin(): Pick<Twin, 'divergence' | 'steps'> {
    return this.#twin;
  }

  #start(): void {
    this.#hasStarted = true;
    this.#program.roles.forEach((role, index) => {
      if (!role.spawned) this.#startRole(index);
    });
  }

  #startRole(role: number): boolean {
    if (this.#cursors[role] !== undefined) return false;
    this.#cursors[role] = new Cursor(this.#program.instance(role, false));
    this.#yielded[role] = this.#cursors[role].next(undefined);
    this.#postedDone[role] = 0;
    return true;
  }

  /** Runs a role until it blocks or ends, or the budget is used up. */
  #runRole(role: number): void {
    const cursor = this.#cursors[role];
    if (cursor === undefined || this.#hasEnded[role] === true) return;
    const { context } = cursor;
    const { posted } = context;
    const effects = this.#effects;
    for (;;) {
      let done = this.#postedDone[role]!;
      while (done < context.postedCount) {
        if (!this.#perform(role, posted[done]!)) return;
        this.#postedDone[role] = ++done;
      }
      const op = this.#yielded[role]!;
      if (op === null) return this.#end(role);
      if (!this.#perform(role, op)) return;
      this.#yielded[role] = cursor.next(effects.answer);
      this.#postedDone[role] = 0;
      if (effects.events >= this.#until) return;
    }
  }

  #perform(role: number, op: Op): boolean {
    const instruction = (op.resolved as Instruction | null) ?? this.#resolve(role, op);
    if (!this.#effects.perform(role, instruction)) return false;
    if (this.#twin.isWatching) this.#compare(role, op);
    return true;
  }

  #resolve(role: number, op: Op): Instruction {
    if (misuseOf(op) !== null) throw new Stop('fault', 'a handle is misused');
    return this.#resolver.resolve(op, role);
  }

  /** P09: the first operations are compared with those of another instance of the role. */
  #compare(role: number, op: Op): void {
    if (!this.#twin.agrees(role, op, this.#effects.answer)) {
      throw new Stop('D', 'a role does something else when it is run again');
    }
    if (!this.#twin.steps.canCircle) return;
    throw new Stop('unsupported', 'a loop can come back to where it was, and may never end');
  }

  #end(role: number): void {
    if (!this.#twin.agrees(role, null, 0)) {
      throw new Stop('D', 'a role does something else when it is run again');
    }
    this.#hasEnded[role] = true;
    this.#effects.end(role);
    this.#effects.run.know.retire(role);
  }

  #requireEnd(): void {
    const waiting = this.#program.roles.find((_, role) => this.#hasEnded[role] !== true);
    if (waiting !== undefined) throw new Stop('D', `${waiting.name} waits for ever`);
    this.#effects.requireEnd();
    if (!this.#twin.isStable()) throw new Stop('D', 'a role begins in another way when run again');
  }
}
