// Connections of their own: they begin with `connect`.
import type { ResourceModel } from '../model.ts';

/** Nobody else's client is told of a database, and of who opens it. */
const DATABASE = /(?=.*\b(user|connectionString|host):)(?=.*\b(database|connectionString):)/;

export const pgClient: ResourceModel = {
  id: 'pg.client',
  modules: ['pg'],
  types: ['Client'],
  acquire: [
    { call: 'Client', construct: true, receiver: /^(pg|postgres)$/i },
    { call: 'Client', construct: true, usedFor: ['query'] },
    { call: 'Client', construct: true, bare: true, receiver: /^Client$/, withText: DATABASE },
    { call: 'Client', construct: true, receiver: /./, whenReleased: true, evenOwn: true },
  ],
  release: ['end'],
  idempotent: true,
  starts: ['connect'],
  doubleRelease: 'does nothing',
  useAfterRelease: 'rejects `Client was closed and is not queryable`',
  leak: 'server connection',
  evidence: 'probed',
};
