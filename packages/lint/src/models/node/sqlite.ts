// Databases of SQLite.
import type { ResourceModel } from '../model.ts';

export const nodeSqlite: ResourceModel = {
  id: 'node.sqlite',
  modules: ['node:sqlite'],
  types: ['DatabaseSync'],
  acquire: [{ call: 'DatabaseSync', construct: true }],
  release: ['close', '[Symbol.dispose]'],
  doubleRelease: 'throws',
  useAfterRelease: 'throws',
  leak: 'file lock',
  evidence: 'source',
};
