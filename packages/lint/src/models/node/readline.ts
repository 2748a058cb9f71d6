// Line readers of inputs without an end; other inputs close their reader when they end.
import type { ResourceModel } from '../model.ts';

export const nodeReadline: ResourceModel = {
  id: 'node.readline',
  modules: ['node:readline', 'node:readline/promises'],
  types: ['Interface'],
  acquire: [
    { call: 'createInterface', receiver: /^(readline|rl)$/, withText: /stdin/, bare: true },
  ],
  release: ['close', '[Symbol.dispose]'],
  idempotent: true,
  closedOnReject: ['question'],
  iterates: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'question throws ERR_USE_AFTER_CLOSE',
  leak: 'stdin kept open',
  evidence: 'probed',
};
