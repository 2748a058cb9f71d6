// Sessions: their transactions must end first.
import type { ResourceModel } from '../model.ts';

export const neo4jSession: ResourceModel = {
  id: 'neo4j.session',
  modules: ['neo4j-driver'],
  types: ['Session'],
  acquire: [{ call: 'session', on: ['Driver'], receiver: /[dD]river(\(\))?$/ }],
  release: ['close', '[Symbol.asyncDispose]'],
  idempotent: true,
  doubleRelease: 'ok',
  useAfterRelease: 'error',
  leak: 'connection held',
  evidence: 'source',
};
