import { FinalError, type RunJob } from '@poundlock/farm';

const run: RunJob = async ({ body, limitMs = 60_000 }) => {
  if (limitMs < 1_000) throw new FinalError('no job takes less than a second');
  return body.toUpperCase();
};
console.log(await run({ id: 'a', body: 'text', program: '{}' })); // TEXT