// tier: deep
// Random programs on real threads: the certified run to their end, every trace is a path of the
// machine, and what goes wrong is what `check` finds too. None hangs in silence.
import assert from 'node:assert/strict';
import process from 'node:process';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../accepting.ts';
import { Crew, run, type RunResult } from '#src/run/index';
import { randomProgram, type DullProgram } from '@poundlock/fuzz/internal/order';
import { SEED, sized } from '../fuzz/runs.ts';
import random from './random-kernel.ts';

const { RUN_FUZZ_RUNS = '150' } = process.env;
const RUNS = Number(RUN_FUZZ_RUNS);
const TIME = { timeoutMs: 5_000, now: () => performance.now() };
const BOUNDS = { ...TIME, maxStates: 30_000, maxEvents: 10_000 };
const TIMEOUT_MS = 3_000;

const LAUNCHES = /"(?:async\w+|commit\w*|copy|issue)"/;

const crew = new Crew();
after(() => crew[Symbol.asyncDispose]());

const module = new URL('./random-kernel.ts', import.meta.url);

type Verdict = Awaited<ReturnType<typeof check>>['verdict'];

/** What is wrong with how a program ran; empty when nothing is. */
async function faultsOf(program: DullProgram, counted: Record<string, number>): Promise<string[]> {
  const params = { program: JSON.stringify(program) };
  const { verdict } = await check(random, { params, ...BOUNDS });
  for (const conform of [true, false]) {
    const faults = await faultsOfRun(params, verdict, conform, counted);
    if (faults.length > 0) return faults.map((fault) => `conform: ${conform}: ${fault}`);
  }
  return faultsUnrecorded(params, verdict, counted);
}

/** What is not recorded looks ahead: it ends all the same, and well where that is proved. */
async function faultsUnrecorded(
  params: { readonly program: string },
  verdict: Verdict,
  counted: Record<string, number>,
): Promise<string[]> {
  const options = { module, crew, maxRecords: 0, timeoutMs: TIMEOUT_MS };
  const { findings, reason } = await run(random, params, options);
  const what = reason !== undefined ? 'stopped' : findings.length > 0 ? 'found' : 'ended';
  counted[`unrecorded ${verdict}, ${what}`] = (counted[`unrecorded ${verdict}, ${what}`] ?? 0) + 1;
  return verdict === 'certified' && what !== 'ended' ? [`unrecorded: certified, but ${what}`] : [];
}

/**
 * Without `conform` handles are used again and their operations go the short way; these programs
 * are small enough that all of it is recorded all the same.
 */
async function faultsOfRun(
  params: { readonly program: string },
  verdict: Verdict,
  conform: boolean,
  counted: Record<string, number>,
): Promise<string[]> {
  let result: RunResult;
  try {
    result = await run(random, params, { module, crew, conform, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    return [`it threw: ${String(error)}`];
  }
  const { conforms, findings, reason } = result;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const what = errors.length > 0 ? 'found' : 'ended';
  counted[`${verdict}, ${what}`] = (counted[`${verdict}, ${what}`] ?? 0) + 1;
  // It says so itself: a role counts up for ever, say, and no search can tell that it is stuck.
  if (reason?.includes('timeout') && errors.length === 0 && verdict !== 'certified') {
    counted.timedOut = (counted.timedOut ?? 0) + 1;
    return [];
  }
  if (reason !== undefined && errors.length === 0) return [`${verdict}: ${reason}`];
  if (conforms !== true) return ['the trace does not conform to the model'];
  if (verdict === 'certified' && errors.length > 0) {
    return [`certified, but the run found ${errors.map(({ rule }) => rule).join()}`];
  }
  // Without choices the trace is the program: what is proved of one is proved of the other.
  if (result.recorded !== null) {
    const again = await check(result.recorded, { engine: 'certify' });
    const decided = again.verdict === 'certified' ? 'certified' : 'left open';
    counted[`trace of ${verdict} ${decided}`] =
      (counted[`trace of ${verdict} ${decided}`] ?? 0) + 1;
    if (verdict === 'counterexample' && again.verdict === 'certified') {
      return ['its trace is certified, but check has a counterexample'];
    }
  }
  // A role that polls and launches flights has more states than `check` can look at.
  if (/"(?:poll|spin)"/.test(params.program) && LAUNCHES.test(params.program)) return [];
  const faults: string[] = [];
  for (const { rule, replayToken: replay } of errors) {
    if (replay === undefined) return [`${rule} has no schedule`];
    const again = await check(random, { params, ...TIME, maxStates: 3_000, replay });
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
  assert.ok((counted.timedOut ?? 0) <= Math.max(1, RUNS / 50));
});
