// Scores `poundlock lint --strict` on labeled cases: node scripts/lint-score.mjs [DIRECTORY]
// The directory has the format of packages/lint/test/cases; the contracts of its prelude
// are in its poundlock.config.ts.
import { join, resolve } from 'node:path';
import { lintProgram } from '../packages/lint/dist/public.js';
import { TypeScriptSeven } from '../packages/lint/dist/typescript/public.js';
import config from '../packages/lint/test/cases/poundlock.config.ts';
import { caseFiles, kindOf, score } from '../packages/lint/test/score.ts';

const here = join(import.meta.dirname, '..', 'packages', 'lint', 'test', 'cases');
const directory = resolve(process.argv[2] ?? here);
const compiler = new TypeScriptSeven(directory);
const findings = compiler
  .open(caseFiles(directory))
  .flatMap((program) => lintProgram(program, { ...config.lint, strict: true }).findings);
compiler.close();

const reported = findings.map(({ rule, primary }) => {
  return { file: primary.file, line: primary.line, kind: kindOf(rule) };
});
const isHard = (tags) => tags.some((tag) => tag === 'hard' || tag.startsWith('policy'));
const groups = {
  'without [hard] and [policy]': (tags) => !isHard(tags),
  '[hard] and [policy]': isHard,
  all: () => true,
};
for (const [name, counts] of Object.entries(groups)) {
  const { hits, misses, extras, precision, recall } = score(directory, reported, counts);
  const percent = (value) => `${(100 * value).toFixed(1)} %`;
  console.log(`${name}: precision ${percent(precision)}, recall ${percent(recall)}`);
  if (name !== 'all') continue;
  console.log(`${hits} hits, ${misses.length} misses, ${extras.length} extras`);
  for (const each of misses) console.log(`miss   ${each}`);
  for (const each of extras) console.log(`extra  ${each}`);
}
