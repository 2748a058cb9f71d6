// Random programs on real threads: the certified run to their end, every trace is a path of the
// machine, and what goes wrong is what `check` finds too. None hangs in silence.
import assert from 'node:assert/strict';
import process from 'node:process';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '#src/check/index';
import { Crew, run, type RunResult } from '#src/run/index';
import type { DullProgram } from '../fuzz/dull-program.ts';
import { randomProgram } from '../fuzz/random-program.ts';
import { SEED, sized } from '../fuzz/runs.ts';
import random from './random-kernel.ts';

const { RUN_FUZZ_RUNS = '150' } = process.env;
const RUNS = Number(RUN_FUZZ_RUNS);
const BOUNDS = {
  maxStates: 30_000,
  maxEvents: 10_000,
  timeoutMs: 5_000,
  now: () => performance.now(),
};
const TIMEOUT_MS = 10_000;

const crew = new Crew();
after(() => crew[Symbol.asyncDispose]());

const module = new URL('./random-kernel.ts', import.meta.url);

/** What is wrong with how a program ran; empty when nothing is. */
async function faultsOf(program: DullProgram, counted: Record<string, number>): Promise<string[]> {
  const params = { program: JSON.stringify(program) };
  const { verdict } = await check(random, { params, ...BOUNDS });
  let result: RunResult;
  try {
    result = await run(random, params, { module, crew, conform: true, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    return [`it threw: ${String(error)}`];
  }
  const { conforms, findings, reason } = result;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const what = errors.length > 0 ? 'found' : 'ended';
  counted[`${verdict}, ${what}`] = (counted[`${verdict}, ${what}`] ?? 0) + 1;
  if (reason !== undefined && errors.length === 0) return [`${verdict}: ${reason}`];
  if (conforms !== true) return ['the trace is no path of the machine'];
  if (verdict === 'certified' && errors.length > 0) {
    return [`certified, but the run found ${errors.map(({ rule }) => rule).join()}`];
  }
  const faults: string[] = [];
  for (const { rule, replay } of errors) {
    if (replay === undefined) return [`${rule} has no schedule`];
    const again = await check(random, { params, replay });
    const rules = again.findings.map((finding) => finding.rule);
    if (!rules.includes(rule)) faults.push(`check replays ${rule} as ${rules.join() || 'nothing'}`);
  }
  return faults;
}

test('random programs run as they are checked', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} RUN_FUZZ_RUNS=${RUNS}`);
  const counted: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(randomProgram, async (program) => {
      if (process.env['RUN_FUZZ_LOG']) console.error(JSON.stringify(program));
      const faults = await faultsOf(program, counted);
      assert.deepEqual(faults, [], JSON.stringify(program));
    }),
    sized(SEED, RUNS),
  );
  t.diagnostic(JSON.stringify(counted));
});
