// Decoders of images.
import type { Model } from '../model.ts';

export const webImageDecoder: Model = {
  id: 'web.imageDecoder',
  modules: ['lib'],
  types: ['ImageDecoder'],
  acquire: [{ call: 'ImageDecoder', construct: true }],
  release: ['close'],
  idempotent: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'rejects',
  leak: 'memory',
  evidence: 'unverified',
};
