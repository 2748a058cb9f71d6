// What such a program really does: every order of its rounds and options, with its real variables.
import type { Checker } from '../checker.ts';
import { toCapturedKernel, UPDATES, type CapturedProgram } from './captured-program.ts';
import type { Looked } from '../looked.ts';

/** What some run of a program does. */
export interface Truth {
  /** A role waits for ever. */
  hangs: boolean;
  /** A round does something else than it would with fresh variables. */
  differs: boolean;
}

/** Follows every run, one by one. Nothing of poundlock takes part. */
function truthOf({ workers, tiles, options, place, update, at, effect }: CapturedProgram) {
  const truth: Truth = { hangs: false, differs: false };
  const next = UPDATES[update];
  const many = options === 'try' ? 2 : options;
  const follow = (values: readonly number[], left: readonly number[]): void => {
    if (truth.hangs && truth.differs) return;
    for (let worker = 0; worker < workers; worker++) {
      if (left[worker] === 0) continue;
      const box = place === 'kernel' ? 0 : worker;
      for (let option = 0; option < many; option++) {
        const value = next(values[box]!, option);
        const acts = value === at;
        if (acts !== (next(0, option) === at)) truth.differs = true;
        const stops = acts && effect === 'hangs';
        if (stops) truth.hangs = true;
        follow(values.with(box, value), left.with(worker, stops ? 0 : left[worker]! - 1));
      }
    }
  };
  const each = <T>(value: T): T[] => Array.from({ length: workers }, () => value);
  follow(each(0), each(tiles));
  return truth;
}

/** How `check` and the truth disagree; '' where they do not. */
export async function lookAtCaptured(check: Checker, program: CapturedProgram): Promise<Looked> {
  const { hangs, differs } = truthOf(program);
  const { verdict, findings } = await check(toCapturedKernel(program), { memory: 'none' });
  const rules = findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
  const isRight =
    verdict === 'certified' ? !hangs && !differs : rules.length > 0 && (hangs || differs);
  // A counterexample of the steps alone is none of the program.
  const isTrue = hangs || !rules.includes('deadlock');
  const answer = `${verdict} ${rules.join()}`;
  const fault = isRight && isTrue ? '' : `${answer}, but hangs: ${hangs}, differs: ${differs}`;
  return { verdict: rules[0] ?? verdict, fault };
}
