// Sessions of WebTransport.
import type { Model } from '../model.ts';

export const webWebTransport: Model = {
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
