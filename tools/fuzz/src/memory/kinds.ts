// The kinds of random programs about memory: the same programs in each profile.
import type { FuzzKind } from '../kind.ts';
import type { LitmusProgram } from './litmus-program.ts';
import { litmusKernel } from './litmus-kernel.ts';
import { compare, type Profile } from './random/compare.ts';
import { isAgreed } from './random/disagreement.ts';
import { minimized } from './random/minimize.ts';
import { randomProgram } from './random/random-program.ts';

/** Programs in a chunk. */
const SHARE = 20;

function kindOf(profile: Profile, title: string): FuzzKind<LitmusProgram> {
  return {
    title,
    share: SHARE,
    memory: profile,
    kernel: litmusKernel,
    // Chunks have seeds in a row, and no program twice.
    draw: (seed, many) =>
      Array.from({ length: many }, (_, at) => randomProgram((seed * SHARE + at) % 2 ** 32)),
    // Equal programs have one name, whatever they were before.
    minimize: async (program, shows) => ({ ...(await minimized(program, shows)), id: 'small' }),
    look: async (check, program) => {
      const compared = await compare(check, program, profile);
      const { agreement, rules, shown } = compared;
      if (agreement === 'undecided') return { verdict: 'inconclusive', fault: '' };
      if (isAgreed(compared)) return { verdict: agreement, fault: '' };
      const answer = rules.length === 0 ? 'certified' : rules.join();
      const fault = `check says ${answer}, all executions ${shown.join('; ') || 'are good'}`;
      return { verdict: agreement, fault };
    },
  };
}

/** By name. */
export const MEMORY_KINDS = {
  practice: kindOf('practice', 'memory, as hardware is known to behave'),
  isa: kindOf('isa', 'memory, by the letter of the ISA'),
} as const;
