// Cursors: closed before their client is released.
import type { ResourceModel } from '../model.ts';

export const pgCursor: ResourceModel = {
  id: 'pg.cursor',
  modules: ['pg-cursor'],
  types: ['Cursor'],
  acquire: [{ call: 'Cursor', construct: true }],
  release: ['close'],
  idempotent: true,
  starts: ['read'],
  doubleRelease: 'does nothing',
  useAfterRelease: 'read() answers no rows, as at the end of them',
  leak: 'portal open; must precede client.release (order rule)',
  evidence: 'probed',
};
