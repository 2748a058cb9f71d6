// Every weakened rule of the calculus must be caught by a program. By hand:
// node --conditions=poundlock-source packages/lint/test/calculus/mutants.ts 20000 [RULE…]
import { RULES } from '#src/calculus/weaken';
import { compare } from './compare.ts';
import { WIDE } from './random.ts';

const [count = '20000', ...rules] = process.argv.slice(2);
for (const rule of RULES) {
  if (rules.length > 0 && !rules.includes(rule)) continue;
  const [first] = compare(Number(count), 0, rule).unsound;
  const [wide] = first === undefined ? compare(Number(count), WIDE, rule).unsound : [];
  console.log(rule, first ?? wide ?? 'NOT CAUGHT');
}
