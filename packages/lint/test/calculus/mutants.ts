// Every weakened rule of the calculus must be caught by a program. By hand, as twin.ts.
import { RULES } from '#src/calculus/weaken';
import { compare } from './twin.ts';

for (const rule of RULES) {
  const { unsound } = compare(Number(process.argv[2] ?? 20000), 0, rule);
  console.log(rule, unsound[0] ?? 'NOT CAUGHT');
}
