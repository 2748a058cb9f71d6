// check: can any interleaving deadlock, race, leak or misuse a stage?
import { BoundError } from '@poundlock/core/internal/base';
import type { CheckResult, Finding, Parameters, Verdict } from '@poundlock/core/internal/finding';
import type { Machine } from '@poundlock/core/internal/machine';
import {
  NondeterminismError,
  Program,
  raiiSteps,
  Unfolding,
} from '@poundlock/core/internal/program';
import { resolveParameters } from '@poundlock/core/internal/program';
import type { Divergence, Kernel, Steps } from '@poundlock/core/internal/program';
import {
  endSymptoms,
  explainDivergence,
  Names,
  Schedule,
  System,
  type Move,
} from '@poundlock/core/internal/system';
import { ambiguous, construct } from './witness-outcome.ts';
import { proveByChoices, proveByOneRun } from './certify/index.ts';
import type { CertifyingRun, Proof, Unfolded } from './certify/index.ts';
import { checkEvery } from './parametric.ts';
import { explainAll } from './explain-violations.ts';
import {
  DEFAULT_MAX_EVENTS,
  DEFAULT_MAX_STATES,
  MANY_FOR_BARRIERS,
  MANY_ITEMS,
  MAX_SHORTCUT_STATES,
  SHORTEST_STATES,
  type CheckOptions,
} from './options.ts';
import { stopReason, type Outcome } from './outcome.ts';
import { Packing } from './packing.ts';
import { replay } from './replay.ts';
import { engineOf, searchAll } from './search-all.ts';
import { findSmaller, SMALLER_BOUNDS, SMALLER_WORK } from './shrink-parameters.ts';
import { divergence, walk } from './sample-run.ts';

/** What was made of the kernel: roles to unfold, or recorded lists and how two runs differed. */
interface Made {
  unfolding: Unfolding | null;
  divergence: Divergence | null;
}

/**
 * Checks a kernel in every interleaving.
 *
 * The verdict is `certified` if no interleaving reaches a finding of severity error;
 * `counterexample` if one does, with its schedule, a shortest one unless a note says otherwise;
 * and `inconclusive` if a bound was hit first, which `reason` names. Semantics: docs/semantics.md.
 *
 * @throws InputError if the kernel cannot be executed, because of bad parameters or a role that
 * throws.
 *
 * @example
 * import { barrier, kernel, role, wait } from 'poundlock';
 * import { check } from 'poundlock/check';
 *
 * const stuck = kernel('stuck', {}, () => {
 *   const full = barrier('full');
 *   return [
 *     role('mma', function* () {
 *       yield* wait(full, 0);
 *     }),
 *   ];
 * });
 * const { verdict, findings } = await check(stuck);
 * console.log(verdict, findings[0]?.rule); // counterexample deadlock
 */
export async function check(kernel: Kernel, options: CheckOptions = {}): Promise<CheckResult> {
  const { every, ...others } = options;
  if (every === undefined) return checkOne(kernel, others);
  const now = options.now ?? (() => 0);
  const started = now();
  return checkEvery(kernel, every, others, {
    check: (more) => {
      return checkOne(kernel, { ...others, ...more, params: { ...others.params, ...more.params } });
    },
    stopReason: () => stopReason(options, started),
    elapsedMs: () => Math.round((now() - started) * 10) / 10,
  });
}

async function checkOne(kernel: Kernel, options: CheckOptions): Promise<CheckResult> {
  const now = options.now ?? (() => 0);
  const started = now();
  const program = new Program(kernel, options.params);
  const { replay: token } = options;
  const engine = engineOf(options);
  const wantsSchedule = token !== undefined || options.example === true;
  const isEdited = kernel.ownership !== 'explicit';
  const certified =
    wantsSchedule || isEdited || engine === 'search' || engine === 'reduced'
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
  let left = SMALLER_WORK;
  const recheck = async (changed: Parameters): Promise<CheckResult | null> => {
    if (left <= 0 || stopReason(options, started) !== null) return null;
    await options.pause?.();
    const result = await check(kernel, { ...SMALLER_BOUNDS, params: { ...given, ...changed } });
    left -= result.stats.states + result.stats.transitions;
    return result;
  };
  const params = resolveParameters(kernel, given ?? {});
  const also = await findSmaller(first, params, shrinkTries, recheck);
  return also === null ? findings : [{ ...first, also }, ...others];
}

/** A proof for every interleaving: from one run, or one for each order of choices. */
async function certify(program: Program, options: CheckOptions, started: number): Promise<Outcome> {
  const { engine = 'auto', timeoutMs } = options;
  // Where a search can follow, it gets half of the time.
  const half = engine === 'auto' && timeoutMs !== undefined ? { timeoutMs: timeoutMs / 2 } : {};
  const stop = (): string | null => stopReason({ ...options, ...half }, started);
  const { counts, barriers } = program.declarations;
  const many = Math.max(MANY_ITEMS, MANY_FOR_BARRIERS * barriers.length ** 2);
  const isLong = counts.some((count) => count.total >= many);
  const shortcut = async (unfolded: Unfolded): Promise<Proof | null> => {
    const any = new Program(program.kernel, program.params, null, many);
    const bounds = { ...options, maxStates: MAX_SHORTCUT_STATES };
    const { proof } = await proveByChoices(any, bounds, stop, unfolded);
    return proof.undecided === null && !proof.hasLeftovers ? proof : null;
  };
  const tried = engine === 'auto' && isLong ? shortcut : undefined;
  const one = await proveByOneRun(program, options, stop, tried);
  const divergence = moods(program, one.run);
  if (one.proof.undecided?.condition !== 'choice') return outcomeOf(program, one.proof, divergence);
  const found = divergenceOf(program);
  if (found !== null) return outcomeOf(program, one.proof, [found]);
  const { proof } = await proveByChoices(program, options, stop, one.run.unfolded);
  return outcomeOf(program, proof, divergence);
}

/** A role that does something else in its second instance, as a finding. */
function divergenceOf(program: Program): Finding | null {
  const { system, unfolding } = unfold(program);
  const packing = new Packing(system.machine, system.initial());
  try {
    const found = firstDivergence(system, unfolding, packing);
    return found === null ? null : explainDivergence(system, new Names(system), found);
  } catch (error) {
    // What a walk has no room for, such as ever more flights, is left to the proof or the search.
    if (error instanceof BoundError) return null;
    throw error;
  }
}

function outcomeOf(program: Program, proof: Proof, divergence: readonly Finding[]): Outcome {
  const { engine, undecided, events, states, transitions, hasLeftovers } = proof;
  const mayLeave = engine === 'hybrid' && hasLeftovers;
  const reason = undecided?.why ?? (mayLeave ? 'a run can leave something over as it ends' : null);
  const findings = reason === null && hasLeftovers ? leftovers(program) : [];
  const failed = undecided === null ? {} : { failed: undecided.condition };
  return { engine, events, findings, reason, states, transitions, divergence, ...failed };
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
  const { replay: token, example, maxStates = DEFAULT_MAX_STATES } = options;
  const engine = engineOf(options);
  if (certified !== null && engine === 'certify') return certified;
  // A search makes the same events and keeps them.
  const { maxEvents = DEFAULT_MAX_EVENTS } = options;
  if (certified !== null && certified.events > maxEvents) return certified;
  // An edited program takes long to make, and is made once; others keep their own role instances.
  const edited = program.kernel.ownership === 'explicit' ? null : systemOf(program);
  const asked = engine !== 'auto' || token !== undefined || example === true;
  // A role that did two things has no schedule that could be trusted.
  const isMoody =
    (certified?.divergence?.length ?? 0) > 0 || (edited?.made.divergence ?? null) !== null;
  const isTold = asked || isMoody || stopReason(options, started) !== null;
  const built = isTold ? null : construct((edited ?? systemOf(program)).system);
  if (built === null) {
    return ambiguous(await explore(program, edited, options, started), certified);
  }
  const states = Math.min(SHORTEST_STATES, maxStates);
  const few = { ...options, engine: 'search', maxStates: states } as const;
  const searched = await explore(program, edited, few, started);
  return searched.findings.some(({ severity }) => severity === 'error') ? searched : built;
}

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
    return await searchAll({ system, names, packing, options, started });
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
