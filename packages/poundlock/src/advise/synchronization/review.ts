// Which synchronizing instructions of a kernel as built are needed: each is deleted, and what is
// left is proved again.
import { InputError, ViolationError } from '@poundlock/core/internal/base';
import type {
  InstructionPlace,
  Parameters,
  ReviewedSize,
  SimulatedGain,
  SimulatedReview,
  SynchronizationAdvice,
  SynchronizationReview,
} from '@poundlock/core/internal/finding';
import type { MemoryProfile } from '../../check/index.ts';
import type { PtxKernelOptions } from '@poundlock/ptx/internal/kernel/kernel';
import { Study } from '@poundlock/ptx/internal/redundancy/study';
import type { Size } from '@poundlock/ptx/internal/redundancy/study';
import type { Change, Site } from '@poundlock/ptx/internal/redundancy/sites';
import type { ReferenceRun } from '@poundlock/ptx/internal/steps/run';
import { MODELS } from '../../simulate/index.ts';
import type { GpuModel } from '../../simulate/index.ts';
import { candidatesOf, openGroups, together } from './candidates.ts';
import type { Candidate } from './candidates.ts';
import { Gains } from './gains.ts';
import { costOf, pricesOf } from './prices.ts';
import type { Prices } from './prices.ts';
import { Prover } from './prover.ts';
import { Search } from './search.ts';
import type { Outcome } from './search.ts';
import { sizeName, sizesOf } from './sizes.ts';

/** Options of {@link reviewSynchronization}. */
export interface ReviewOptions {
  /** Numbers that replace those of the launches. */
  readonly params?: Parameters;
  /** The number of the launch for every value of which each claim is proved. */
  readonly every?: string;
  readonly memory?: MemoryProfile;
  /** The GPU that prices are of; H200 unless specified. */
  readonly model?: GpuModel;
  /** Whether to find what breaks without each instruction that is needed. */
  readonly isExplained?: boolean;
  /** Milliseconds after which what was not tried is undecided. */
  readonly timeoutMs?: number;
  readonly now?: () => number;
  readonly pause?: () => Promise<void>;
  readonly onProgress?: (done: number, all: number) => void;
}

/**
 * Reviews the synchronizing instructions of a kernel.
 *
 * @throws InputError for a kernel that is wrong as it is.
 */
export async function reviewSynchronization(
  kernel: PtxKernelOptions,
  options: ReviewOptions,
): Promise<SynchronizationReview & { readonly kernel: string }> {
  const { every, memory = 'practice', isExplained = true, timeoutMs = Infinity } = options;
  const { now = () => 0, pause = async () => {}, onProgress = () => {} } = options;
  if (memory === 'none') throw new InputError('advise needs the rules of memory: practice or isa');
  const end = now() + timeoutMs;
  const isOver = (): boolean => now() >= end;
  const study = new Study({ ...kernel, shouldStop: isOver });
  const { sizes, untried } = sizesOf(study, options);
  const prover = new Prover(study, sizes, (size) => sizeName(study, size), {
    memory,
    every,
    now,
    pause,
    shouldStop: isOver,
  });
  const fault = await prover.requireCertified();
  if (fault !== null)
    throw new ViolationError(`advise needs a correct kernel: ${fault.rule ?? ''}: ${fault.why}`);
  const groups = candidatesOf(study.sites, prover.runs, (site) =>
    lineOf(study, kernel.ptx.file, site),
  );
  const { model = MODELS.h200 } = options;
  const prices = pricesOf(model);
  const search = new Search(prover, { isExplained, prices, isOver, pause, onProgress });
  const outcomes = await search.run(groups);
  const runs = prover.runs.map(({ run }) => run);
  const gains = gainsOf(study, prover, { prices, model }, outcomes);
  const reviewed = ({ launch, params }: Size): ReviewedSize => {
    const { file, index } = study.launches[launch]!;
    return { file, launch: index, params: { ...study.defaults(launch), ...params } };
  };
  return {
    kernel: study.name,
    sizes: sizes.map(reviewed),
    untried: untried.map(reviewed),
    every: every ?? null,
    memory,
    instructions: describe(study, kernel.ptx.file, outcomes, prices, gains.each),
    simulated: gains.all,
    isa: prover.holdsInIsa,
    unjudged: prover.unjudged,
    assumptions: prover.assumptions,
    unreached: unreachedBy(runs),
    total: runs[0]?.coverage?.reached.length ?? 0,
    isCut: search.isCut || prover.unjudged !== null,
  };
}

interface KernelGains {
  readonly each: ReadonlyMap<Candidate, SimulatedGain | null>;
  readonly all: SimulatedReview | null;
}

/** What each change gains, and all that are proposed together. */
function gainsOf(
  study: Study,
  prover: Prover,
  { prices, model }: { readonly prices: Prices; readonly model: GpuModel },
  outcomes: ReadonlyMap<Candidate, Outcome>,
): KernelGains {
  const changes = new Map<Candidate, Change>();
  const proposed: Change[] = [];
  for (const [candidate, outcome] of outcomes) {
    const change = changeOf(candidate, outcome);
    if (change === null) continue;
    changes.set(candidate, change);
    if (outcome.verdict !== 'alternative') proposed.push(change);
  }
  const run = prover.runs[0];
  if (run === undefined || proposed.length === 0) return { each: new Map(), all: null };
  const gains = new Gains(study, run, prices, model);
  const each = new Map([...changes].map(([candidate, change]) => [candidate, gains.of(change)]));
  return { each, all: gains.ofAll(together(proposed)) };
}

function changeOf(candidate: Candidate, outcome: Outcome): Change | null {
  switch (outcome.verdict) {
    case 'unnecessary':
    case 'alternative':
      return candidate.change;
    case 'weaker':
      return openGroups(candidate, outcome.open);
    case 'practice':
    case 'necessary':
    case 'undecided':
      return null;
  }
}

/** Instructions that no run executed. */
function unreachedBy(runs: readonly ReferenceRun[]): number {
  const reached = runs.flatMap(({ coverage }) => (coverage === null ? [] : [coverage.reached]));
  const [first] = reached;
  if (first === undefined) return 0;
  return first.reduce((sum, _, at) => (reached.some((one) => one[at] === 1) ? sum : sum + 1), 0);
}

function placeOf(study: Study, { at, key }: Site): InstructionPlace {
  const { file, line, column, ptxLine, opcode } = study.placeOf(at[0]!);
  return { opcode, file, line, column, ptxLine, ptxColumn: Number(key.split(':')[1]) };
}

/** The line of the source that a site comes from; in a text without such lines its own place. */
function lineOf(study: Study, text: string, { at, key, opcode }: Site): string {
  const { file, line, column } = study.placeOf(at[0]!);
  return file === text ? key : `${opcode} ${file}:${line}:${column}`;
}

/** Each candidate in the order of the text, then the sites that no size reached. */
function describe(
  study: Study,
  text: string,
  outcomes: ReadonlyMap<Candidate, Outcome>,
  prices: Prices,
  gains: KernelGains['each'],
): SynchronizationAdvice[] {
  const candidates = [...outcomes.keys()];
  candidates.sort((a, b) => a.sites[0]!.at[0]! - b.sites[0]!.at[0]!);
  const index = new Map(candidates.map((candidate, at) => [candidate, at]));
  const isTried = new Set(candidates.flatMap(({ sites }) => sites.map(({ key }) => key)));
  const unreached = study.sites.filter(({ key }) => !isTried.has(key));
  const copies = Map.groupBy(unreached, (site) => lineOf(study, text, site));
  const tried = candidates.map((candidate): SynchronizationAdvice => {
    const [first, ...partners] = candidate.sites;
    const outcome = outcomes.get(candidate)!;
    const obstacle = 'obstacle' in outcome ? outcome.obstacle : null;
    const { verdict } = outcome;
    const isDeleted = verdict === 'unnecessary' || verdict === 'alternative';
    const lines = new Set(candidate.sites.map((site) => lineOf(study, text, site)));
    const others = [...lines].flatMap((line) => copies.get(line) ?? []);
    return {
      ...placeOf(study, first!),
      does: candidate.kind,
      partners: partners.map((site) => placeOf(study, site)),
      unreached: others.map((site) => placeOf(study, site)),
      verdict,
      change:
        verdict === 'weaker' ? `wait for all but ${outcome.open}` : isDeleted ? 'delete' : null,
      executions: candidate.executions,
      cycles: costOf(prices, candidate),
      gain: gains.get(candidate) ?? null,
      rule: obstacle?.rule ?? null,
      why: obstacle?.why ?? null,
      instead: verdict === 'alternative' ? outcome.instead.map((other) => index.get(other)!) : [],
    };
  });
  return [
    ...tried,
    ...unreached.map((site) => ({
      ...placeOf(study, site),
      does: site.kind,
      partners: [],
      unreached: [],
      verdict: 'unreached' as const,
      change: null,
      executions: 0,
      cycles: null,
      gain: null,
      rule: null,
      why: 'no size that was tried executes it',
      instead: [],
    })),
  ];
}
