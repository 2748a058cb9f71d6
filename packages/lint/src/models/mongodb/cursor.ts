// Change streams and cursors.
import type { ResourceModel } from '../model.ts';

export const mongodbCursor: ResourceModel = {
  id: 'mongodb.cursor',
  modules: ['mongodb'],
  types: ['FindCursor', 'ChangeStream', 'AggregationCursor'],
  acquire: [{ call: 'watch', on: ['Collection', 'Db', 'MongoClient'] }],
  release: ['close', 'toArray', '[Symbol.asyncDispose]'],
  idempotent: true,
  iterates: true,
  doubleRelease: 'ok',
  useAfterRelease: 'cursor closed',
  leak: 'server cursor until timeout',
  evidence: 'source',
};
