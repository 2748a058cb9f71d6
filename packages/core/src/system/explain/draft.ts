// The draft of a finding, which explanations fill in.
import { INSTRUCTION } from '../../base/index.ts';
import type { Position } from '../../base/index.ts';
import { severityOf, type Finding, type RuleId } from '../../finding/index.ts';
import type { RacingAccess, Severity, SourceLocation } from '../../finding/index.ts';
import type { ArrivalsOfText } from '../../program/index.ts';
import type { Names } from '../names.ts';
import type { Schedule } from '../schedule.ts';
import { standingOf, traceOf } from '../space-time.ts';
import type { Symptom } from '../symptom.ts';
import type { System } from '../system.ts';

/** Everything that an explanation may look at. */
export interface Scene {
  readonly system: System;
  readonly names: Names;
  readonly schedule: Schedule;
  readonly symptom: Symptom;
  /** What the text of the roles shows of their arrivals; `null`: it is not known. */
  readonly arrivals: ArrivalsOfText | null;
}

const RAII =
  "with ownership: 'raii' a stage is released right after the last use of its handle, " +
  'even if asynchronous work on it is still in flight';

/** A finding in the making. Places that are not known are left out. */
export class Draft {
  message = '';
  /** The rule that is reported: a race may have a name of its own. */
  rule: RuleId;
  /** Where it is not that of the rule. */
  severity: Severity | null = null;
  readonly labels: SourceLocation[] = [];
  readonly notes: string[] = [];
  readonly helps: string[] = [];
  /** Of a race: both accesses. */
  accesses: readonly RacingAccess[] = [];
  #primary: SourceLocation | undefined;
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.rule = scene.symptom.rule;
    if (scene.symptom.isMild === true) this.severity = 'warning';
  }

  /** The place that the finding is about; the first one counts. */
  primary(position: Position | undefined, text: string, agent?: number): void {
    const place = this.#place(position, text, agent);
    if (place === undefined) return;
    if (this.#primary === undefined) this.#primary = place;
    else this.labels.push(place);
  }

  /** Another place that matters. */
  label(position: Position | undefined, text: string, agent?: number): void {
    const place = this.#place(position, text, agent);
    if (place === undefined) return;
    const { file, line, column } = place;
    const isKnown = this.labels.some((one) => {
      const isHere = one.file === file && one.line === line && one.column === column;
      if (one[INSTRUCTION] !== place[INSTRUCTION]) return false;
      return isHere && one.role === place.role && one.text === text;
    });
    if (!isKnown) this.labels.push(place);
  }

  finish(): Finding {
    const { schedule, system } = this.#scene;
    const { rule } = this;
    const fallback = system.program.kernel.position ?? { file: '', line: 1, column: 1 };
    if (system.program.kernel.ownership === 'raii') this.notes.push(RAII);
    return {
      rule,
      severity: this.severity ?? severityOf(rule),
      message: this.message,
      primary: this.#primary ?? { ...fallback, text: 'in this kernel' },
      labels: this.labels,
      notes: this.notes,
      helps: this.helps,
      ...(schedule.isTail
        ? {}
        : {
            trace: traceOf(schedule),
            ...(this.accesses.length > 0 && { accesses: this.accesses }),
            standing: standingOf(schedule),
            replayToken: schedule.token(),
          }),
    };
  }

  #place(position: Position | undefined, text: string, agent = -1): SourceLocation | undefined {
    if (position === undefined) return undefined;
    const role = agent >= 0 ? { role: this.#scene.names.agent(agent) } : {};
    return { ...position, ...role, text };
  }
}
