import { barrier, kernel, role, wait } from 'poundlock';
import { check } from 'poundlock/check';

const stuck = kernel('stuck', {}, () => {
  const full = barrier('full');
  return [
    role('mma', function* () {
      yield* wait(full, 0);
    }),
  ];
});
const { verdict, findings } = await check(stuck);
console.log(verdict, findings[0]?.rule); // counterexample deadlock