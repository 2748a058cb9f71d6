// check: can any interleaving deadlock, race, leak or misuse a stage?
import { BoundError, InputError } from '../base/index.ts';
import { causeFirst, type CheckResult, type Example, type Finding } from '../finding/index.ts';
import type { Parameters } from '../finding/index.ts';
import { NondeterminismError, Program, raiiSteps, Unfolding } from '../program/index.ts';
import { resolveParameters } from '../program/index.ts';
import type { Divergence, Kernel } from '../program/index.ts';
import {
  explain,
  endSymptoms,
  explainDivergence,
  formatNumber,
  Names,
  Schedule,
  standingOf,
  stepsWithoutSignal,
  System,
  traceOf,
  type Move,
} from '../system/index.ts';
import { CertifyingRun, type Undecided } from './certify/index.ts';
import {
  CERTIFY_SLICE,
  DEFAULT_MAX_EVENTS,
  DEFAULT_MAX_STATES,
  MAX_FINDINGS,
  SHORTEST_STATES,
  SLICE,
  type CheckOptions,
} from './options.ts';
import { Packing } from './packing.ts';
import { replay } from './replay.ts';
import { Search, type Sighting } from './search.ts';
import { findSmaller, SMALLER_BOUNDS } from './smaller.ts';
import { divergence, walk } from './walk.ts';
import { constructWitness, shrinkSchedule } from './witness/index.ts';

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
  readonly example?: Example;
  /** A role that did something else in its second instance, as a finding. */
  readonly divergence?: readonly Finding[];
  /** The condition of the certificate that failed, if it was one. */
  readonly failed?: Undecided['condition'];
  readonly notes?: readonly string[];
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
    certified !== null && certified.reason === null
      ? certified
      : await decide(program, certified, options, started);
  // A role that did two things once may do one thing from then on: that was not its last word.
  const moody = explored.findings.length === 0 ? (certified?.divergence ?? []) : [];
  const findings = [...explored.findings, ...moody];
  const outcome = { ...explored, findings: await withSmaller(kernel, findings, options, started) };
  const isBroken = outcome.findings.some((finding) => finding.severity === 'error');
  const { params } = program;
  return {
    kernel: kernel.name,
    params,
    verdict: isBroken ? 'counterexample' : outcome.reason === null ? 'certified' : 'inconclusive',
    scope: { params, every: [], assumptions: [] },
    findings: outcome.findings,
    ...(outcome.reason === null || isBroken ? {} : { reason: outcome.reason }),
    ...(outcome.notes === undefined ? {} : { notes: outcome.notes }),
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

/** Says of the first error whether smaller parameters show it, too. */
async function withSmaller(
  kernel: Kernel,
  findings: readonly Finding[],
  options: CheckOptions,
  started: number,
): Promise<readonly Finding[]> {
  const { params: given, shrinkTries = 0, replay: token } = options;
  const [first, ...others] = findings;
  if (first?.severity !== 'error' || token !== undefined) return findings;
  const bounds = { ...SMALLER_BOUNDS, shrinkTries: 0 };
  const recheck = async (changed: Parameters): Promise<CheckResult | null> => {
    if (stopReason(options, started) !== null) return null;
    await options.pause?.();
    return check(kernel, { ...bounds, params: { ...given, ...changed } });
  };
  const params = resolveParameters(kernel, given ?? {});
  const also = await findSmaller(first, params, shrinkTries, recheck);
  return also === null ? findings : [{ ...first, also }, ...others];
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
  let failed: Undecided['condition'] | null = null;
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
    failed = undecided.condition;
  }
  const { events } = run;
  const findings = reason === null && run.hasLeftovers ? leftovers(program) : [];
  const divergence = moods(program, run);
  const stats = { engine: 'certify', events, states: 0, transitions: 0 };
  return { ...stats, findings, reason, divergence, ...(failed !== null && { failed }) };
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

/**
 * What one run does not prove: a schedule that goes wrong, built from it, or else every
 * interleaving. Where there is such a schedule, a short search looks for a shortest one.
 */
async function decide(
  program: Program,
  certified: Outcome | null,
  options: CheckOptions,
  started: number,
): Promise<Outcome> {
  const { engine, replay: token, example, maxStates = DEFAULT_MAX_STATES } = options;
  if (certified !== null && engine === 'certify') return certified;
  // An edited program takes long to make, and is made once; others keep their own role instances.
  const edited = program.kernel.ownership === 'explicit' ? null : systemOf(program);
  const asked = engine === 'search' || token !== undefined || example === true;
  // A role that did two things has no schedule that could be trusted.
  const isMoody =
    (certified?.divergence?.length ?? 0) > 0 || (edited?.made.divergence ?? null) !== null;
  const isTold = asked || isMoody || stopReason(options, started) !== null;
  const built = isTold ? null : construct((edited ?? systemOf(program)).system);
  if (built === null) {
    return ambiguous(await explore(program, edited, options, started), certified);
  }
  const few = { ...options, maxStates: Math.min(SHORTEST_STATES, maxStates) };
  const searched = await explore(program, edited, few, started);
  return searched.findings.some(({ severity }) => severity === 'error') ? searched : built;
}

/** A schedule that goes wrong, without a search, as the machine shows it. */
function construct(system: System): Outcome | null {
  try {
    const found = constructWitness(system);
    if (found === null) return null;
    const witness = shrinkSchedule(system, found);
    const findings = explainAll(system, new Names(system), [witness], []);
    const notes = [NOT_SHORTEST];
    return {
      engine: 'witness',
      events: witness.path.length,
      findings: findings.map((one) => ({ ...one, notes: [...one.notes, ...notes] })),
      reason: null,
      states: 0,
      transitions: 0,
    };
  } catch (error) {
    // What goes wrong here, the search meets as well, and says so.
    const isKnown = [BoundError, InputError, NondeterminismError].some(
      (one) => error instanceof one,
    );
    if (isKnown) return null;
    throw error;
  }
}

const NOT_SHORTEST =
  'this schedule was built from one run, without a search: it may not be a shortest one';

/** Says of a program that a search has certified why one run did not. */
function ambiguous(searched: Outcome, certified: Outcome | null): Outcome {
  const { failed, reason } = certified ?? {};
  if (searched.reason !== null || searched.findings.length > 0) return searched;
  if (failed === undefined || !AMBIGUITIES.has(failed)) return searched;
  const note = `phases are ambiguous, though no schedule goes wrong: ${reason}`;
  return { ...searched, notes: [note] };
}

/** Conditions whose failure means that a phase is not the same in every schedule. */
const AMBIGUITIES: ReadonlySet<Undecided['condition']> = new Set(['M', 'L', 'U', 'E', 'X']);

/** Every interleaving, or the one of a replay token. */
async function explore(
  program: Program,
  edited: MadeSystem | null,
  options: CheckOptions,
  started: number,
): Promise<Outcome> {
  const { system, made } = edited ?? systemOf(program);
  return run(system, new Names(system), made, options, started);
}

/** A system, and what was made of the kernel for it. */
interface MadeSystem {
  readonly system: System;
  readonly made: Made;
}

function systemOf(program: Program): MadeSystem {
  const made: Made = { unfolding: null, divergence: null };
  const system = new System(program, (_, machine) => {
    if (program.kernel.ownership === 'explicit') {
      return (made.unfolding = new Unfolding(program, machine));
    }
    const { steps, divergence: found } = raiiSteps(program, machine);
    made.divergence = found;
    return steps;
  });
  return { system, made };
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
      const { findings, moves: transitions, example } = replayed;
      const reason = 'one schedule was replayed, and nothing is wrong where it ends';
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

function exampleOf(system: System, names: Names, path: readonly Move[]): Example {
  const schedule = new Schedule(system, names, path);
  return {
    trace: traceOf(schedule),
    standing: standingOf(schedule),
    replay: schedule.token(),
  };
}
