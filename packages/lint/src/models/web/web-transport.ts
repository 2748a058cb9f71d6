// Sessions of WebTransport.
import type { ResourceModel } from '../model.ts';

export const webWebTransport: ResourceModel = {
  id: 'web.webTransport',
  modules: ['lib'],
  types: ['WebTransport'],
  acquire: [{ call: 'WebTransport', construct: true }],
  release: ['close'],
  idempotent: true,
  safe: ['closed'],
  doubleRelease: 'no-op',
  useAfterRelease: 'rejects',
  leak: 'connection',
  evidence: 'unverified',
};
