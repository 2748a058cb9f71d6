// check: can any interleaving deadlock, race, leak or misuse a stage?
import { BoundError } from '../base/index.ts';
import { causeFirst, type CheckResult, type Finding } from '../finding/index.ts';
import type { TraceStep, Verdict } from '../finding/index.ts';
import type { Machine } from '../machine/index.ts';
import { NondeterminismError, Program, raiiSteps, Unfolding } from '../program/index.ts';
import type { Divergence, Kernel, Steps } from '../program/index.ts';
import {
  explain,
  endSymptoms,
  explainDivergence,
  formatNumber,
  Names,
  Schedule,
  stepsWithoutSignal,
  System,
  type Move,
} from '../system/index.ts';
import { CertifyingRun } from './certify/index.ts';
import {
  CERTIFY_SLICE,
  DEFAULT_MAX_EVENTS,
  DEFAULT_MAX_STATES,
  MAX_FINDINGS,
  SLICE,
  type CheckOptions,
} from './options.ts';
import { Packing } from './packing.ts';
import { replay } from './replay.ts';
import { Search, type Sighting } from './search.ts';
import { divergence, walk } from './walk.ts';

/** What was made of the kernel: roles to unfold, or recorded lists and how two runs differed. */
interface Made {
  unfolding: Unfolding | null;
  divergence: Divergence | null;
}

interface Outcome {
  readonly engine: string;
  readonly events: number;
  readonly findings: readonly Finding[];
  /** Why nothing can be said, or `null` when every state was seen. */
  readonly reason: string | null;
  readonly states: number;
  readonly transitions: number;
  readonly example?: { readonly trace: readonly TraceStep[]; readonly replay: string };
  /** A role that did something else in its second instance, as a finding. */
  readonly divergence?: readonly Finding[];
}

/**
 * Checks a kernel in every interleaving.
 *
 * Verdicts: `certified` says that every reachable state was seen and none has a finding of
 * severity error; `counterexample` comes with a shortest schedule; `inconclusive` names the bound
 * that was hit. Semantics: docs/semantics.md.
 *
 * @throws InputError when the program can not be run: bad parameters, a role that throws.
 * @example
 * const { verdict, findings } = await check(gemm, { params: { stages: 2 } });
 */
export async function check(kernel: Kernel, options: CheckOptions = {}): Promise<CheckResult> {
  const now = options.now ?? (() => 0);
  const started = now();
  const program = new Program(kernel, options.params);
  const { engine = 'auto', replay: token } = options;
  const wantsSchedule = token !== undefined || options.example === true;
  const isEdited = kernel.ownership !== 'explicit';
  const certified =
    wantsSchedule || isEdited || engine === 'search'
      ? null
      : await certify(program, options, started);
  const explored =
    certified !== null && (certified.reason === null || engine === 'certify')
      ? certified
      : await explore(program, options, started);
  // A role that did two things once may do one thing from then on: that was not its last word.
  const moody = explored.findings.length === 0 ? (certified?.divergence ?? []) : [];
  const outcome = { ...explored, findings: [...explored.findings, ...moody] };
  const isBroken = outcome.findings.some((finding) => finding.severity === 'error');
  const { params } = program;
  return {
    kernel: kernel.name,
    params,
    verdict: isBroken ? 'counterexample' : outcome.reason === null ? 'certified' : 'inconclusive',
    scope: { params, every: [], assumptions: [] },
    findings: outcome.findings,
    ...(outcome.reason === null || isBroken ? {} : { reason: outcome.reason }),
    ...(outcome.example === undefined ? {} : { example: outcome.example }),
    stats: {
      engine: outcome.engine,
      events: outcome.events,
      states: outcome.states,
      transitions: outcome.transitions,
      elapsedMs: Math.round((now() - started) * 10) / 10,
    },
  };
}

/** One run as a proof for all: certified, or the reason why not. */
async function certify(program: Program, options: CheckOptions, started: number): Promise<Outcome> {
  const outcome = await certifyOnce(program, options, started, false);
  return outcome ?? (await certifyOnce(program, options, started, true))!;
}

/** `null` when the lives of barriers must be followed after all. */
async function certifyOnce(
  program: Program,
  options: CheckOptions,
  started: number,
  tracksBarriers: boolean,
): Promise<Outcome | null> {
  const { maxEvents = DEFAULT_MAX_EVENTS } = options;
  const run = new CertifyingRun(program, tracksBarriers);
  let undecided = run.run(CERTIFY_SLICE);
  let reason: string | null = null;
  while (undecided === 'running' && reason === null) {
    await options.pause?.();
    reason = stopReason(options, started);
    if (run.events > maxEvents) {
      reason = `the bound max-events of ${formatNumber(maxEvents)} was reached`;
    }
    if (reason === null) undecided = run.run(CERTIFY_SLICE);
  }
  if (undecided !== null && undecided !== 'running') {
    if (undecided.condition === 'lives') return null;
    reason = undecided.why;
  }
  const { events } = run;
  const findings = reason === null && run.hasLeftovers ? leftovers(program) : [];
  const divergence = moods(program, run);
  return { engine: 'certify', events, findings, reason, states: 0, transitions: 0, divergence };
}

function moods(program: Program, { twin }: CertifyingRun): Finding[] {
  if (twin.divergence === null) return [];
  const system = new System(program, () => twin.steps);
  return [explainDivergence(system, new Names(system), twin.divergence)];
}

/** What every run of a certified program leaves behind, shown on one that is walked to its end. */
function leftovers(program: Program): Finding[] {
  const { system, unfolding } = unfold(program);
  const packing = new Packing(system.machine, system.initial());
  const path: Move[] = [];
  walk(program, unfolding, system, packing, path);
  const { words } = new Schedule(system, new Names(system), path);
  const symptoms = system.isFinal(words) ? endSymptoms(system, words) : [];
  const warnings = symptoms.map((symptom) => ({ symptom, path }));
  return explainAll(system, new Names(system), [], warnings);
}

/** What `check` says of steps that were recorded and edited, and not of what the kernel says. */
export interface StepsVerdict {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** Why it is inconclusive. */
  readonly reason: string | null;
  readonly states: number;
}

/** Searches every interleaving of a program whose roles make these steps. */
export async function checkSteps(
  program: Program,
  makeSteps: (program: Program, machine: Machine) => Steps,
  options: CheckOptions = {},
): Promise<StepsVerdict> {
  const system = new System(program, makeSteps);
  const made: Made = { unfolding: null, divergence: null };
  const { findings, reason, states } = await run(system, new Names(system), made, options, 0);
  const isBroken = findings.some((finding) => finding.severity === 'error');
  const rest = reason === null ? 'certified' : 'inconclusive';
  return { verdict: isBroken ? 'counterexample' : rest, findings, reason, states };
}

function unfold(program: Program): { system: System; unfolding: Unfolding } {
  let unfolding: Unfolding | undefined;
  const system = new System(program, (_, machine) => {
    return (unfolding = new Unfolding(program, machine));
  });
  return { system, unfolding: unfolding! };
}

/** Why a check must end now, or `null`. */
function stopReason(options: CheckOptions, started: number): string | null {
  const { timeoutMs, now = () => 0, shouldStop } = options;
  if (shouldStop?.() === true) return 'it was interrupted';
  if (timeoutMs === undefined || now() - started <= timeoutMs) return null;
  return `the bound timeout of ${formatNumber(timeoutMs)} ms was reached`;
}

/** Every interleaving, or the one of a replay token. */
async function explore(program: Program, options: CheckOptions, started: number): Promise<Outcome> {
  const made: Made = { unfolding: null, divergence: null };
  const system = new System(program, (_, machine) => {
    if (program.kernel.ownership === 'explicit') {
      return (made.unfolding = new Unfolding(program, machine));
    }
    const { steps, divergence: found } = raiiSteps(program, machine);
    made.divergence = found;
    return steps;
  });
  return run(system, new Names(system), made, options, started);
}

async function run(
  system: System,
  names: Names,
  { unfolding, divergence: raiiDivergence }: Made,
  options: CheckOptions,
  started: number,
): Promise<Outcome> {
  const nothing = { engine: 'search', events: 0, states: 0, transitions: 0, reason: null };
  try {
    if (options.replay !== undefined) {
      const replayed = replay(
        system,
        names,
        options.replay,
        options.maxStates ?? DEFAULT_MAX_STATES,
      );
      const { findings, moves: transitions, trace, replay: token } = replayed;
      const reason = 'one schedule was replayed, and nothing is wrong where it ends';
      const example = { trace, replay: token };
      return { ...nothing, engine: 'replay', findings, reason, transitions, example };
    }
    const packing = new Packing(system.machine, system.initial());
    const found = unfolding === null ? raiiDivergence : firstDivergence(system, unfolding, packing);
    if (found !== null) {
      return { ...nothing, findings: [explainDivergence(system, names, found)] };
    }
    return await searchAll(system, names, packing, options, started);
  } catch (error) {
    if (error instanceof BoundError) return { ...nothing, findings: [], reason: error.message };
    if (!(error instanceof NondeterminismError)) throw error;
    const { role, expected, found, foundAt } = error;
    const expectedAt = expected < 0 ? undefined : system.steps.position(expected);
    const rule = 'nondeterministic-role';
    const divergent = { rule, role, expected, expectedAt, found, foundAt } as const;
    return { ...nothing, findings: [explainDivergence(system, names, divergent)] };
  }
}

function firstDivergence(system: System, unfolding: Unfolding, packing: Packing) {
  const lists = walk(system.program, unfolding, system, packing);
  return divergence(system.program, unfolding, lists);
}

async function searchAll(
  system: System,
  names: Names,
  packing: Packing,
  options: CheckOptions,
  started: number,
): Promise<Outcome> {
  const { maxStates = DEFAULT_MAX_STATES } = options;
  const search = new Search(system, packing, maxStates);
  let reason: string | null = null;
  while (search.run(SLICE) === 'running') {
    const { states, transitions, depth, frontier } = search;
    options.onProgress?.({ states, transitions, depth, frontier });
    await options.pause?.();
    reason = stopReason(options, started);
    if (reason !== null) break;
  }
  if (search.status === 'max-states')
    reason = `the bound max-states of ${formatNumber(maxStates)} was reached`;
  const errors = [...search.errors];
  if (search.status === 'exhausted' && errors.length === 0)
    errors.push(...livelock(system, search));
  const findings = explainAll(system, names, errors, search.warnings);
  const { states, transitions } = search;
  const best = options.example === true ? search.example() : null;
  const example = best === null ? {} : { example: exampleOf(system, names, best) };
  const stats = { engine: 'search', events: transitions, states, transitions };
  return { ...stats, findings, reason, ...example };
}

function livelock(system: System, search: Search): Sighting[] {
  const path = search.doomed();
  if (path === null) return [];
  const { words } = new Schedule(system, new Names(system), path);
  const role = Array.from(words.subarray(0, system.roles)).findIndex(
    (_, index) => !system.hasEnded(words, index),
  );
  const step = words[role] ?? -1;
  return [
    { symptom: { rule: 'deadlock', agent: role, other: -1, at: -1, step, inMove: false }, path },
  ];
}

/** The cause before the symptom; errors before warnings; each place once. */
function explainAll(
  system: System,
  names: Names,
  errors: readonly Sighting[],
  warnings: readonly Sighting[],
): Finding[] {
  const byCause = (a: Sighting, b: Sighting): number => causeFirst(a.symptom.rule, b.symptom.rule);
  const causes = errors.flatMap((sighting) => causesOf(system, names, sighting));
  const sorted = [...[...causes, ...errors].toSorted(byCause), ...warnings.toSorted(byCause)];
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const { symptom, path } of sorted) {
    if (findings.length >= MAX_FINDINGS) break;
    const finding = explain(system, names, symptom, path);
    const { file, line, column } = finding.primary;
    const key = `${finding.rule} ${file} ${line} ${column}`;
    if (seen.has(key)) continue;
    seen.add(key);
    findings.push(finding);
  }
  return findings;
}

/** A deadlock may have a cause that no state shows, but its schedule does. */
function causesOf(system: System, names: Names, { symptom, path }: Sighting): Sighting[] {
  if (symptom.rule !== 'deadlock') return [];
  const causes = stepsWithoutSignal(new Schedule(system, names, path));
  return causes.map((cause) => ({ symptom: cause, path }));
}

function exampleOf(system: System, names: Names, path: readonly Move[]) {
  const schedule = new Schedule(system, names, path);
  return { trace: schedule.trace(), replay: schedule.token() };
}
