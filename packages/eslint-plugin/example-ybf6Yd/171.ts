import { isMainThread } from 'node:worker_threads';
import { compute, kernel, role } from 'poundlock';
import { Crew, run } from 'poundlock/run';

const work = kernel('work', {}, () => [
  role('work', function* () {
    yield* compute(100);
  }),
]);
export default work;

if (isMainThread) {
  await using crew = new Crew();
  for (let round = 0; round < 10; round++) await run(work, {}, { crew });
}