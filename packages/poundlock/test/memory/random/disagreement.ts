// What is wrong with a program on which `check` and its executions do not agree.
import type { CheckOptions } from '../../../src/check/index.ts';
import type { LitmusProgram } from '../litmus-program.ts';
import { compare, type Compared, type Profile } from './compare.ts';
import { minimized } from './minimize.ts';

/** Whether both agree, or one of them does not know. */
export function isAgreed({ agreement }: Compared): boolean {
  return agreement !== 'unsound' && agreement !== 'alarm';
}

/** A disagreement on the smallest program found that shows it. */
export async function complaintOf(
  program: LitmusProgram,
  profile: Profile,
  engine: CheckOptions['engine'] = 'auto',
): Promise<string> {
  const { agreement } = await compare(program, profile, engine);
  const small = await minimized(program, async (one) => {
    return (await compare(one, profile, engine)).agreement === agreement;
  });
  const { rules, shown } = await compare(small, profile, engine);
  const answer = rules.length === 0 ? 'certified' : rules.join();
  const text = `${agreement} in ${profile}, ${engine}: ${answer}; ${shown.join('; ') || 'all good'}`;
  return `${small.id}: ${text}\n${JSON.stringify(small)}`;
}
