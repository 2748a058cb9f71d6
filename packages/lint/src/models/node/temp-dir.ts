// Temporary directories that remove themselves.
import type { ResourceModel } from '../model.ts';

export const nodeTempDir: ResourceModel = {
  id: 'node.tempDir',
  modules: ['node:fs', 'node:fs/promises'],
  types: ['DisposableTempDir'],
  acquire: [{ call: 'mkdtempDisposable', async: true }, { call: 'mkdtempDisposableSync' }],
  release: ['remove', '[Symbol.dispose]', '[Symbol.asyncDispose]'],
  idempotent: true,
  outlivesProcess: true,
  doubleRelease: 'nothing is known of it',
  useAfterRelease: 'nothing is known of it',
  leak: 'directory left',
  evidence: 'source',
};
