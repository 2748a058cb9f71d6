// Clients that hold a connection or more: most live as long as the process, so that they are
// claimed only where the function that makes one also ends it.
import type { Acquire, ResourceModel } from '../model.ts';

const where = { receiver: /./, whenReleased: true } as const;
const made = (call: string): Acquire => ({ call, construct: true, ...where });
const called = (call: string, receiver = /./): Acquire => ({ call, ...where, receiver });

const CLASSES = 'Redis IORedis MongoClient DataSource DatabaseSync Database PrismaClient NodeSSH';

export const dbClient: ResourceModel = {
  id: 'db.client',
  modules: [],
  types: ['DatabaseClient'],
  acquire: [
    ...CLASSES.split(' ').map(made),
    ...['createClient', 'postgres'].map((call) => called(call)),
    called('driver', /^neo4j$/),
    { ...called('open', /^sqlite3?$/), async: true },
    {
      ...called('connect', /^(MongoClient|amqp|amqplib|mssql|sql|mqtt)$/),
      async: true,
      evenOwn: true,
    },
  ],
  release: ['end', 'close', 'destroy', 'disconnect', '$disconnect', 'quit', 'terminate', 'dispose'],
  // Some connect with the first command, without being asked to.
  fates: ['connect', 'initialize'],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'fails',
  leak: 'connections stay open, and the process may not end',
  evidence: 'unverified',
};
