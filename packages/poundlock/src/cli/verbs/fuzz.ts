// `poundlock fuzz`: holds `check` against independent searches, on random programs.
import { duration, InputError } from '@poundlock/core/internal/base';
import { mustBeWritable, Progress, type Host } from '@poundlock/core/internal/host';
import type { Disagreement } from '@poundlock/fuzz';
import { disagreementText } from '../../report/fuzz/index.ts';
import { counted } from '../../report/index.ts';
import { ExitCode } from '../exit-code.ts';
import { CORPUS, keep, storedIn, storedInFolder, nameOf } from '../fuzz/corpus-folder.ts';
import { drawnPrograms, openFuzz } from '../fuzz/open-fuzz.ts';
import { planFuzz } from '../fuzz/plan-fuzz.ts';
import { replay, type Replayed } from '../fuzz/replay.ts';
import { runFuzz } from '../fuzz/run-fuzz.ts';
import { FuzzSum, writeFuzz } from '../fuzz/sum.ts';
import { planHash, type FuzzPlan } from '../jobs/plan.ts';
import { ResultsFolder } from '../jobs/results-folder.ts';
import { readTime } from '../options/amount.ts';
import { readShard, readWorkers } from '../options/workers.ts';
import { paintFor } from '../reporter-environment.ts';
import type { Verb } from './verb.ts';

interface Options {
  readonly kind?: string;
  readonly seed?: string;
  readonly time?: string;
  readonly count?: string;
  readonly corpus: string;
  readonly replay?: readonly string[];
  readonly results?: string;
  readonly workers?: string;
  readonly shard?: string;
  readonly farm?: string;
  readonly json?: string | true;
}

const EXAMPLES = `
Examples:
  poundlock fuzz                                     for a minute, from a new seed
  poundlock fuzz --time 8h --results night           ends at any time; the same command goes on
  poundlock fuzz --count 10000 --seed 1 --kind users,polls
  poundlock fuzz --count 1e6 --seed 1 --shard 1/4 --results part-1
  poundlock merge part-*
  poundlock fuzz --replay fuzz-corpus                is what was found still there?

Exit code: 0 no disagreement, 1 disagreements, 2 could not run, 3 interrupted`;

/** A run without a time and without a number. */
const USUAL_MS = 60_000;
/** A checker that is this wrong needs no more. */
const MAX_DISAGREEMENTS = 20;

async function run(options: Options, host: Host): Promise<ExitCode> {
  await openFuzz();
  if (typeof options.json === 'string') mustBeWritable(options.json, host.cwd);
  const threads = readWorkers(options.workers);
  if (options.replay !== undefined) return replayAll(options.replay, threads, host);
  const { time, count, results: folder } = options;
  if (time !== undefined && count !== undefined)
    throw new InputError('--time and --count both say when it ends: leave one out');
  const shard = readShard(options.shard);
  if (shard !== null && (folder === undefined || options.seed === undefined))
    throw new InputError('--shard needs --results FOLDER, and the same --seed for every part');
  const results = folder === undefined ? null : new ResultsFolder(folder, host.cwd);
  results?.create();
  const plan = await planFuzz(options, results);
  results?.writePlan(plan, planHash(plan));

  const stored = await storedInFolder(options.corpus, host.cwd);
  const known = await replayStored(stored, threads, host);
  if (known === null) return ExitCode.inconclusive;
  const spent = time === undefined ? USUAL_MS : readTime('--time', time);
  const end = count === undefined ? host.now() + spent : Infinity;
  const { sum, isInterrupted } = await drawAll(
    plan,
    options,
    { end, threads, shard, results },
    host,
  );
  writeFuzz(await sum.report(plan), options.json, host);
  const isWrong = sum.disagreements.size > 0 || known.some(({ fault }) => fault !== '');
  if (isWrong) return ExitCode.findings;
  return isInterrupted ? ExitCode.inconclusive : ExitCode.clean;
}

interface Running {
  readonly end: number;
  readonly threads: number;
  readonly shard: ReturnType<typeof readShard>;
  readonly results: ResultsFolder | null;
}

/** Draws programs until it is over; each new disagreement is stored and shown at once. */
async function drawAll(
  plan: FuzzPlan,
  { corpus, farm, json }: Options,
  { end, threads, shard, results }: Running,
  host: Host,
): Promise<{ readonly sum: FuzzSum; readonly isInterrupted: boolean }> {
  const sum = new FuzzSum();
  const progress = new Progress(host);
  const paint = paintFor(host.stdout, host.env);
  const writing = new Map<string, Promise<void>>();
  let known = 0;
  const keepOne = async (name: string, found: Disagreement): Promise<void> => {
    const shown = await keep(found, corpus, host.cwd);
    sum.disagreements.set(name, shown);
    progress.clear();
    if (json !== true) host.stdout.write(disagreementText(shown, paint));
  };
  const isInterrupted = await runFuzz({
    host,
    plan,
    program: await drawnPrograms(),
    shard,
    threads,
    results,
    farm,
    isOver: () => host.now() >= end || writing.size >= MAX_DISAGREEMENTS,
    onResult: (result, isKnown) => {
      sum.add(result);
      if (isKnown) known++;
      const facts = [counted(writing.size, 'disagreement')];
      const amount = { done: sum.programs, all: plan.programs, unit: 'program', facts };
      progress.update('fuzzing', [amount]);
    },
    onDisagreement: (found) => {
      const name = nameOf(found);
      if (!writing.has(name)) writing.set(name, keepOne(name, found));
    },
  });
  await Promise.all(writing.values());
  progress.clear();
  if (known > 0) host.stderr.write(`${counted(known, 'result')} already there\n`);
  if (writing.size >= MAX_DISAGREEMENTS)
    host.stderr.write(`poundlock: ended after ${MAX_DISAGREEMENTS} disagreements\n`);
  if (isInterrupted) host.stderr.write('poundlock: interrupted; what was done is kept\n');
  return { sum, isInterrupted };
}

/** What was found before is looked at first. */
async function replayStored(
  stored: Awaited<ReturnType<typeof storedIn>>,
  threads: number,
  host: Host,
): Promise<readonly Replayed[] | null> {
  if (stored.length === 0) return [];
  const start = host.now();
  const again = await replay(stored, await drawnPrograms(), { host, threads });
  if (again === null) return null;
  const open = again.filter(({ fault }) => fault !== '').length;
  const took = duration(host.now() - start);
  host.stderr.write(
    `${counted(stored.length, 'known disagreement')}: ${open} still there (${took})\n`,
  );
  return again;
}

/** `--replay`: a line for each file. */
async function replayAll(names: readonly string[], threads: number, host: Host): Promise<ExitCode> {
  const stored = await storedIn(names, host.cwd);
  if (stored.length === 0) throw new InputError(`${names.join(', ')}: no disagreements`);
  const again = await replay(stored, await drawnPrograms(), { host, threads });
  if (again === null) return ExitCode.inconclusive;
  const paint = paintFor(host.stdout, host.env);
  for (const { file, disagreement, fault } of again) {
    const { kind } = disagreement;
    if (fault === '') host.stdout.write(`${paint.good('agreement')} ${kind}: ${file}\n`);
    else host.stdout.write(disagreementText({ kind, fault, file, commands: [file] }, paint));
  }
  return again.some(({ fault }) => fault !== '') ? ExitCode.findings : ExitCode.clean;
}

export const fuzzVerb: Verb = (command, host, done) => {
  command
    .option('--time <TIME>', 'end after 90s, 30m or 8h (default: 1m)')
    .option('--count <N>', 'end after so many programs')
    .option('--seed <N>', 'the seed of the first chunk (default: a new one, or that of --results)')
    .option('--kind <KINDS>', 'draw only these kinds, such as users,polls')
    .option('--corpus <FOLDER>', 'where disagreements are stored, and tried first', CORPUS)
    .option('--replay <FILE...>', 'only look again at disagreements: files, or a folder of them')
    .option('--workers <N>', 'threads that check programs (default: one for each core)')
    .option('--results <FOLDER>', 'keep results here; those that are there are not run again')
    .option('--shard <i/n>', 'run only the i-th of n parts, for `poundlock merge`')
    .option('--farm <URL>', 'check programs on the workers of a farm: redis:// or postgres://')
    .option('--json [FILE]', 'write a JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => done(await run(options, host)));
};
