// tier: deep
// Random programs whose counts stand for any number: a proof holds for totals of every size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Exploration, noTraits } from '#src/check/certify/index';
import { Program } from '../../../core/src/program/index.ts';
import {
  dullSearch,
  randomProgram,
  toKernel,
  type DullProgram,
} from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from './runs.ts';

const MAX_DULL_STATES = 1_000;
const MAX_STATES = 1_000;
const MAX_EVENTS = 5_000;
/** Totals that are searched, for each count another one where counts differ. */
const TRIED = 4;
const LARGEST = 5;

const counting = randomProgram.filter(({ counts }) => counts.some((total) => total > 0));

/** Whether a program is proved with all its counts, but for those of nothing, as any number. */
function isProved(program: DullProgram): boolean {
  const learned = noTraits();
  for (;;) {
    const any = new Program(toKernel(program), {}, null, { from: 1, to: Infinity, least: 0 });
    const exploration = new Exploration(any, MAX_STATES, learned);
    let result: ReturnType<Exploration['run']> = 'running';
    while (result === 'running' && exploration.events < MAX_EVENTS) result = exploration.run(200);
    if (result === 'running') return false;
    if (result?.condition !== 'again') return result === null;
  }
}

test('what is proved for counts of any number holds for totals that are tried', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  let proved = 0;
  fc.assert(
    fc.property(counting, (program) => {
      if (!isProved(program)) return;
      proved++;
      const totals = [...new Set(program.counts.filter((total) => total > 0))];
      for (let tried = 0; tried < TRIED; tried++) {
        const to = totals.map((_, index) => (tried * (index + 1) + index) % LARGEST);
        const counts = program.counts.map((total) => (total > 0 ? to[totals.indexOf(total)]! : 0));
        const { verdict, rules } = dullSearch({ ...program, counts }, MAX_DULL_STATES);
        if (verdict !== 'counterexample') continue;
        assert.fail(`${[...rules].join(' ')} with ${counts.join()}: ${JSON.stringify(program)}`);
      }
    }),
    sized(SEED, Math.ceil(RUNS / 40)),
  );
  t.diagnostic(`${proved} proved`);
  if (RUNS >= 400) assert.ok(proved > RUNS / 400);
});
