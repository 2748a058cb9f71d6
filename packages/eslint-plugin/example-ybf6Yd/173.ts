import { isMainThread } from 'node:worker_threads';
import { compute, kernel, role } from 'poundlock';
import { RoleFailed, run } from 'poundlock/run';

const work = (): void => {
  throw new Error('no data');
};
export const failing = kernel('failing', {}, () => [
  role('load', function* () {
    yield* compute(100, work);
  }),
]);
if (isMainThread) {
  const options = { module: import.meta.url, export: 'failing' };
  const error: unknown = await run(failing, {}, options).catch((reason: unknown) => reason);
  console.log(error instanceof RoleFailed && error.role); // load
}