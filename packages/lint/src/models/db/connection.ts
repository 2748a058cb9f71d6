// Dedicated connections of drivers that open them immediately.
import type { ResourceModel } from '../model.ts';

export const dbConnection: ResourceModel = {
  id: 'db.connection',
  modules: ['mysql2', 'mysql2/promise', 'mysql', 'promise-mysql', 'mariadb'],
  types: ['Connection'],
  acquire: [
    {
      call: 'createConnection',
      async: true,
      unlessCallback: true,
      receiver: /^(mysql2?|mariadb)$/i,
    },
    {
      call: 'createConnection',
      async: true,
      unlessCallback: true,
      receiver: /./,
      whenReleased: true,
      evenInProject: true,
    },
  ],
  release: ['end', 'destroy', 'close', 'release'],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'rejects "Can\'t add new command when connection is in closed state"',
  leak: 'server connection',
  evidence: 'source',
};
