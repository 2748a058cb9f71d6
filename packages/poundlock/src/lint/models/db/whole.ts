// Pools and databases as a whole: most live as long as the process, so that they are claimed only
// where the function that makes one also ends it.
import type { Acquire, Model } from '../model.ts';

const rest = {
  types: ['Database'],
  release: ['end', 'close', 'destroy', 'disconnect', 'quit', 'drain', 'terminate'],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'fails',
  leak: 'connections stay open, and the process may not end',
  evidence: 'unverified',
} as const;

const where = { receiver: /./, whenReleased: true } as const;
const made = (call: string): Acquire => ({ call, construct: true, ...where });

export const dbWhole: Model = {
  id: 'db.whole',
  modules: [],
  acquire: [
    ...['Pool', 'Sequelize', 'Database', 'DatabaseSync', 'Kysely'].map(made),
    ...['createPool', 'knex', 'Knex'].map((call) => ({ call, ...where })),
    { call: 'connect', async: true, whenReleased: true, receiver: /^(MongoClient|amqp|amqplib)$/ },
  ],
  ...rest,
};

/** Those that are opened later. */
export const dbStarted: Model = {
  id: 'db.started',
  modules: [],
  acquire: [
    ...['MongoClient', 'Redis', 'IORedis', 'DataSource'].map(made),
    { call: 'createClient', ...where },
  ],
  starts: ['connect', 'initialize'],
  ...rest,
};
