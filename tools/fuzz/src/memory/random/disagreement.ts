// What is wrong with a program on which `check` and its executions do not agree.
import type { Checker, CheckerOptions } from '../../checker.ts';
import type { LitmusProgram } from '../litmus-program.ts';
import { compare, type Compared, type Profile } from './compare.ts';
import { minimized } from './minimize.ts';

/** Whether both agree, or one of them does not know. */
export function isAgreed({ agreement }: Compared): boolean {
  return agreement !== 'unsound' && agreement !== 'alarm';
}

/** A disagreement on the smallest program found that shows it. */
export async function complaintOf(
  check: Checker,
  program: LitmusProgram,
  profile: Profile,
  engine: CheckerOptions['engine'] = 'auto',
): Promise<string> {
  const { agreement } = await compare(check, program, profile, engine);
  const small = await minimized(program, async (one) => {
    return (await compare(check, one, profile, engine)).agreement === agreement;
  });
  const { rules, shown } = await compare(check, small, profile, engine);
  const answer = rules.length === 0 ? 'certified' : rules.join();
  const all = shown.join('; ') || 'all good';
  const text = `${agreement} in ${profile}, ${engine}: ${answer}; ${all}`;
  return `${small.id}: ${text}\n${JSON.stringify(small)}`;
}
