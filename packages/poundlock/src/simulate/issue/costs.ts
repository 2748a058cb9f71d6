// Prices of an SM whose warps compete, and of the memory behind it.

/** In cycles of the SM unless it says nanoseconds. */
export interface IssueCosts {
  readonly megahertz: number;
  readonly multiprocessors: number;
  readonly sharedBytes: number;
  /** From a launch to the next one, with a block that does nothing. */
  readonly launchNanoseconds: number;
  /** What the first block waits for instructions and parameters that no cache has. */
  readonly firstNanoseconds: number;
  /** Between the begins of two blocks of the GPU. */
  readonly blockNanoseconds: number;
  /** From a block's place to its first instruction. */
  readonly beginCycles: number;
  readonly l1HitCycles: number;
  readonly l2HitCycles: number;
  readonly hbmCycles: number;
  /** What comes back to an SM. */
  readonly smBytesPerCycle: number;
  /** Lines that the memory unit looks up. */
  readonly linesPerCycle: number;
  readonly l2Bytes: number;
  readonly l2BytesPerNanosecond: number;
  readonly hbmBytesPerNanosecond: number;
  /** What a stored byte takes of the memory, against a loaded one. */
  readonly storedWeight: number;
  /** How long requests queue at a full memory, and how fast that grows. */
  readonly l2QueueCycles: number;
  readonly hbmQueueCycles: number;
  readonly queueSteepness: number;
  readonly loadCycles: number;
  /** From the end of a multiplication to what waits for it, and how far they are issued ahead. */
  readonly multiplyCycles: number;
  readonly multiplyQueue: number;
  readonly barrierCycles: number;
  readonly branchCycles: number;
  /** Instructions that wait for the memory unit of an SM. */
  readonly memoryQueue: number;
}
