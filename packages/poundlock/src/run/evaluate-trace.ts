// Evaluates a run: replays its traces on the machine and reports the violations at their end.
import { severityOf, type Finding, type SourceLocation } from '@poundlock/core/internal/finding';
import type { Kernel, Program } from '@poundlock/core/internal/program';
import {
  endSymptoms,
  explain,
  floatingPlace,
  Schedule,
  stepsWithoutSignal,
  type Names,
  type Symptom,
} from '@poundlock/core/internal/system';
import { replayTraces, type Replayed } from './conform.ts';
import { RoleWord } from './plan.ts';
import { readTrace } from './recorder.ts';
import { traceKernel } from './trace-kernel.ts';
import type { Done } from './job.ts';
import type { SessionResult, Session } from './session.ts';

interface TraceEvaluation {
  readonly findings: readonly Finding[];
  readonly conforms: boolean | null;
  readonly reason: string | null;
  /** The recorded kernel, if every role ran to its end. */
  readonly recorded: Kernel | null;
}

/** Replays the traces of a run that is over. */
export function evaluateTrace(
  program: Program,
  session: Session,
  over: SessionResult,
  records: number,
): TraceEvaluation {
  if (records === 0) {
    const findings = reportedFindings(program, session, over, null);
    return { findings, conforms: null, reason: null, recorded: null };
  }
  const { plan, words } = session;
  const traces =
    session.stuckTraces ?? program.roles.map((_, role) => readTrace(plan, words, role));
  const isPrefix = traces.map((trace) => trace.length === records);
  const hasBroken = over.dones.some((done) => done?.how === 'broken');
  const replayed = replayTraces(program, traces, isPrefix, hasBroken);
  const { conforms, reason } = replayed;
  if (!conforms) {
    const findings = reportedFindings(program, session, over, replayed.names);
    return { findings, conforms, reason, recorded: null };
  }
  const shown = replayFindings(replayed, over, isPrefix.includes(true));
  const isBroken = shown.some(({ rule }) => severityOf(rule) === 'error');
  const rest = isBroken ? [] : reportedFindings(program, session, over, replayed.names);
  const isWhole = !isBroken && !isPrefix.includes(true) && over.dones.every(hasEnded);
  const recorded = isWhole ? traceKernel(program, replayed.path) : null;
  return { findings: [...shown, ...rest], conforms, reason: null, recorded };
}

function hasEnded(done: Done | null): boolean {
  return done?.how === 'ended';
}

/** The violations that the machine shows at the end of the path. */
function replayFindings(replayed: Replayed, over: SessionResult, isSample: boolean): Finding[] {
  const { system, names, path, words, symptoms } = replayed;
  const found: Symptom[] = [...symptoms];
  if (found.length === 0 && !isSample) {
    if (system.isFinal(words)) found.push(...endSymptoms(system, words));
    else if (over.isStuck) found.push(...deadlockSymptoms(replayed));
  }
  return found.map((symptom) => explain(system, names, symptom, path));
}

/** P11, P12: a deadlock, or its causes. */
function deadlockSymptoms({ system, names, path, words }: Replayed): Symptom[] {
  const role = Array.from({ length: system.roles }, (_, at) => at).find(
    (at) => !system.hasEnded(words, at),
  )!;
  const step = words[role]!;
  const none = { other: -1, at: -1, inMove: false };
  const deadlock: Symptom = { rule: 'deadlock', agent: role, step, ...none };
  const causes = stepsWithoutSignal(new Schedule(system, names, path));
  return causes.length === 0 ? [deadlock] : causes;
}

/** The violations that the threads reported, for runs whose traces are too short to show them. */
function reportedFindings(
  program: Program,
  session: Session,
  over: SessionResult,
  names: Names | null,
): Finding[] {
  const broken = over.dones.flatMap((done, role) => {
    if (done?.how !== 'broken') return [];
    const place = brokenPlace(program, over, role);
    const message = `${program.roles[role]!.name} violates the rule ${done.rule}`;
    return [finding(done.rule!, message, [place])];
  });
  if (broken.length > 0 || !over.isStuck) return broken;
  const { plan, words } = session;
  const places = program.roles.flatMap((role, index) => {
    const at = plan.role(index);
    if (over.dones[index]?.how === 'ended') return [];
    const barrier = words[at + RoleWord.barrier]!;
    const what = barrier < 0 || names === null ? '' : ` for ${names.barrier(barrier)}`;
    const phase = barrier < 0 ? '' : ` phase ${words[at + RoleWord.phase]!}`;
    return [placeOf(program, over, index, `${role.name} waits here${what}${phase}`)];
  });
  const who = places.map(({ role }) => role).join(' and ');
  return [finding('deadlock', `${who} wait, and no role can make progress`, places)];
}

/** Where a role has broken a rule: an operation that it never performs has no place in its run. */
function brokenPlace(program: Program, over: SessionResult, role: number): SourceLocation {
  const { name } = program.roles[role]!;
  const place = placeOf(program, over, role, `${name} is here`);
  const at = over.dones[role]?.rule === 'floating-op' ? floatingPlace(program, role) : undefined;
  if (at === undefined) return place;
  return { ...place, ...at, text: `${name} creates the operation here` };
}

function finding(
  rule: Finding['rule'],
  message: string,
  places: readonly SourceLocation[],
): Finding {
  const [primary, ...labels] = places;
  const severity = severityOf(rule);
  return { rule, severity, message, primary: primary!, labels, notes: [], helps: [] };
}

function placeOf(
  program: Program,
  over: SessionResult,
  role: number,
  text: string,
): SourceLocation {
  const { name } = program.roles[role]!;
  const at = over.dones[role]?.position ?? program.rolePosition(role);
  const { file, line, column } = at ?? { file: '', line: 1, column: 1 };
  return { file, line, column, role: name, text };
}
