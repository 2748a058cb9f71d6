// Decoders of images.
import type { ResourceModel } from '../model.ts';

export const webImageDecoder: ResourceModel = {
  id: 'web.imageDecoder',
  modules: ['lib'],
  types: ['ImageDecoder'],
  acquire: [{ call: 'ImageDecoder', construct: true }],
  release: ['close'],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'decode() rejects InvalidStateError',
  leak: 'memory',
  mildLeak: 'memory',
  evidence: 'probed',
};
