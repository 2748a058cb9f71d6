// Clients that hold connections: most live as long as the process, so they are reported only where
// the function that creates one also closes it.
import type { AcquireCall, ResourceModel } from '../model.ts';

const where = { receiver: /./, whenReleased: true } as const;
const acquire = (call: string): AcquireCall => ({ call, construct: true, ...where });
const called = (call: string, receiver = /./): AcquireCall => ({ call, ...where, receiver });

const CLASSES = 'Redis IORedis MongoClient DataSource DatabaseSync Database PrismaClient NodeSSH';

export const dbClient: ResourceModel = {
  id: 'db.client',
  modules: [],
  types: ['DatabaseClient'],
  acquire: [
    ...CLASSES.split(' ').map(acquire),
    ...['createClient', 'postgres'].map((call) => called(call)),
    called('driver', /^neo4j$/),
    { ...called('open', /^sqlite3?$/), async: true },
    {
      ...called('connect', /^(MongoClient|amqp|amqplib|mssql|sql|mqtt)$/),
      async: true,
      evenInProject: true,
    },
  ],
  release: ['end', 'close', 'destroy', 'disconnect', '$disconnect', 'quit', 'terminate', 'dispose'],
  // Some connect implicitly with the first command.
  closedOnReject: ['connect', 'initialize'],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'fails',
  leak: 'connections stay open, and the process may not end',
  evidence: 'unverified',
};
