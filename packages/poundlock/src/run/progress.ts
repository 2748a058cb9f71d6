// The local progress of a role: its registers, its counts, and which path operations take.

/** The position of a role on one side of a ring (R01). */
export class Register {
  readonly stages: number;
  stage = 0;
  lap = 0;
  /**
   * The number of stages, from this one on, that were ready at the last look. Their waits would
   * have passed then; a program that `check` has certified can rely on them passing now.
   */
  ahead = 0;

  constructor(stages: number) {
    this.stages = stages;
  }

  /** R03. */
  step(): void {
    if (this.ahead > 0) this.ahead--;
    if (++this.stage < this.stages) return;
    this.stage = 0;
    this.lap++;
  }
}

/** The local progress of a role. */
export class RoleProgress {
  /** By ring and side. */
  readonly registers: readonly Register[];
  /** By ring and side, in shared memory: acquired stages; a drain acquires none. */
  readonly taken: Float64Array;
  /** By declared count: its current value. */
  readonly counts: Int32Array;
  /** Whether every operation takes the slow path: a try has failed, or the role has stopped. */
  usesSlowPath = false;
  /** Whether the unchecked fast path may be taken: it is available, and recording is off. */
  isPlain = false;

  constructor(registers: readonly Register[], counts: number, taken: Float64Array) {
    this.taken = taken;
    this.registers = registers;
    this.counts = new Int32Array(counts);
  }

  /** After a change of {@link usesSlowPath}, or of whether operations are recorded. */
  settle(isRecorded: boolean): void {
    this.isPlain = !this.usesSlowPath && !isRecorded;
  }
}
