// File watchers.
import type { ResourceModel } from '../model.ts';

export const nodeWatch: ResourceModel = {
  id: 'node.watch',
  modules: ['node:fs', 'chokidar'],
  types: ['FSWatcher'],
  // With a signal, aborting that ends it.
  acquire: [{ call: 'watch', receiver: /^(fs|chokidar)$/, withText: /^(?![\s\S]*\bsignal\b)/ }],
  release: ['close'],
  idempotent: true,
  isOpenEnded: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'closed',
  leak: 'inotify handle; keeps loop alive',
  evidence: 'probed',
};
