// Runs a kernel on worker threads, one for each role.
import { InputError, type Position } from '@poundlock/core/internal/base';
import { Side } from '@poundlock/core/internal/op';
import { Program, type Kernel, type KernelParameters } from '@poundlock/core/internal/program';
import { layOutSystem } from '@poundlock/core/internal/system';
import { Crew } from './crew.ts';
import { evaluateTrace } from './evaluate-trace.ts';
import type { Done } from './job.ts';
import { DEFAULT_MAX_RECORDS, SAMPLE_RECORDS } from './options.ts';
import type { RunOptions, RunResult } from './options.ts';
import { RoleFailed, type RingItems } from './role-failed.ts';
import { Session, type SessionResult } from './session.ts';

/**
 * Runs a kernel on real threads: each role in its own, barriers in shared memory, `work` called on
 * views of the tiles. The threads import the kernel's module, so the kernel must be exported there.
 *
 * @throws InputError for a kernel that can not be run; RoleFailed when a role throws or its thread
 * dies.
 * @example
 * const { items, findings } = await run(kernel, { tiles: 1000 }, { module: import.meta.url });
 */
export async function run(
  kernel: Kernel,
  params: KernelParameters = {},
  options: RunOptions = {},
): Promise<RunResult> {
  const { ownership, name } = kernel;
  if (ownership !== 'explicit') {
    const why = 'to release after the last use, one must know that none follows';
    throw new InputError(`kernel ${name} has ownership: 'raii', which no thread can run: ${why}`);
  }
  const program = new Program(kernel, params);
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
  throw new InputError(`the module of kernel ${name} is not known: give it as the option module`);
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
