// `poundlock worker`: runs the jobs of a farm on this machine, in threads.
import { duration, grouped } from '@poundlock/core/internal/base';
import type { Host } from '@poundlock/core/internal/host';
import { counted } from '../../report/index.ts';
import { ExitCode } from '../exit-code.ts';
import { openFarm } from '../farm/open-farm.ts';
import { canonicalJson, hashOf, type Job, type JobProgram } from '../jobs/job.ts';
import { engineVersion } from '../jobs/own-code.ts';
import { JobEndedError, JobPool } from '../jobs/pool.ts';
import { readTime } from '../options/amount.ts';
import { readWorkers } from '../options/workers.ts';
import type { Verb } from './verb.ts';

interface Options {
  readonly farm: string;
  readonly workers?: string;
  readonly trustPrograms?: true;
  readonly lock?: string;
}

const EXAMPLES = `
Examples:
  poundlock worker --farm redis://queue:6379                     runs PTX, which is data
  poundlock worker --farm redis://queue:6379 --trust-programs    runs programs, which are code
  poundlock worker --farm postgres://farm@queue/farm --workers 8

Ctrl-C ends it after the jobs that run; whatever ends it, no job is lost.`;

const NOT_TRUSTED =
  'jobs whose program is code are left to workers that were started with --trust-programs\n';

async function run(options: Options, host: Host): Promise<ExitCode> {
  const threads = readWorkers(options.workers);
  const trustsPrograms = options.trustPrograms === true;
  const lock = options.lock === undefined ? {} : { lockMs: readTime('--lock', options.lock) };
  const farm = await openFarm(options.farm);
  const { FinalError } = await import('@poundlock/farm');
  // A server that accepts connections and no queries yet is an error here, not one of each job.
  await farm.status();
  const programs = new ParsedPrograms();
  // The queue tries again, on this machine or another.
  const pool = new JobPool({ threads, now: host.now, maxTries: 1 });
  const start = host.now();
  let done = 0;
  const worker = farm.work(
    async ({ id, body, program: text, limitMs }) => {
      const job = JSON.parse(body) as Job;
      mustBe(job, id, body);
      const program = programs.of(text);
      if (job.program !== program.sha256)
        throw new FinalError('the job names another program than the one that came with it');
      const limit = limitMs === undefined ? {} : { limitMs };
      try {
        return await pool.run({ hash: id, job, source: { program }, program, ...limit });
      } catch (error) {
        // It would be ended again.
        throw error instanceof JobEndedError ? new FinalError(error.message) : error;
      }
    },
    {
      concurrency: threads,
      // While one job runs on a thread, the next one is on its way, and the last result.
      prefetch: threads,
      trustsPrograms,
      ...lock,
      onJob: (id, failure) => {
        done++;
        if (failure !== null) host.stderr.write(`job ${id.slice(0, 12)} failed: ${failure}\n`);
      },
    },
  );
  await worker.ready;
  host.stderr.write(`worker ${worker.id.slice(0, 8)}: ${counted(threads, 'thread')}, ready\n`);
  if (!trustsPrograms) host.stderr.write(NOT_TRUSTED);
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  host.onInterrupt(() => stop());
  await stopped;
  await worker.close();
  await pool.close();
  await farm.close();
  const spent = duration(host.now() - start);
  host.stderr.write(`worker ${worker.id.slice(0, 8)}: ${grouped(done)} jobs in ${spent}\n`);
  return ExitCode.clean;
}

/** The program that was parsed last: most jobs after each other are of one. */
class ParsedPrograms {
  #text = '';
  #program: JobProgram | null = null;

  of(text: string): JobProgram {
    if (this.#program === null || this.#text !== text) {
      this.#program = JSON.parse(text) as JobProgram;
      this.#text = text;
    }
    return this.#program;
  }
}

/** What was put into the queue by hand is not run under the name of another job. */
function mustBe(job: Job, id: string, body: string): void {
  if (job.engine !== engineVersion())
    throw new Error(`the job is of poundlock ${job.engine}, this is ${engineVersion()}`);
  if (hashOf(canonicalJson(JSON.parse(body))) !== id)
    throw new Error('the job does not have the hash that it is named by');
}

export const workerVerb: Verb = (command, host, done) => {
  command
    .requiredOption('--farm <URL>', 'redis://host:6379, or postgres://user@host/database')
    .option('--workers <N>', 'jobs at the same time, a thread each (default: one for each core)')
    .option('--trust-programs', 'also run programs: they are code, and do whatever they like')
    .option('--lock <TIME>', 'after this time without a sign, others take its jobs (default: 30s)')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => done(await run(options, host)));
};
