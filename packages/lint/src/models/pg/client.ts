// Dedicated connections: the obligation starts with `connect`.
import type { ResourceModel } from '../model.ts';

/** Options that only database clients have. */
const DATABASE = /(?=.*\b(user|connectionString|host):)(?=.*\b(database|connectionString):)/;

export const pgClient: ResourceModel = {
  id: 'pg.client',
  modules: ['pg'],
  types: ['Client'],
  acquire: [
    { call: 'Client', construct: true, receiver: /^(pg|postgres)$/i },
    { call: 'Client', construct: true, usedFor: ['query'] },
    { call: 'Client', construct: true, bare: true, receiver: /^Client$/, withText: DATABASE },
    { call: 'Client', construct: true, receiver: /./, whenReleased: true, evenInProject: true },
  ],
  release: ['end'],
  idempotent: true,
  starts: ['connect'],
  doubleRelease: 'does nothing',
  useAfterRelease: 'rejects `Client was closed and is not queryable`',
  leak: 'server connection',
  evidence: 'probed',
};
