// Deadlocks of programs, with the arrivals that the text of their roles has and the roles skip.
import type { Position } from '@poundlock/core/internal/base';
import type { Finding } from '@poundlock/core/internal/finding';
import type { Instruction } from '@poundlock/core/internal/machine';
import { CATALOGUE } from '@poundlock/core/internal/op';
import type {
  ArrivalsOfText,
  ArrivalTarget,
  SkippedArrival,
  StepId,
} from '@poundlock/core/internal/program';
import {
  contribution,
  explainSchedule,
  future,
  movesOfToken,
  Names,
  Schedule,
  stepsWithoutSignal,
} from '@poundlock/core/internal/system';
import type { Symptom, System } from '@poundlock/core/internal/system';
import type { PastCalls, ProgramText, RoleText, TextPlace, TextTarget } from '../text/index.ts';
import { textOf } from './discharge.ts';
import type { Problem } from './problem.ts';
import { stuckSymptom } from './violations.ts';

/** The most operations of a role that are looked at beyond a schedule. */
const MAX_AHEAD = 1_000;

/** Findings whose roles wait for arrivals, explained with what the text of the roles shows. */
export async function withArrivals(
  problem: Problem,
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  const { kernel } = problem.program;
  const isStuck = findings.some((finding) => symptomsOf(finding) !== null);
  const text = isStuck ? await textOf(kernel) : null;
  if (text === null) return findings;
  const { system } = problem.runnable;
  return findings.map((finding) =>
    explainedWith(system, finding, (schedule) => new ArrivalsIn(schedule, text)),
  );
}

type ArrivalsOf = (schedule: Schedule) => ArrivalsOfText | null;

/** A finding at the end of its schedule once more, with what the text of the roles shows. */
export function explainedWith(system: System, finding: Finding, arrivalsOf: ArrivalsOf): Finding {
  const { replayToken } = finding;
  const symptoms = symptomsOf(finding);
  if (symptoms === null || replayToken === undefined) return finding;
  const names = new Names(system);
  const schedule = new Schedule(system, names, movesOfToken(names, replayToken));
  const arrivals = arrivalsOf(schedule);
  if (arrivals === null) return finding;
  for (const symptom of symptoms(schedule)) {
    const { message } = explainSchedule(schedule, symptom);
    if (message !== finding.message) continue;
    const explained = explainSchedule(schedule, symptom, arrivals);
    const { primary, labels, helps } = explained;
    return { ...finding, message: explained.message, primary, labels, helps };
  }
  return finding;
}

/** What may be wrong at the end of a finding's schedule; `null`: nothing about arrivals. */
function symptomsOf({ rule }: Finding): ((schedule: Schedule) => Symptom[]) | null {
  if (rule === 'deadlock') return ({ system, words }) => [stuckSymptom(system, words)];
  return rule === 'stepped-without-signal' ? stepsWithoutSignal : null;
}

/** An operation of a role, with its place and what it arrives at. */
interface PastOperation {
  readonly place: Position;
  readonly targets: readonly ArrivalTarget[];
}

/** What the text of a program shows of the arrivals of its roles, after a schedule. */
class ArrivalsIn implements ArrivalsOfText {
  readonly #schedule: Schedule;
  readonly #text: ProgramText;
  /** By role: what it has made. */
  readonly #past: readonly (readonly PastOperation[])[];
  readonly #seen = new Map<string, Set<string>>();
  readonly #roles = new Map<number, RoleText | null>();
  /** Files as findings name them, by their paths. */
  readonly #files = new Map<string, string>();

  constructor(schedule: Schedule, text: ProgramText) {
    const { system, records, words } = schedule;
    this.#schedule = schedule;
    this.#text = text;
    this.#past = system.program.roles.map((_, role) =>
      records.flatMap(({ agent, step, instruction }) =>
        agent === role && instruction !== null ? this.#note(step, instruction) : [],
      ),
    );
    for (const role of system.program.roles.keys())
      for (const { step, instruction } of future(system, words, role, MAX_AHEAD))
        this.#note(step, instruction);
  }

  has(role: number, target: ArrivalTarget): boolean | null {
    return this.#roleText(role)?.has(this.#inText(target), this.#seen) ?? null;
  }

  skipped(role: number, target: ArrivalTarget): SkippedArrival[] {
    const text = this.#roleText(role);
    if (text === null) return [];
    const past = this.#pastSince(role, target);
    return text.passed(this.#inText(target), this.#seen, past).map((one) => ({
      ...one,
      arrival: this.#positionOf(one.arrival),
      branches: one.branches.map((place) => this.#positionOf(place)),
    }));
  }

  /** What a role has made since its last arrival at a target. */
  #pastSince(role: number, target: ArrivalTarget): PastCalls {
    const { system, words } = this.#schedule;
    const all = this.#past[role]!;
    const last = all.findLastIndex(({ targets }) => targets.some((one) => isSame(one, target)));
    const hasEnded = system.hasEnded(words, role);
    const next = hasEnded ? undefined : system.steps.position(words[role]!);
    return {
      calls: all.slice(Math.max(0, last)).map(({ place }) => this.#text.nameOf(place)),
      next: hasEnded ? null : next === undefined ? '' : this.#text.nameOf(next),
      isSuffix: last >= 0,
      isStrand: system.program.roles[role]!.part !== null,
    };
  }

  #note(step: StepId, instruction: Instruction): PastOperation[] {
    const { system } = this.#schedule;
    const place = system.steps.position(step);
    if (place === undefined) return [];
    const name = this.#text.nameOf(place);
    const seen = this.#seen.get(name) ?? new Set<string>();
    this.#seen.set(name, seen);
    this.#files.set(name.replace(/:\d+:\d+$/, ''), place.file);
    const targets = targetsOf(system, instruction);
    for (const target of targets) seen.add(this.#text.keyOf(this.#inText(target)));
    return [{ place, targets }];
  }

  /** What the program calls a target. */
  #inText({ kind, id }: ArrivalTarget): TextTarget {
    if (kind === 'named') return { id };
    return { name: this.#schedule.system.program.declarations.barriers[id]!.name };
  }

  #roleText(role: number): RoleText | null {
    const known = this.#roles.get(role);
    if (known !== undefined) return known;
    const declared = this.#schedule.system.program.rolePosition(role);
    const text = declared === undefined ? null : this.#text.role(declared);
    this.#roles.set(role, text);
    return text;
  }

  #positionOf({ line, column, file }: TextPlace): Position {
    const path = this.#text.nameOf({ file, line, column }).replace(/:\d+:\d+$/, '');
    return { file: this.#files.get(path) ?? file, line, column };
  }
}

/** What an operation arrives at, at once or as its work completes. */
function targetsOf(system: System, instruction: Instruction): ArrivalTarget[] {
  const { ctas, namedBarriers } = system.program;
  const { kind, target, barriers, flights } = instruction;
  if (CATALOGUE[kind]!.names === 'named')
    return [{ kind: 'named', id: target % namedBarriers, cta: Math.floor(target / namedBarriers) }];
  const all = [...barriers, ...flights.map((id) => system.machine.flights.flights[id]!.barrier)];
  const reached = all.filter((barrier) => {
    return barrier >= 0 && contribution(system, instruction, barrier).arrivals > 0;
  });
  return [...new Set(reached)].map((barrier) => {
    return { kind: 'barrier', id: Math.floor(barrier / ctas), cta: barrier % ctas };
  });
}

function isSame(one: ArrivalTarget, other: ArrivalTarget): boolean {
  return one.kind === other.kind && one.id === other.id && one.cta === other.cta;
}
