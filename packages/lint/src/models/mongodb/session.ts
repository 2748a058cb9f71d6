// Sessions.
import type { ResourceModel } from '../model.ts';

export const mongodbSession: ResourceModel = {
  id: 'mongodb.session',
  modules: ['mongodb', 'mongoose'],
  types: ['ClientSession'],
  acquire: [
    { call: 'startSession', receiver: /(client|mongoose|connection|conn)(\(\))?$/i },
    // Models of mongoose have the method, too, under any name.
    { call: 'startSession', async: true, receiver: /./, usedFor: ['withTransaction'] },
    { call: 'startSession', async: true, receiver: /./, usedFor: ['startTransaction'] },
  ],
  release: ['endSession', '[Symbol.asyncDispose]'],
  idempotent: true,
  doubleRelease: 'ok',
  useAfterRelease: 'MongoExpiredSessionError',
  leak: 'server session until timeout',
  evidence: 'source',
};
