// Runs a kernel on worker threads, one for each role.
import {
  InputError,
  requireOptions,
  uselessOption,
  type Position,
} from '@poundlock/core/internal/base';
import { Side } from '@poundlock/core/internal/op';
import { Program, type Kernel, type KernelParameters } from '@poundlock/core/internal/program';
import { layOutSystem } from '@poundlock/core/internal/system';
import { Crew } from './crew.ts';
import { evaluateTrace } from './evaluate-trace.ts';
import type { Done } from './job.ts';
import { DEFAULT_MAX_RECORDS, RUN, SAMPLE_RECORDS } from './options.ts';
import type { RunOptions, RunResult } from './options.ts';
import { RoleFailed, type RingItems } from './role-failed.ts';
import { Session, type SessionResult } from './session.ts';

/**
 * Runs a kernel on worker threads: each role in its own, barriers in shared memory, and `work`
 * called on views of the buffers. The threads import the kernel's module, so the kernel must be
 * exported there. Record and result are checked against the model.
 *
 * @throws InputError for a kernel that cannot be executed; RoleFailed if a role throws or its
 * thread dies.
 *
 * @example
 * import { isMainThread } from 'node:worker_threads';
 * import { compute, count, kernel, pipeline, role, tma } from 'poundlock';
 * import { run } from 'poundlock/run';
 *
 * const ring = kernel('ring', { tiles: 8 }, ({ tiles }) => {
 *   const ab = pipeline('ab', { stages: 2, bytes: 1024 });
 *   const items = count(tiles);
 *   return [
 *     role('load', function* () {
 *       while (yield* items.more()) {
 *         using slot = yield* ab.produce();
 *         tma.load(slot, (view) => view(slot.buffer(), Float32Array).fill(1));
 *       }
 *       yield* ab.drain();
 *     }),
 *     role('add', function* () {
 *       while (yield* items.more()) {
 *         using tile = yield* ab.consume();
 *         yield* compute(100, (view) => view(tile.buffer(), Float32Array).reduce((a, b) => a + b));
 *       }
 *     }),
 *   ];
 * });
 * export default ring;
 *
 * // Each thread imports this module again.
 * if (isMainThread) {
 *   const { items, findings } = await run(ring, { tiles: 100 });
 *   console.log(items, findings.length); // 100 0
 * }
 */
export async function run(
  kernel: Kernel,
  params: KernelParameters = {},
  options: RunOptions = {},
): Promise<RunResult> {
  requireOptions('run()', RUN, options);
  if (options.conform !== true && (options.maxRecords ?? 0) > SAMPLE_RECORDS) {
    const why = `above ${SAMPLE_RECORDS} without conform`;
    throw uselessOption('run()', 'maxRecords', why);
  }
  const { ownership, name } = kernel;
  if (ownership !== 'explicit') {
    const why = 'a release after the last use requires that all later uses are known';
    throw new InputError(
      `kernel ${name} has ownership: 'raii', which cannot run on threads: ${why}`,
    );
  }
  const program = Program.together(kernel, params);
  const { machine } = layOutSystem(program);
  const { conform = false, maxRecords = DEFAULT_MAX_RECORDS, crew = new Crew() } = options;
  const records = conform ? maxRecords : Math.min(SAMPLE_RECORDS, maxRecords);
  const module = moduleOf(kernel, options);
  const end = crew.begin();
  try {
    const session = new Session(program, machine, records, module, options, crew);
    const over = await session.run();
    if (over.failure !== null) throw failed(program, session, over);
    return resultOf(program, session, over, records);
  } finally {
    end();
    if (options.crew === undefined) await crew[Symbol.asyncDispose]();
  }
}

/** The module that the threads import. */
function moduleOf({ name, position }: Kernel, { module }: RunOptions): string {
  const found = module === undefined ? position?.file : String(module);
  if (found !== undefined) return found.startsWith('/') ? `file://${found}` : found;
  throw new InputError(`the module of kernel ${name} is unknown: pass it as the option module`);
}

function resultOf(
  program: Program,
  session: Session,
  over: SessionResult,
  records: number,
): RunResult {
  const { kernel, params } = program;
  const items = busiest(program, session).reduce((most, { taken }) => Math.max(most, taken), 0);
  const elapsedMs = Math.round(elapsed(over.dones) * 1000) / 1000;
  const { findings, conforms, reason, recorded } = evaluateTrace(program, session, over, records);
  const why = over.reason ?? reason;
  return {
    kernel: kernel.name,
    params,
    items,
    elapsedMs,
    itemsPerSecond: elapsedMs === 0 ? 0 : Math.round(items / (elapsedMs / 1000)),
    conforms,
    findings,
    recorded,
    ...(why === null ? {} : { reason: why }),
  };
}

function elapsed(dones: readonly (Done | null)[]): number {
  const ran = dones.filter((done) => done !== null);
  const first = Math.min(...ran.map(({ began }) => began));
  return Math.max(0, Math.max(...ran.map(({ ended }) => ended)) - first);
}

/** By ring: stages that the busiest roles acquired on each side. */
function busiest(program: Program, { plan, words }: Session): RingItems[] {
  const taken = program.roles.map((_, role) => plan.taken(words, role));
  return program.declarations.rings.map(({ name }, ring) => {
    const most = (side: Side) => Math.max(0, ...taken.map((by) => by[ring * 2 + side]!));
    return { ring: name, begun: most(Side.produce), taken: most(Side.consume) };
  });
}

function failed(program: Program, session: Session, { failure }: SessionResult): RoleFailed {
  const { role, message, position, held } = failure!;
  const items = busiest(program, session).filter(({ begun }) => begun > 0);
  const place: Position | undefined = position ?? program.rolePosition(role);
  return new RoleFailed(program.roles[role]!.name, message, held, items, place);
}
