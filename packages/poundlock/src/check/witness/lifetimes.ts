// Lifetimes in a recorded run: CTAs and barriers must be reached between their start and end.
import { isGlobalBarrier, USES_OWN_CTA, type Flight } from '@poundlock/core/internal/machine';
import type { System } from '@poundlock/core/internal/system';
import { joined, NOTHING, type Clock, type EventLog } from './log.ts';
import type { CandidateCuts } from './candidate-cuts.ts';

/** The accesses to each CTA and barrier, and whether one could come too early or too late. */
export class Lifetimes {
  readonly #system: System;
  readonly #log: EventLog;
  readonly #candidates: CandidateCuts;
  /** By CTA, and by barrier behind them: the last event of each thread that reached into it. */
  readonly #touches: Map<number, number>[];
  readonly #births = new Map<number, number>();

  constructor(system: System, log: EventLog, candidates: CandidateCuts) {
    this.#system = system;
    this.#log = log;
    this.#candidates = candidates;
    const { ctas, barriers } = system.machine.shape;
    this.#touches = Array.from({ length: ctas + barriers.length * ctas }, () => new Map());
  }

  /** An event that reaches a barrier; `before` is what must have happened for it to be next. */
  touch(event: number, barrier: number, before: Clock): void {
    const { ctas } = this.#system.machine.shape;
    const thread = this.#log.threads[event]!;
    const isOfCta = !isGlobalBarrier(this.#system.machine.shape, barrier);
    if (isOfCta) this.#touches[barrier % ctas]!.set(thread, event);
    this.#touches[ctas + barrier]!.set(thread, event);
    const birth = this.#births.get(barrier);
    if (birth === undefined || this.#log.knows(before, birth)) return;
    this.#candidates.add('R', `birth ${barrier}`, this.#log.agents[event]!, before);
  }

  /** An access or a flight reaches into the CTAs of its buffers. */
  reached(event: number, { reads, writes }: Pick<Flight, 'reads' | 'writes'>): void {
    this.#reach(event, [...reads, ...writes]);
  }

  /** An event initializes a barrier. */
  born(event: number, barrier: number): void {
    this.#touches[this.#system.machine.shape.ctas + barrier]!.clear();
    this.#births.set(barrier, event);
  }

  /** An event invalidates a barrier. */
  barrierEnded(event: number, barrier: number): void {
    this.#endOf(this.#system.machine.shape.ctas + barrier, event);
  }

  /** An event is the end of a CTA. */
  ctaEnded(event: number, cta: number): void {
    this.#endOf(cta, event);
  }

  /** L02, L03: a CTA also ends when its last role does, for other CTAs and for its own work. */
  end(): void {
    const { roles, ctas } = this.#system.program;
    for (let cta = 0; cta < ctas; cta++) {
      const ends = roles.flatMap((role, index) =>
        role.cta === cta ? [this.#log.known(index)] : [],
      );
      for (const touch of this.#touches[cta]!.values()) {
        if (!this.#mayOutlive(touch, cta)) continue;
        if (ends.some((end) => this.#log.knows(end, touch))) continue;
        const cut = ends.reduce(joined, this.#log.before(touch));
        this.#candidates.add('R', `end ${cta}`, this.#log.agents[touch]!, cut);
      }
    }
  }

  /** Whether an event must be over when a CTA ends: what others do to it, and its own work. */
  #mayOutlive(event: number, cta: number): boolean {
    if (this.#ctaOf(event) !== cta) return true;
    if (this.#log.agents[event]! < this.#system.program.roles.length) return false;
    const { traits } = this.#system.machine.flights;
    return (traits[this.#log.details[event]!]! & USES_OWN_CTA) !== 0;
  }

  #reach(event: number, buffers: readonly number[]): void {
    const { ctas, globals } = this.#system.machine.shape;
    for (const buffer of buffers) {
      if (globals.includes(Math.floor(buffer / ctas))) continue;
      this.#touches[buffer % ctas]!.set(this.#log.threads[event]!, event);
    }
  }

  #endOf(resource: number, end: number): void {
    const clock = this.#log.clocks[end] ?? NOTHING;
    for (const touch of this.#touches[resource]!.values()) {
      if (this.#log.knows(clock, touch)) continue;
      const cut = joined(clock, this.#log.before(touch));
      this.#candidates.add('R', `end ${resource}`, this.#log.agents[touch]!, cut);
    }
  }

  /** The CTA of the role that an event is of, or that issued its flight. */
  #ctaOf(event: number): number {
    const { program, machine } = this.#system;
    const agent = this.#log.agents[event]!;
    if (agent < program.roles.length) return program.roles[agent]!.cta;
    return machine.flights.flights[this.#log.details[event]!]!.cta;
  }
}
