// Why a mutant that is certified is right to be: the fault changes nothing that anybody waits for.

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
    why: 'who else would allocate on this SM is outside of one kernel',
  },
  {
    of: /drop, waitStage clc_throttle as producer/,
    why: 'the response that load has fetched says that the scheduler has seen its signal',
  },
  {
    of: /@1: .*, init (input\.full|accum\.empty|clc\.empty|clc_throttle\.(full|empty))$/,
    why: 'nobody uses this barrier in the odd CTA of a pair',
  },
  {
    of: /@1: drop, wait tmem_together/,
    why: 'only the leader works in the memory of the other CTA, and has to wait for it',
  },
  {
    of: /: move/,
    why: 'the two are in no order that anybody waits for, or it is kept by another signal',
  },
];

/** Why a survivor is harmless, or `undefined`. */
export function reasonFor(name: string): string | undefined {
  return REASONS.find(({ of }) => of.test(name))?.why;
}
