// The worker thread of one role: drives the role's generator and executes its operations.
import '../own-folder.ts';
import { parentPort } from 'node:worker_threads';
import { InputError, positionInStack, type Position } from '@poundlock/core/internal/base';
import { isKernel, Program, Resolver, runInPlace } from '@poundlock/core/internal/program';
import type { Kernel, RoleContext } from '@poundlock/core/internal/program';
import {
  cpuCount,
  deferredWakeupsFor,
  spinLimitsOf,
  POISON,
  wasmAtomicsFor,
} from '@poundlock/ring/internal';
import { layOutSystem } from '@poundlock/core/internal/system';
import type { WasmAtomics } from '@poundlock/ring/internal';
import type { Done, HeldStage, Job, Message } from './job.ts';
import { RoleExecutor } from './executor.ts';
import { Global, Plan, RoleWord } from './plan.ts';
import { TraceRecorder } from './recorder.ts';
import { FutexWaiter } from './futex-wait.ts';
import { RuleBroken, RunOver } from './stop.ts';
import { roleEnvironmentOf } from './role-environment.ts';
import { viewsOf } from './views.ts';

const STACK_FRAMES = 60;
Error.stackTraceLimit = STACK_FRAMES;

const port = parentPort!;
const send = (message: Message): void => port.postMessage(message);
/** Milliseconds of a clock that all threads of the process share. */
const now = (): number => performance.timeOrigin + performance.now();

async function kernelOf({ module, export: name, preload }: Job): Promise<Kernel> {
  for (const url of preload) await import(url);
  const exported = ((await import(module)) as Record<string, unknown>)[name];
  if (isKernel(exported)) return exported;
  throw new InputError(`the export ${name} of ${module} is not a kernel`);
}

/** The WebAssembly calls of the last memory, which V8 has inlined into their callers. */
let cached: { readonly number: number; readonly calls: WasmAtomics } | null = null;

function atomicsFor({ memory, memoryNumber }: Job): WasmAtomics {
  if (cached?.number !== memoryNumber) {
    cached = { number: memoryNumber, calls: wasmAtomicsFor(memory) };
  }
  return cached.calls;
}

/** A role that is ready to start. */
class RoleRun {
  readonly #program: Program;
  readonly #context: RoleContext;
  /** Stages held when an operation threw; unwinding its blocks has released them since. */
  #heldAtStop: readonly HeldStage[] | null = null;
  readonly #executor: RoleExecutor;
  readonly #words: Int32Array;
  readonly #status: number;

  constructor(kernel: Kernel, job: Job) {
    const program = Program.together(kernel, job.params);
    const { machine } = layOutSystem(program);
    const plan = new Plan(program, machine, job.recordLimit);
    const { memory, role, policy } = job;
    const words = new Int32Array(memory.buffer);
    const context = program.instance(role, false);
    context.recyclesHandles = !job.guardsHandles;
    const limits = spinLimitsOf(policy, program.roles.length);
    const deferred = policy === 'auto' ? deferredWakeupsFor(cpuCount()) : null;
    this.#program = program;
    this.#words = words;
    this.#status = plan.role(role) + RoleWord.status;
    const environment = roleEnvironmentOf({
      program,
      plan,
      words,
      role,
      waiter: new FutexWaiter(plan, words, role, limits, deferred),
      recorder: new TraceRecorder(plan, words, role),
      view: viewsOf(program, plan, memory, role),
      atomics: atomicsFor(job),
      stretch: () => context.ownership.stretch,
    });
    this.#executor = new RoleExecutor(environment, {
      resolver: new Resolver(program, machine),
      seed: job.seed,
      onStop: () => (this.#heldAtStop = this.#held()),
    });
    this.#context = context;
  }

  /** Waits until the run has started, and, for a spawned role, until it is spawned. */
  waitForStart(): void {
    Atomics.wait(this.#words, Global.start, 0);
    Atomics.wait(this.#words, this.#status, 0);
  }

  run(): Done {
    const began = now();
    const done = { type: 'done', rule: null, message: '', position: undefined, held: [] } as const;
    const times = (): Pick<Done, 'began' | 'ended'> => ({ began, ended: now() });
    try {
      if ((Atomics.load(this.#words, Global.start) & POISON) !== 0) throw new RunOver();
      runInPlace(this.#context, this.#executor);
      this.#executor.end();
      return { ...done, ...times(), how: 'ended' };
    } catch (error) {
      const position = positionOf(error);
      const left = { ...done, ...times(), position, held: this.#heldAtStop ?? this.#held() };
      if (error instanceof RunOver) return { ...left, how: 'over' };
      if (error instanceof RuleBroken) return { ...left, how: 'broken', rule: error.rule };
      const text = error instanceof Error ? error.message : String(error);
      const message = text.replace(`role ${this.#context.role.name} threw: `, '');
      return { ...left, how: 'threw', message };
    }
  }

  #held(): HeldStage[] {
    const { rings } = this.#program.declarations;
    return this.#context.ownership.live.values().map(({ handle }) => {
      return { ring: rings[handle.ring]!.name, stage: handle.index };
    });
  }
}

function positionOf(error: unknown): Position | undefined {
  if (error instanceof InputError && error.position !== undefined) return error.position;
  return error instanceof Error ? positionInStack(error.stack) : undefined;
}

port.on('message', async (job: Job) => {
  try {
    const run = new RoleRun(await kernelOf(job), job);
    send({ type: 'ready' });
    run.waitForStart();
    send(run.run());
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    send({ type: 'refused', message, position: positionOf(error) });
  }
});
