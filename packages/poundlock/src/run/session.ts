// One run: starts all roles together, watches them, and stops the others when one fails.
import { InputError, type Position, type SharedMemory } from '@poundlock/core/internal/base';
import type { Machine } from '@poundlock/core/internal/machine';
import type { Program } from '@poundlock/core/internal/program';
import { mark, POISON } from '@poundlock/ring/internal';
import { replayTraces } from './conform.ts';
import type { Crew, Member } from './crew.ts';
import { cannotTerminate } from './termination-check.ts';
import type { Done, HeldStage, Message } from './job.ts';
import { DEFAULT_TIMEOUT_MS, GRACE_MS, WATCH_MS, type RunOptions } from './options.ts';
import { Global, Plan, RoleWord } from './plan.ts';
import { readTrace, type TraceRecord } from './recorder.ts';
import { Watch } from './watch.ts';

/** A role that threw, or whose thread died. */
export interface RoleFailure {
  readonly role: number;
  readonly message: string;
  readonly position: Position | undefined;
  readonly held: readonly HeldStage[];
}

/** How a run ended. */
export interface SessionResult {
  /** By role: the last message of its thread; `null` if the thread was terminated or died. */
  readonly dones: readonly (Done | null)[];
  readonly failure: RoleFailure | null;
  /** Whether the run ended in a deadlock. */
  readonly isStuck: boolean;
  /** Why it was ended without a deadlock or failure. */
  readonly reason: string | null;
}

/** The threads, the memory and the state of one run. */
export class Session {
  readonly plan: Plan;
  readonly words: Int32Array;
  readonly #program: Program;
  readonly #crew: Crew;
  readonly #memory: SharedMemory;
  readonly #watch: Watch;
  readonly #module: string;
  readonly #options: RunOptions;
  readonly #dones: (Done | null)[];
  readonly #waiting: Set<number>;
  readonly #all = Promise.withResolvers<void>();
  #ready = 0;
  #failure: RoleFailure | null = null;
  #refused: InputError | null = null;
  #isStuck = false;
  #isOver = false;
  #reason: string | null = null;
  /** The traces that proved non-termination, before polling roles fill theirs further. */
  stuckTraces: readonly (readonly TraceRecord[])[] | null = null;
  #looks = 0;
  #nextLook = 1;

  constructor(
    program: Program,
    machine: Machine,
    records: number,
    module: string,
    options: RunOptions,
    crew: Crew,
  ) {
    this.#program = program;
    this.#module = module;
    this.#options = options;
    this.plan = new Plan(program, machine, records);
    this.#crew = crew;
    this.#memory = crew.memory(this.plan.bytes);
    this.words = new Int32Array(this.#memory.buffer);
    this.plan.initialize(this.words);
    this.#watch = new Watch(program, this.plan, this.words);
    this.#dones = program.roles.map(() => null);
    this.#waiting = new Set(program.roles.keys());
  }

  /** Runs every role to its end, or the run to an early one. */
  async run(): Promise<SessionResult> {
    const members = this.#crew.members(this.#program.roles.length);
    for (const [role, member] of members.entries()) this.#start(role, member);
    const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = this.#options;
    const watching = setInterval(() => this.#look(), WATCH_MS);
    const limit = setTimeout(
      () => {
        this.#end(`the bound timeout of ${timeoutMs} ms was reached`);
      },
      Math.min(timeoutMs, 0x7fffffff),
    );
    const stop = (): void => this.#end('it was interrupted');
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
    try {
      await this.#all.promise;
    } finally {
      clearInterval(watching);
      clearTimeout(limit);
      signal?.removeEventListener('abort', stop);
      for (const member of members) member.finish();
    }
    if (this.#refused !== null) throw this.#refused;
    const [dones, failure] = [this.#dones, this.#failure];
    return { dones, failure, isStuck: this.#isStuck, reason: this.#reason };
  }

  #start(role: number, member: Member): void {
    const { params } = this.#program;
    const { export: name = 'default', policy = 'auto', seed = 1, preload = [] } = this.#options;
    const { recordLimit } = this.plan;
    const { memoryNumber } = this.#crew;
    const guardsHandles = this.#options.conform ?? false;
    const job = { module: this.#module, export: name, params, role, policy, seed, preload };
    member.start(
      { ...job, memory: this.#memory, memoryNumber, recordLimit, guardsHandles },
      {
        onMessage: (message) => this.#receive(role, message),
        onDeath: (cause) => this.#loseThread(role, cause),
      },
    );
    this.#members[role] = member;
  }

  readonly #members: Member[] = [];

  #receive(role: number, message: Message): void {
    if (message.type === 'ready') {
      if (++this.#ready < this.#program.roles.length || this.#isOver) return;
      Atomics.or(this.words, Global.start, 1);
      Atomics.notify(this.words, Global.start);
      return;
    }
    if (message.type === 'refused') {
      this.#refused ??= new InputError(message.message, message.position);
      this.#poison();
    } else {
      this.#dones[role] = message;
      if (message.how === 'threw') this.#fail({ role, ...message });
      if (message.how === 'broken') this.#poison();
    }
    this.#finishRole(role);
  }

  #loseThread(role: number, cause: string): void {
    if (!this.#waiting.has(role)) return;
    if (!this.#isOver) this.#fail({ role, message: cause, position: undefined, held: [] });
    this.#finishRole(role);
  }

  #fail(failure: RoleFailure): void {
    this.#failure ??= failure;
    this.#poison();
  }

  #finishRole(role: number): void {
    this.#waiting.delete(role);
    if (this.#waiting.size === 0) this.#all.resolve();
  }

  #look(): void {
    if (this.#isOver || this.#ready < this.#program.roles.length) return;
    if (!this.#watch.isStuck() && !this.#pollsForEver()) return;
    this.#isStuck = true;
    this.#poison();
  }

  /** Whether the traces so far prove that the run can not terminate. Checked infrequently. */
  #pollsForEver(): boolean {
    if (this.plan.recordLimit === 0 || ++this.#looks < this.#nextLook) return false;
    if (!this.#watch.mayPollForEver()) return false;
    this.#nextLook = this.#looks * 2;
    const roles = [...this.#program.roles.keys()];
    const isPrefix = roles.map((role) => this.#watch.isRunning(role));
    const traces = roles.map((role) => readTrace(this.plan, this.words, role));
    if (traces.some(({ length }) => length === this.plan.recordLimit)) return false;
    const { system, words, symptoms, conforms } = replayTraces(this.#program, traces, isPrefix);
    if (!conforms || (symptoms.length === 0 && !cannotTerminate(system, words))) return false;
    this.stuckTraces = traces;
    return true;
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    const doing = this.#program.roles.flatMap(({ name }, role) => {
      if (!this.#waiting.has(role)) return [];
      return [`${name} was ${this.#watch.isRunning(role) ? 'running' : 'waiting'}`];
    });
    this.#reason = `${reason} while ${doing.join(' and ')}`;
    this.#poison();
  }

  /** Wakes every role, which stops it; the thread of a role that continues is terminated. */
  #poison(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { plan, words } = this;
    const { shape } = plan.machine;
    for (let id = 0; id < shape.barriers.length * shape.ctas; id++) {
      mark(words, plan.barrier(id), POISON);
    }
    mark(words, Global.event, POISON);
    mark(words, Global.start, POISON);
    for (const role of this.#program.roles.keys())
      mark(words, plan.role(role) + RoleWord.status, POISON);
    setTimeout(() => {
      for (const role of this.#waiting) void this.#members[role]!.terminate();
    }, GRACE_MS);
  }
}
