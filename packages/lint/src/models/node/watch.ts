// Watchers of files.
import type { Model } from '../model.ts';

export const nodeWatch: Model = {
  id: 'node.watch',
  modules: ['node:fs', 'chokidar'],
  types: ['FSWatcher'],
  acquire: [{ call: 'watch', receiver: /^(fs|chokidar)$/ }],
  release: ['close'],
  idempotent: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'closed',
  leak: 'inotify handle; keeps loop alive',
  evidence: 'probed',
};
