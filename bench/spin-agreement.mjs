// Compares our search with SPIN on random parameter sets of the models in bench/promela.
//
//   node bench/spin-agreement.mjs [--cases 50] [--seed 1] [--model m1,m4] [--seconds 30]
//
// Needs SPIN and a C compiler: apt-get install spin gcc. Prints every set where the verdicts differ
// or our counterexample is longer than SPIN's, and exits with 1 if there is one.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { check } from 'poundlock/check';
import { draw, generator, MODEL_NAMES } from './spin/draw.mjs';
import { macros, missingTool, spin } from './spin/spin.mjs';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    model: { type: 'string', default: MODEL_NAMES.join() },
    seconds: { type: 'string', default: '30' },
  },
});
const limits = { seconds: Number(values.seconds), megabytes: 4096 };
const MAX_STATES = 20_000_000;

const models = values.model.split(',');
const unknown = models.find((model) => !MODEL_NAMES.includes(model));
const problem =
  unknown === undefined
    ? await missingTool()
    : `there is no model ${unknown}; there are ${MODEL_NAMES.join(', ')}`;
if (problem === '') {
  let disagreements = 0;
  for (const model of models) disagreements += await compareModel(model);
  process.exitCode = disagreements > 0 ? 1 : 0;
} else {
  console.error(`spin-agreement: ${problem}`);
  process.exitCode = 2;
}

async function compareModel(model) {
  const { default: kernel } = await import(`../examples/models/${model}.ts`);
  const random = generator(Number(values.seed));
  const sets = new Map();
  for (let i = 0; i < Number(values.cases); i++) {
    const params = draw(model, random);
    sets.set(macros(params).toSorted().join(' '), params);
  }
  const queue = [...sets.entries()];
  const tally = { same: 0, different: 0, longer: 0, skipped: 0 };
  const work = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const [text, params] = next;
      const theirs = await spin(model, params, limits);
      const ours = await search(kernel, params);
      const outcome = judge(theirs, ours);
      tally[outcome]++;
      if (outcome === 'different' || outcome === 'longer') {
        console.log(`${outcome}: ${model} ${text}`);
        console.log(`  spin ${show(theirs)}`);
        console.log(`  ours ${show(ours)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const { same, different, longer, skipped } = tally;
  console.log(
    `${model}: ${sets.size} sets, ${same} same, ${different} different, ` +
      `${longer} longer, ${skipped} not decided in time`,
  );
  return different + longer;
}

async function search(kernel, params) {
  const { verdict, findings, stats } = await check(kernel, { params, maxStates: MAX_STATES });
  const errors = findings.filter((finding) => finding.severity === 'error');
  const lengths = errors.map((finding) => finding.trace?.length ?? 0);
  const steps = errors.length === 0 ? 0 : Math.min(...lengths);
  return { verdict, states: stats.states, steps, rule: errors[0]?.rule ?? '' };
}

function judge(theirs, ours) {
  if (theirs.verdict === 'INCONCLUSIVE' || ours.verdict === 'inconclusive') return 'skipped';
  const passes = theirs.verdict === 'PASS';
  if (passes !== (ours.verdict === 'certified')) return 'different';
  return ours.steps > theirs.steps ? 'longer' : 'same';
}

function show({ verdict, rule, steps, states }) {
  const name = rule ? `${verdict} (${rule})` : verdict;
  return `${name}${steps ? `, ${steps} steps` : ''}, ${states} states`;
}
