// Connections of a pool.
import type { ResourceModel } from '../model.ts';

export const mysql2PoolConnection: ResourceModel = {
  id: 'mysql2.poolConnection',
  modules: ['mysql2', 'mysql2/promise', 'mysql', 'promise-mysql', 'mariadb', 'oracledb'],
  types: ['PoolConnection'],
  acquire: [
    {
      call: 'getConnection',
      unlessCallback: true,
      async: true,
      on: ['Pool', 'PoolCluster'],
      receiver: /[pP]ool(\(\))?$/,
    },
    { call: 'getConnection', on: ['Pool'], receiver: /[pP]ool(\(\))?$/, callback: 1 },
    {
      call: 'getConnection',
      async: true,
      receiver: /./,
      whenReleased: true,
      evenInProject: true,
      unlessCallback: true,
    },
    {
      call: 'acquireConnection',
      async: true,
      receiver: /./,
      whenReleased: true,
      evenInProject: true,
    },
  ],
  // Some drivers without installed types name `release()` `close()`.
  release: ['release', 'destroy', 'end', 'close', '[Symbol.dispose]'],
  doubleRelease: "ignored, but a stale alias can return someone else's connection",
  useAfterRelease: "query runs on another holder's connection",
  leak: 'pool exhausted',
  evidence: 'source',
};
