// Message and broadcast channels.
import type { ResourceModel } from '../model.ts';

export const webChannel: ResourceModel = {
  id: 'web.channel',
  modules: ['lib', 'node:worker_threads'],
  types: ['BroadcastChannel', 'MessageChannel'],
  acquire: [{ call: 'BroadcastChannel', construct: true }],
  release: ['close'],
  idempotent: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'postMessage throws (BroadcastChannel) / ignored (port)',
  leak: 'keeps event loop alive in Node',
  evidence: 'probed',
};
