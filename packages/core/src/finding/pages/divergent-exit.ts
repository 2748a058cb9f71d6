// `poundlock explain divergent-exit`.
import type { Page } from './page.ts';

const rejected = `import { kernel, role, syncCluster } from 'poundlock';

export default kernel('early-return', { tiles: 0 }, ({ tiles }) => {
  const load = role('load', function* () {
    if (tiles === 0) return; // nothing to load, and nobody told the other role
    yield* syncCluster();
  });

  const mma = role('mma', function* () {
    yield* syncCluster();
  });

  return [load, mma];
});`;

const fix = `import { kernel, role, syncCluster } from 'poundlock';

export default kernel('common-end', { tiles: 0 }, ({ tiles }) => {
  const load = role('load', function* () {
    if (tiles > 0) {
      // … loads
    }
    yield* syncCluster();
  });

  const mma = role('mma', function* () {
    yield* syncCluster();
  });

  return [load, mma];
});`;

export const divergentExit: Page = {
  rule: 'divergent-exit',
  title: 'a role ends while others wait for it at the cluster barrier',
  what:
    'A cluster barrier opens when every role of the cluster has arrived. A role that returns ' +
    'early never does, and the others wait for it forever. Let every path through a role come ' +
    'to the barrier, also the one that finds nothing to do.',
  rejected,
  fix,
  seeAlso: ['missing-drain', 'deadlock'],
};
