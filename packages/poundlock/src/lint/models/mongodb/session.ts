// Sessions.
import type { Model } from '../model.ts';

export const mongodbSession: Model = {
  id: 'mongodb.session',
  modules: ['mongodb', 'mongoose'],
  types: ['ClientSession'],
  acquire: [{ call: 'startSession', receiver: /(client|mongoose|connection|conn)(\(\))?$/i }],
  release: ['endSession', '[Symbol.asyncDispose]'],
  idempotent: true,
  doubleRelease: 'ok',
  useAfterRelease: 'MongoExpiredSessionError',
  leak: 'server session until timeout',
  evidence: 'source',
};
