// One run of a program with its happens-before relation: a certificate for every other run (T1).
import { BoundError } from '@poundlock/core/internal/base';
import type { Assumption } from '@poundlock/core/internal/finding';
import type { Instruction } from '@poundlock/core/internal/machine';
import { OpKind, type Op } from '@poundlock/core/internal/op';
import { Cursor, isFailure, MAX_SILENT, RoleDriver } from '@poundlock/core/internal/program';
import { Stand, standAt } from '@poundlock/core/internal/program';
import type { Program, Resolver, RoleHost } from '@poundlock/core/internal/program';
import { Registers } from '@poundlock/core/internal/system';
import { Effects } from './effects.ts';
import { PlacedKnowledge } from './run-place.ts';
import { liveEvents, noTraits, RunState, type LearnedTraits } from './run-state.ts';
import { CertificateFailure, type FailedCondition } from './certificate-failure.ts';
import { RegisterOrder } from './register-order.ts';
import { ShadowRun } from './shadow-run.ts';
import { SampledTries } from './sampled-tries.ts';
import { failChoice, OpenTries } from './try-log.ts';
import { executionContext, type ExecutionContext } from './execution-context.ts';
import { notesOf, type MemoryNotes } from './memory/notes.ts';

/** A role that runs in place stores no steps, so that it may pass more silent ones. */
const MAX_SILENT_IN_PLACE = 50 * MAX_SILENT;

/**
 * Runs a program once, each role as far as it can go, and checks that the conditions of
 * docs/explanation/certificate.md hold. Flights complete as soon as they are issued: any order will
 * do.
 */
export class CertifyingRun implements RoleHost {
  /** The steps of the second instance of each role. */
  readonly context: ExecutionContext;
  readonly #program: Program;
  readonly #shadow: ShadowRun;
  readonly #resolver: Resolver;
  readonly #effects: Effects;
  readonly #driver: RoleDriver;
  readonly #words: Int32Array;
  readonly #cursors: Cursor[] = [];
  readonly #tries: OpenTries;
  #sampled: SampledTries | null = null;
  /** What others have unfolded. */
  readonly #known: ExecutionContext | null;
  #hasStarted = false;
  #until = 0;
  /** By role: how many operations it has performed; and the role that performs one now. */
  readonly #performed: Int32Array;
  #acting = -1;
  readonly learned: LearnedTraits;

  /**
   * With `known`, the run starts from steps that others have unfolded. Where it `isPlaced`, a
   * failure names the two operations that are not ordered: the same run, which takes longer.
   */
  constructor(
    program: Program,
    learned = noTraits(),
    known: ExecutionContext | null = null,
    isPlaced = false,
  ) {
    this.#program = program;
    this.learned = learned;
    this.#known = known;
    // That a loop can circle is found at another place where it is known before.
    this.context = known === null || known.unfolding.canCircle ? executionContext(program) : known;
    const { layout, machine } = this.context;
    this.#shadow = new ShadowRun(program, this.context);
    this.#resolver = this.#shadow.resolver;
    const registers = new Registers(program, layout, machine);
    const know = isPlaced
      ? new PlacedKnowledge(program.roles.length, liveEvents(program))
      : undefined;
    const run = new RunState(program, machine, registers, learned, know);
    this.#performed = new Int32Array(program.roles.length);
    this.#words = run.words;
    this.#driver = new RoleDriver(this, program, machine, MAX_SILENT_IN_PLACE);
    const takings = new RegisterOrder(run.know, program, learned.memory);
    this.#effects = new Effects(run, this.#driver, takings);
    const barriers = program.declarations.barriers.length * program.ctas;
    this.#tries = new OpenTries(barriers, program.roles.length, learned.trying);
    // A run without tries keeps no record of its waits.
    if (this.#tries.areRecorded) this.#effects.tries = this.#tries;
  }

  /**
   * Runs until about `budget` more events have happened or the run is over; the answer is `null`
   * for certified, `'running'` when there is more to do.
   */
  run(budget: number): FailedCondition | 'running' | null {
    this.#until = this.events + budget;
    try {
      if (this.#sampled !== null) return this.#sampled.run(budget) ? 'running' : null;
      if (!this.#hasStarted) this.#driver.startAll(this.#words);
      this.#hasStarted = true;
      do {
        this.#effects.progress = false;
        for (let role = 0; role < this.#program.roles.length; role++) this.#runRole(role);
        if (this.events >= this.#until) return 'running';
      } while (this.#effects.progress);
      this.#requireEnd();
      if (!this.#tries.areRecorded) return null;
      this.#tries.requireWaits();
      this.#sampled = new SampledTries(this.#program, this.#resolver, this.#tries, this.events);
      return this.#sampled.run(budget) ? 'running' : null;
    } catch (error) {
      if (error instanceof CertificateFailure) return this.#placed(error);
      if (error instanceof BoundError) return { condition: 'bound', why: error.message };
      throw error;
    }
  }

  /** A failure with the operation at which it showed, and the one that this one does not know. */
  #placed({ failure, lack }: CertificateFailure): FailedCondition {
    const role = this.#acting;
    const { places } = this.#effects.run;
    const x = lack === null ? null : (places?.placeOf(lack) ?? null);
    return {
      ...failure,
      ...(x === null ? {} : { x }),
      ...(role < 0 ? {} : { y: { role, at: this.#performed[role]!, flight: -1 } }),
    };
  }

  /** What the memory profile found that ends no run, and what the run relied on. */
  get memory(): MemoryNotes {
    return notesOf(this.#effects.run, this.#effects.registers);
  }

  /** Roles and answers of the operations of the run, in order: recorded from here on. */
  record(): readonly number[] {
    return (this.#effects.order ??= []);
  }

  /** Whether the run ended with something left over, which is a warning (M13, A03). */
  get hasLeftovers(): boolean {
    return this.#effects.hasLeftovers;
  }

  /** What the proof takes for certain and only a sample shows (T7). */
  get assumptions(): readonly Assumption[] {
    return this.#sampled?.assumptions ?? [];
  }

  /** P09: whether no role was seen to do something else in its second instance. */
  isDeterministicSoFar(): boolean {
    return this.#shadow.divergence === null && this.#shadow.isStable();
  }

  get events(): number {
    return this.#effects.events;
  }

  /** The second instance of each role: where it did something else, and its steps. */
  get shadow(): Pick<ShadowRun, 'divergence' | 'steps'> {
    return this.#shadow;
  }

  hasStarted(_words: Int32Array, role: number): boolean {
    return this.#cursors[role] !== undefined;
  }

  hasEnded(words: Int32Array, role: number): boolean {
    return this.hasStarted(words, role) && this.#cursors[role]!.op === null;
  }

  enter(_words: Int32Array, role: number): Stand {
    const cursor = new Cursor(this.#program.instance(role, false));
    this.#cursors[role] = cursor;
    return this.#follow(cursor, role, 0);
  }

  #follow(cursor: Cursor, role: number, answer: number, isMiss = false): Stand {
    // P07: whether the same try again is a poll depends on its place.
    const next = (): Op | null => cursor.nextOp(answer);
    const op = isMiss ? cursor.withPlaces(next) : next();
    if (op !== null) return standAt(op.kind);
    if (!this.#shadow.agrees(role, null, 0)) this.#failShadow();
    return Stand.end;
  }

  pass(_words: Int32Array, role: number): Stand {
    const cursor = this.#cursors[role]!;
    const op = cursor.op!;
    const answer = this.#effects.pass(role, this.#resolve(role, op));
    if (this.#shadow.isWatching) this.#compare(role, op, answer);
    if (this.#tries.areRecorded)
      this.#tries.record(role, op, this.#resolve(role, op), answer, false);
    return this.#follow(cursor, role, answer);
  }

  misused(): never {
    throw new CertificateFailure('fault', 'a handle is misused');
  }

  ended(_words: Int32Array, role: number, isOpen: boolean): void {
    this.#effects.ended(role, isOpen);
    this.#effects.run.know.retire(role);
  }

  endless(): never {
    throw new CertificateFailure('unsupported', 'a role runs forever');
  }

  /** Runs a role until it blocks or ends, or the budget is used up. */
  #runRole(role: number): void {
    const effects = this.#effects;
    const words = this.#words;
    const cursor = this.#cursors[role];
    if (cursor === undefined) return;
    for (let { op } = cursor; op !== null; { op } = cursor) {
      const instruction = this.#resolve(role, op);
      this.#effects.run.places?.begin(role, this.#performed[role]!);
      this.#acting = role;
      const isPerformed = this.#perform(role, op, instruction, cursor);
      this.#acting = -1;
      if (!isPerformed) return;
      this.#performed[role]!++;
      effects.order?.push(role, effects.answer);
      if (this.#shadow.isWatching) this.#compare(role, op, effects.answer);
      const isMiss = isFailure(instruction, effects.answer);
      const stand = this.#follow(cursor, role, effects.answer, isMiss);
      if (stand !== Stand.visible) this.#driver.settle(words, role, stand);
      if (effects.events >= this.#until) return;
    }
  }

  #perform(role: number, op: Op, instruction: Instruction, cursor: Cursor): boolean {
    const effects = this.#effects;
    const { kind } = instruction;
    if (kind !== OpKind.tryWait && kind !== OpKind.tryWaitStage) {
      if (!effects.perform(role, instruction)) return false;
      if (this.#tries.areRecorded) this.#tries.record(role, op, instruction, effects.answer, false);
      return true;
    }
    const { stretch } = cursor.context.ownership;
    const place = { stretch, depth: cursor.depth, position: cursor.place };
    if (!effects.performTry(role, instruction, this.#tries, place)) return false;
    this.#tries.record(role, op, instruction, effects.answer, effects.answer === 1);
    return true;
  }

  #resolve(role: number, op: Op): Instruction {
    return (op.resolved as Instruction | null) ?? this.#resolver.resolve(op, role);
  }

  /** P09: the first operations are compared with those of another instance of the role. */
  #compare(role: number, op: Op, answer: number): void {
    if (!this.#shadow.agrees(role, op, answer)) this.#failShadow();
    if (!this.#shadow.steps.canCircle) return;
    // Ways that others have unfolded may meet this one: alone, it may not come back to itself.
    if (this.context === this.#known)
      throw new CertificateFailure('again', 'a loop can return to a state that others came to');
    // A loop that polls: each of its tries may succeed.
    if (this.#tries.areRecorded) failChoice();
    throw new CertificateFailure(
      'unsupported',
      'a loop can return to an earlier state and may never end',
    );
  }

  #failShadow(): never {
    throw new CertificateFailure('D', 'a role body is not deterministic');
  }

  #requireEnd(): void {
    const waiting = this.#program.roles.find((_, role) => !this.hasEnded(this.#words, role));
    if (waiting !== undefined) throw new CertificateFailure('D', `${waiting.name} waits forever`);
    this.#effects.requireEnd();
    if (!this.#shadow.isStable())
      throw new CertificateFailure('D', 'a role body is not deterministic');
  }
}
