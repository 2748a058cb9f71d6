// Clients: they hold a pool from `connect` on.
// Off by default: applications use theirs as long as they run.
import type { ResourceModel } from '../model.ts';

export const mongodbClient: ResourceModel = {
  id: 'mongodb.client',
  modules: ['mongodb'],
  types: ['MongoClient'],
  acquire: [{ call: 'MongoClient', construct: true }],
  release: ['close', '[Symbol.asyncDispose]'],
  idempotent: true,
  starts: ['connect'],
  doubleRelease: 'ok',
  useAfterRelease: 'error',
  leak: 'pool',
  optIn: true,
  evidence: 'source',
};
