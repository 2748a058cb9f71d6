// `poundlock explain named-barrier-mismatch`.
import type { Page } from './page.ts';

const rejected = `import { kernel, role, syncNamed } from 'poundlock';

export default kernel('different-counts', {}, () => {
  const mma = role('mma', { lanes: 32 }, function* () {
    yield* syncNamed(1, 160);
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    yield* syncNamed(1, 128); // forgets the 32 threads of the other role
  });

  return [mma, epilogue];
});`;

const fix = `import { kernel, role, syncNamed } from 'poundlock';

export default kernel('same-count', {}, () => {
  const mma = role('mma', { lanes: 32 }, function* () {
    yield* syncNamed(1, 160);
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    yield* syncNamed(1, 160); // 32 + 128
  });

  return [mma, epilogue];
});`;

export const namedBarrierMismatch: Page = {
  rule: 'named-barrier-mismatch',
  title: 'roles meet at a named barrier with different thread counts',
  what:
    'Every thread that comes to a named barrier says how many threads meet there. The barrier ' +
    'opens when that many have arrived, so all of them must say the same number: the lanes of ' +
    'every role that takes part, those that only arrive included. Otherwise it opens too ' +
    'early, or never.',
  rejected,
  fix,
  seeAlso: ['divergent-exit', 'deadlock'],
};
