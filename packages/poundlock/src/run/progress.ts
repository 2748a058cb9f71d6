// What a role knows of its own progress: its registers, its counts, and which way operations go.

/** How far a role has come on one side of a ring (R01). */
export class Register {
  readonly stages: number;
  stage = 0;
  lap = 0;
  /**
   * How many stages, from this one on, have been seen to be ready. Their waits would have passed
   * then; that they pass now, too, is what a program that `check` has certified can rely on.
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

/** What a role knows of its own progress. */
export class RoleProgress {
  /** By ring and side. */
  readonly registers: readonly Register[];
  /** By ring and side, shared: stages that were acquired; a drain acquires none. */
  readonly taken: Float64Array;
  /** By count: how many there have been. */
  readonly counts: Int32Array;
  /** Whether everything goes the long way: a try has failed, or the role is over. */
  usesSlowPath = false;
  /** Whether nothing but the short way is to be thought of: it is open, and nothing is recorded. */
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
