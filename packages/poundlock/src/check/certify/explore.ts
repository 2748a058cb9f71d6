// Proves programs with choices: every order of choices, each with everything else run to the end.
import { BoundError } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import { isTry, OpKind } from '@poundlock/core/internal/op';
import { NondeterminismError, RoleDriver, Stand, standAt } from '@poundlock/core/internal/program';
import type { Program, RoleHost, StepId, Unfolding } from '@poundlock/core/internal/program';
import { NOT_STARTED, Registers } from '@poundlock/core/internal/system';
import { Uint32Vector } from '../uint32-vector.ts';
import { MAX_CHOICE_POINTS, type MemoryProfile } from '../options.ts';
import { SymmetryBroken, Symmetry } from '../symmetry.ts';
import { Canonical } from './canonical.ts';
import { Choices, isChoice, isOwnChoice } from './choices.ts';
import { Effects } from './effects.ts';
import { canAllEnd } from './ends.ts';
import { LiveKnowledge } from './live-knowledge.ts';
import { KeyStore } from './key-store.ts';
import { FirstTakings } from './register-choices.ts';
import { RunState, type LearnedTraits } from './run-state.ts';
import { RoleOrder } from './role-order.ts';
import { CertificateFailure, type FailedCondition } from './certificate-failure.ts';
import { SymbolicCounts } from './symbolic-count.ts';
import { TryVariants, type RoleSteps } from './try-variants.ts';
import { executionContext } from './execution-context.ts';
import { notesOf, type MemoryNotes } from './memory/notes.ts';

/** A choice: the role in the upper 16 bits, its option in the lower; or about the tiles. */
export type ChoiceCode = number;
const SYMBOLIC = 0xffff;
/** Options of a choice about tiles: twice the number of the total, plus 1 for no more. */
const moreOf = (total: number): ChoiceCode => SYMBOLIC * 0x10000 + total * 2;
const isMore = (choice: ChoiceCode): boolean => choice >>> 16 === SYMBOLIC && (choice & 1) === 0;
/** Events between two choices (bound `quiescence`): more are taken for a role that never rests. */
const MAX_EVENTS_BETWEEN = 5_000_000;
const NONE = 0xffffffff;
/** The fewest choices that are followed to learn more of the program before a restart. */
const SCOUTED = 8;

/**
 * Explores the choices of a program (theorem T5): all that can happen without one happens first,
 * then each choice is made in turn, and states with the same future are one. With counts of any
 * number, whether there is one more tile is a choice like any other.
 */
export class Exploration implements RoleHost {
  readonly program: Program;
  readonly unfolding: Unfolding;
  readonly #maxStates: number;
  /** The memory profile. */
  readonly profile: MemoryProfile;
  readonly #run: RunState;
  readonly #live: LiveKnowledge;
  readonly #driver: RoleDriver;
  readonly #effects: Effects;
  readonly #choices: Choices;
  readonly #symbolicCounts: SymbolicCounts;
  readonly #canonical: Canonical;
  readonly #symmetry: Symmetry;
  readonly #tries: TryVariants;
  /** Whether the operation under way is a try that is answered with no alone. */
  #isFailed = false;
  #store = new KeyStore();
  /** By state: the state before it, the choice that led to it, and how many tiles there are. */
  #parents = new Uint32Vector();
  #takenChoices = new Uint32Vector();
  #leads = new Uint32Vector();
  #edges = { from: new Uint32Vector(), to: new Uint32Vector() };
  #finals = new Uint32Vector();
  #open: number[] = [];
  #hasStarted = false;
  /** The state whose choices are made, and the choice that is made last. */
  #expanded = NONE;
  #making = -1;
  /** Choices that were made after it, to learn more of the program. */
  #scouted: ChoiceCode[] = [];
  /** The tiles there were, where the exploration ended. */
  lead = 0;
  transitions = 0;
  /** The fewest tiles with which something is left over at the end, −1 for none (M13, A03). */
  leftoverTiles = -1;

  /** `context` are the steps of a program that differs in its numbers of items at most. */
  constructor(
    program: Program,
    maxStates: number,
    learned: LearnedTraits,
    context = executionContext(program),
  ) {
    this.program = program;
    this.#maxStates = maxStates;
    this.profile = learned.memory;
    const { layout, machine, unfolding } = context;
    this.unfolding = unfolding;
    const registers = new Registers(program, layout, machine);
    this.#live = new LiveKnowledge(program.roles.length);
    this.#run = new RunState(program, machine, registers, learned, this.#live);
    this.#driver = new RoleDriver(this, program, machine);
    const takings = new FirstTakings(program, this.#live, learned);
    this.#effects = new Effects(this.#run, this.#driver, takings);
    this.#choices = new Choices(this.#effects);
    this.#symbolicCounts = new SymbolicCounts(program, layout.counts);
    // K04: levels are asked of roles by name, so that equal roles are not exchanged.
    if (learned.memory !== 'none')
      for (const role of program.roles.keys()) learned.asymmetric.add(role);
    this.#symmetry = new Symmetry(program, machine, this.unfolding, learned.asymmetric);
    this.#tries = new TryVariants(program.roles.length, this.#roleSteps(registers), learned);
    this.#canonical = new Canonical(
      this.#run,
      this.#live,
      new RoleOrder(this.#run, this.#symmetry, this.#effects.asyncIssues, layout),
      [
        this.#symbolicCounts.extra,
        this.#tries.extra,
        this.#effects.barriers.expected,
        this.#effects.asyncIssues.leads,
        ...(this.#run.memory === null ? [] : [this.#run.memory.extra]),
      ],
    );
  }

  #roleSteps(registers: Registers): RoleSteps {
    const [symmetry, unfolding] = [this.#symmetry, this.unfolding];
    return {
      instruction: (role, step) => unfolding.instruction(symmetry.own(role, step)),
      follow: (role, step, answer) => symmetry.follow(role, step, answer),
      isRetry: (step) => unfolding.isRetry(step),
      rowStart: (step) => unfolding.nodes.rowStart(step),
      waitAnswer: (wait) => {
        if (isTry(wait.kind)) return 1;
        return wait.kind === OpKind.waitStage ? registers.stage(this.#run.words, wait) : 0;
      },
      single: (role) => symmetry.excludeRole(role),
    };
  }

  get states(): number {
    return this.#store.size;
  }

  get events(): number {
    return this.#effects.events;
  }

  /**
   * Explores until about `budget` more choices are made or it is over; the answer is `null` for
   * certified, `'running'` when there is more to do.
   */
  run(budget: number): FailedCondition | 'running' | null {
    const until = this.transitions + budget;
    try {
      if (!this.#hasStarted) this.#begin();
      while (this.#open.length > 0) {
        if (this.transitions >= until) return 'running';
        this.#expand(this.#open.pop()!);
      }
      this.#requireEnds();
      return null;
    } catch (error) {
      if (error instanceof CertificateFailure) return error.failure;
      if (error instanceof SymmetryBroken)
        return { condition: 'again', why: 'some roles are not symmetric' };
      if (error instanceof BoundError) return { condition: 'bound', why: error.message };
      if (!(error instanceof NondeterminismError)) throw error;
      return { condition: 'D', why: 'a role body is not deterministic' };
    }
  }

  /** What the memory profile found that ends no proof, and what the proof relies on. */
  get memory(): MemoryNotes {
    return notesOf(this.#run, this.#effects.registers);
  }

  /**
   * Repeats the way to where the exploration failed: roles and answers of its operations in order,
   * and what failed there.
   */
  repeat(): { order: readonly number[]; failure: FailedCondition | null } {
    const choices = [...this.#failing];
    const order: number[] = (this.#effects.order = []);
    try {
      this.#reset();
      this.#quiesce();
      for (const choice of choices) this.#make(choice);
      return { order, failure: null };
    } catch (error) {
      if (error instanceof CertificateFailure) return { order, failure: error.failure };
      throw error;
    }
  }

  /** The choices that lead to where the exploration stands, and the one that is made there. */
  get #failing(): ChoiceCode[] {
    const found: ChoiceCode[] = this.#making < 0 ? [] : [this.#making];
    for (let id = this.#expanded; id !== NONE && id < this.#parents.length;) {
      const parent = this.#parents.at(id);
      if (parent !== NONE) found.unshift(this.#takenChoices.at(id));
      id = parent;
    }
    found.push(...this.#scouted);
    return found;
  }

  #begin(): void {
    [this.#expanded, this.#making, this.#scouted] = [NONE, -1, []];
    this.#hasStarted = true;
    this.#reset();
    this.#quiesce();
    this.#add(NONE, 0, 0);
  }

  #reset(): void {
    this.#run.begin();
    this.#symbolicCounts.begin();
    this.#tries.begin();
    this.#effects.barriers.expected.fill(0);
    this.#effects.asyncIssues.leads.fill(0);
    const { words } = this.#run;
    words.fill(NOT_STARTED, 0, this.program.roles.length);
    this.#driver.startAll(words);
  }

  /** Makes every choice of a state. */
  #expand(id: number): void {
    this.#expanded = id;
    const lead = this.#leads.at(id);
    const choices = this.#load(id);
    if (choices.length === 0) return this.#requireEnd(id, lead);
    for (const [index, choice] of choices.entries()) {
      if (index > 0) this.#canonical.decode(this.#store.key(id));
      this.lead = lead + (isMore(choice) ? 1 : 0);
      this.#making = choice;
      this.#make(choice);
      this.transitions++;
      if (!this.#add(id, choice, this.lead)) return;
    }
  }

  #load(id: number): ChoiceCode[] {
    this.#canonical.decode(this.#store.key(id));
    return this.#listChoices();
  }

  /** Stores the state of the run; `false` if all has to start again. */
  #add(parent: number, choice: ChoiceCode, lead: number): boolean {
    const { words, registers } = this.#run;
    const isActing = (role: number): boolean => !this.hasEnded(words, role);
    registers.normalize(words);
    this.#symbolicCounts.normalize(words, isActing);
    if (this.#isStale) {
      this.#restart();
      return false;
    }
    const length = this.#canonical.encode(isActing);
    const id = this.#store.add(this.#canonical.key, length);
    if (parent !== NONE) {
      this.#edges.from.push(parent);
      this.#edges.to.push(id);
    }
    if (!this.#store.isNew) return true;
    if (id >= this.#maxStates) {
      // A user who requests more states than this does not get them: the bound is no option.
      const bound = this.#maxStates < MAX_CHOICE_POINTS ? 'max-states' : 'choice-points';
      throw new BoundError(bound, this.#maxStates, 'choices lead to too many states');
    }
    this.#parents.push(parent);
    this.#takenChoices.push(choice);
    this.#leads.push(lead);
    this.#open.push(id);
    return true;
  }

  get #isStale(): boolean {
    const { registers } = this.#run;
    return this.#canonical.isStale || registers.hasGrown || this.#symbolicCounts.hasGrown;
  }

  /** The program showed something that is missing in the keys so far. */
  #restart(): void {
    this.#scout();
    this.#canonical.plan();
    this.#run.registers.acceptGrowth();
    this.#store = new KeyStore();
    this.#parents = new Uint32Vector();
    this.#takenChoices = new Uint32Vector();
    this.#leads = new Uint32Vector();
    this.#edges = { from: new Uint32Vector(), to: new Uint32Vector() };
    this.#finals = new Uint32Vector();
    this.#open = [];
    this.leftoverTiles = -1;
    this.#begin();
  }

  /**
   * Goes on along one path for as long as the exploration took to here: where one stage of a ring
   * shows something, the next one mostly does, too, and beginning anew for each takes far longer.
   */
  #scout(): void {
    for (let left = this.#store.size + SCOUTED; left > 0; left--) {
      const choices = this.#listChoices();
      if (choices.length === 0) return;
      const choice = isMore(choices[0]!) ? choices[0]! : choices[left % choices.length]!;
      this.lead += isMore(choice) ? 1 : 0;
      this.#scouted.push(choice);
      this.#make(choice);
      this.transitions++;
    }
  }

  /**
   * The choices of a quiescent state. One that is its role's alone can be made before all others;
   * so can the number of tiles. Of the rest the order matters.
   */
  #listChoices(): ChoiceCode[] {
    const all: ChoiceCode[] = [];
    let total = -1;
    for (let role = 0; role < this.program.roles.length; role++) {
      const instruction = this.#instruction(role);
      if (instruction === null) continue;
      if (instruction.kind === OpKind.more)
        total = Math.max(total, this.#symbolicCounts.total(instruction));
      if (!isChoice(instruction.kind, this.#run.learned.doTakingsTakeTurns)) continue;
      const isRetry = this.unfolding.isRetry(this.#run.words[role]!);
      const options = this.#choices.options(instruction, isRetry);
      const own = Array.from({ length: options }, (_, option) => (role << 16) | option);
      if (isOwnChoice(instruction.kind)) return own;
      all.push(...own);
    }
    if (total < 0) return all;
    return this.#symbolicCounts.mayEnd(total)
      ? [moreOf(total), moreOf(total) + 1]
      : [moreOf(total)];
  }

  #make(choice: ChoiceCode): void {
    const role = choice >>> 16;
    if (role === SYMBOLIC) this.#symbolicCounts.decide((choice & 0xffff) >>> 1, isMore(choice));
    else {
      this.#live.actors = this.#symmetry.members(role);
      const instruction = this.#instruction(role)!;
      this.#effects.run.memory?.begin(role, instruction, this.#effects.order?.length ?? 0);
      this.#choices.make(role, instruction, choice & 0xffff);
      this.#effects.order?.push(role, this.#effects.answer);
      this.#goOn(role, this.#effects.answer);
    }
    this.#quiesce();
  }

  /** Everything that can happen without a choice; then what must hold where roles wait. */
  #quiesce(): void {
    const effects = this.#effects;
    const until = effects.events + MAX_EVENTS_BETWEEN;
    const { length } = this.program.roles;
    do {
      effects.progress = false;
      for (let role = 0; role < length; role++) this.#runRole(role);
      if (effects.events > until)
        throw new CertificateFailure('unsupported', 'a role runs forever');
    } while (effects.progress);
    for (let role = 0; role < length; role++) {
      const instruction = this.#instruction(role);
      this.#live.actors = this.#symmetry.members(role);
      if (instruction !== null) this.#choices.requireStanding(role, instruction);
    }
  }

  #runRole(role: number): void {
    const effects = this.#effects;
    this.#live.actors = this.#symmetry.members(role);
    const until = effects.events + MAX_EVENTS_BETWEEN;
    for (;;) {
      this.program.alarm.tick();
      const instruction = this.#instruction(role);
      if (instruction === null || !this.#perform(role, instruction)) return;
      effects.order?.push(role, effects.answer);
      this.#goOn(role, effects.answer);
      if (effects.events > until)
        throw new CertificateFailure('unsupported', 'a role runs forever');
    }
  }

  /** Performs what leaves no choice; `false` while the role has to wait, or to choose. */
  #perform(role: number, instruction: Instruction): boolean {
    const { kind } = instruction;
    if (kind === OpKind.more && this.#symbolicCounts.total(instruction) >= 0) {
      const answer = this.#symbolicCounts.more(this.#run.words, instruction);
      if (answer < 0) return false;
      this.#effects.answer = answer;
      this.#effects.progress = true;
      return true;
    }
    if (kind === OpKind.join) this.#symmetry.excludeRole(instruction.target);
    if (!isChoice(kind, this.#run.learned.doTakingsTakeTurns))
      return this.#effects.perform(role, instruction);
    if (!isTry(kind) || kind === OpKind.tryClaim) return false;
    const step = this.#run.words[role]!;
    if (this.unfolding.isRetry(step)) return this.#choices.retry(role, instruction);
    this.#isFailed = this.#tries.mayFail(role, step);
    if (this.#isFailed) this.#choices.fail(role, instruction);
    return this.#isFailed;
  }

  #goOn(role: number, answer: number): void {
    const { words } = this.#run;
    this.#driver.settle(words, role, this.#follow(words, role, answer));
  }

  hasStarted(words: Int32Array, role: number): boolean {
    return words[role] !== NOT_STARTED;
  }

  hasEnded(words: Int32Array, role: number): boolean {
    const step = words[role]!;
    return step >= 0 && this.unfolding.instruction(step) === null;
  }

  enter(words: Int32Array, role: number): Stand {
    return this.#come(words, role, this.#symmetry.entry(role));
  }

  #follow(words: Int32Array, role: number, answer: number): Stand {
    const step = words[role]!;
    this.#tries.follow(role, step, answer, this.#isFailed);
    this.#isFailed = false;
    return this.#come(words, role, this.#symmetry.follow(role, step, answer));
  }

  pass(words: Int32Array, role: number): Stand {
    return this.#follow(words, role, this.#effects.pass(role, this.#instruction(role)!));
  }

  misused(): never {
    throw new CertificateFailure('fault', 'a handle is misused');
  }

  ended(_words: Int32Array, role: number, isOpen: boolean): void {
    this.#effects.ended(role, isOpen);
  }

  endless(): never {
    throw new CertificateFailure('unsupported', 'a role runs forever');
  }

  #come(words: Int32Array, role: number, step: StepId): Stand {
    words[role] = step;
    const instruction = this.unfolding.instruction(step);
    if (instruction === null) {
      return this.unfolding.misuse(step) === null ? Stand.end : Stand.misuse;
    }
    // Whether there is one more tile is a choice, where their number is open.
    const isOpen = instruction.kind === OpKind.more && this.#symbolicCounts.total(instruction) >= 0;
    return isOpen ? Stand.visible : standAt(instruction.kind);
  }

  #instruction(role: number): Instruction | null {
    const step = this.#run.words[role]!;
    return step < 0 ? null : this.unfolding.instruction(this.#symmetry.own(role, step));
  }

  /** D: where no choice is left, every role has ended. */
  #requireEnd(id: number, lead: number): void {
    this.lead = lead;
    const waiting = this.program.roles.find((_, role) => !this.hasEnded(this.#run.words, role));
    if (waiting !== undefined) throw new CertificateFailure('D', `${waiting.name} waits forever`);
    this.#effects.requireEnd();
    this.#finals.push(id);
    if (!this.#effects.hasLeftovers) return;
    if (this.leftoverTiles < 0 || lead < this.leftoverTiles) this.leftoverTiles = lead;
  }

  /** P11: from every state an end can be reached. */
  #requireEnds(): void {
    if (canAllEnd(this.#store.size, this.#edges, this.#finals)) return;
    throw new CertificateFailure('D', 'after a choice, no terminal state is reachable');
  }
}
