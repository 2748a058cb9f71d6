// Reasons why a certified mutant is correct: the fault changes nothing that a role waits for.

interface Reason {
  readonly of: RegExp;
  readonly why: string;
}

/** The first that fits is the reason. */
const REASONS: readonly Reason[] = [
  {
    of: /(drop|double), syncNamed$/,
    why: 'the four epilogue warps are one role, which needs no barrier of its own',
  },
  {
    of: /(move|double).*relinquish/,
    why: 'other allocations on this SM are outside of one kernel',
  },
  {
    of: /drop, waitStage clc_throttle as producer/,
    why: 'the response that load has fetched implies that the scheduler has seen its signal',
  },
  {
    of: /@1: .*, init (input\.full|accum\.empty|clc\.empty|clc_throttle\.(full|empty))$/,
    why: 'this barrier is unused in the odd CTA of a pair',
  },
  {
    of: /@1: drop, wait tmem_together/,
    why: 'only the leader works in the memory of the other CTA, and has to wait for it',
  },
  {
    of: /drop the drain/,
    why: 'a single CTA is not accessed from outside',
  },
  {
    of: /drop, waitGroup bulk 1/,
    why: 'with two sub-stages, the wait after the last one is enough for both tiles',
  },
  {
    of: /drop, store$/,
    why: 'the last split resets the lock, which in the original is another one for each output tile',
  },
  {
    of: /epilogue_load: aim at another barrier, arrive load_order\.empty/,
    why: 'epilogue_load continues by itself once: the order of the loads protects no data',
  },
  {
    of: /: move/,
    why: 'no wait depends on the order of the two, or another signal enforces it',
  },
];

/** Why a survivor is harmless, or `undefined`. */
export function reasonFor(name: string): string | undefined {
  return REASONS.find(({ of }) => of.test(name))?.why;
}
