import { arrive, barrier, kernel, role, wait } from 'poundlock';
import { exportKernel } from 'poundlock/export';

const once = kernel('once', {}, () => {
  const full = barrier('full');
  return [
    role('load', function* () {
      arrive(full);
    }),
    role('mma', function* () {
      yield* wait(full, 0);
    }),
  ];
});
console.log(exportKernel(once, 'dot').startsWith('digraph')); // true