// A worker of the tests, as a process that can be killed: the result of a job is a hash of it.
import { createHash } from 'node:crypto';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Farm, type FarmTask } from '#src/public';

const [, , url, version] = process.argv;
const farm = Farm.open({ url: url!, version: version! });
const run = async ({ body, program }: FarmTask): Promise<string> => {
  await sleep(5);
  if (body === 'poison') throw new Error('this job never works');
  return createHash('sha256').update(body).update(program).digest('hex');
};
farm.work(run, { concurrency: 4, trustsPrograms: false, lockMs: 1_000 });
