// `poundlock explain not-quiescent`.
import type { Page } from './page.ts';

const rejected = `import { arrive, barrier, kernel, role } from 'poundlock';

export default kernel('half-a-phase', {}, () => {
  const done = barrier('done', { count: 3 });

  const load = role('load', function* () {
    arrive(done);
  });

  const mma = role('mma', function* () {
    arrive(done);
  });

  return [load, mma];
});`;

const fix = `import { arrive, barrier, kernel, role } from 'poundlock';

export default kernel('whole-phase', {}, () => {
  const done = barrier('done', { count: 2 }); // one arrival from each role

  const load = role('load', function* () {
    arrive(done);
  });

  const mma = role('mma', function* () {
    arrive(done);
  });

  return [load, mma];
});`;

export const notQuiescent: Page = {
  rule: 'not-quiescent',
  title: 'the program ends with arrivals, bytes or flights left over',
  what:
    'Every role has ended, but a barrier is in the middle of a phase or a copy is still under ' +
    'way. Nobody was hurt this time, so it is a warning. It is often the first sign of a ' +
    'wrong count, and the next kernel that uses the same barrier starts in a state that it ' +
    'does not expect.',
  rejected,
  fix,
  seeAlso: ['over-arrival', 'missing-drain'],
};
