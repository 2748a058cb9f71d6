// Clients that hold a connection or more: most live as long as the process, so that they are claimed
// only where the function that makes one also ends it.
import type { Acquire, Model } from '../model.ts';

const rest = {
  modules: [],
  types: ['DatabaseClient'],
  release: ['end', 'close', 'destroy', 'disconnect', 'quit', 'terminate'],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'fails',
  leak: 'connections stay open, and the process may not end',
  evidence: 'unverified',
} as const;

const where = { receiver: /./, whenReleased: true } as const;
const made = (call: string): Acquire => ({ call, construct: true, ...where });

/** Open at once, or with the first command. */
export const dbOpen: Model = {
  id: 'db.open',
  acquire: [
    ...['Redis', 'IORedis', 'DatabaseSync'].map(made),
    { call: 'connect', async: true, whenReleased: true, receiver: /^(MongoClient|amqp|amqplib)$/ },
  ],
  ...rest,
};

/** Those that are opened later. */
export const dbStarted: Model = {
  id: 'db.started',
  acquire: [...['MongoClient', 'DataSource'].map(made), { call: 'createClient', ...where }],
  starts: ['connect', 'initialize'],
  ...rest,
};
