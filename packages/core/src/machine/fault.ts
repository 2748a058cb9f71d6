// What can go wrong inside one transition, as a small integer and the barrier or buffer it hit.

/** Faults of the machine; each is a rule of the finding catalogue with the same name. */
export const Fault = {
  none: 0,
  overArrival: 1,
  txMismatch: 2,
  missingDrain: 3,
  uninitialisedBarrier: 4,
  useAfterFree: 5,
  doubleFree: 6,
  capacity: 7,
  namedBarrierMismatch: 8,
  divergentExit: 9,
  /** As `missingDrain`, where a buffer was reached and not a barrier. */
  missingDrainOfBuffer: 10,
  txOutOfRange: 11,
  /** Asynchronous work still uses the memory of its own CTA, which has ended. */
  exitWithOpenFlight: 12,
  registerMisuse: 13,
  clusterMisuse: 14,
  misalignedCount: 15,
  divergentBarrier: 16,
} as const;

export type Fault = (typeof Fault)[keyof typeof Fault];
