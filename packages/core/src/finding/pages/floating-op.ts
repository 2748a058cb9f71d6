// `poundlock explain floating-op`.
import type { Page } from './page.ts';

const rejected = `import { kernel, pipeline, role } from 'poundlock';

export default kernel('floating', { stages: 2 }, ({ stages }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });
  const load = role('load', function* () {
    ab.drain(); // made, and not performed
  });
  return [load];
});`;

const fix = `import { kernel, pipeline, role } from 'poundlock';

export default kernel('performed', { stages: 2 }, ({ stages }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });
  const load = role('load', function* () {
    yield* ab.drain();
  });
  return [load];
});`;

export const floatingOp: Page = {
  rule: 'floating-op',
  title: 'an operation of a pipeline is made and never performed',
  what:
    'A blocking operation only happens when a role yields it: `yield* ' +
    'ab.acquireConsumer()`. Called without `yield*` it is an object that nobody looks at: ' +
    'the role does not wait, and acquires nothing.',
  rejected,
  fix,
  seeAlso: ['leaked-stage'],
};
