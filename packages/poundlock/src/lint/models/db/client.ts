// Clients that hold a connection or more: most live as long as the process, so that they are
// claimed only where the function that makes one also ends it.
import type { Acquire, Model } from '../model.ts';

const where = { receiver: /./, whenReleased: true } as const;
const made = (call: string): Acquire => ({ call, construct: true, ...where });

export const dbClient: Model = {
  id: 'db.client',
  modules: [],
  types: ['DatabaseClient'],
  acquire: [
    ...['Redis', 'IORedis', 'MongoClient', 'DataSource', 'DatabaseSync'].map(made),
    { call: 'createClient', ...where },
    { call: 'connect', async: true, whenReleased: true, receiver: /^(MongoClient|amqp|amqplib)$/ },
  ],
  release: ['end', 'close', 'destroy', 'disconnect', 'quit', 'terminate'],
  // Some connect with the first command, without being asked to.
  fates: ['connect', 'initialize'],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'fails',
  leak: 'connections stay open, and the process may not end',
  evidence: 'unverified',
};
