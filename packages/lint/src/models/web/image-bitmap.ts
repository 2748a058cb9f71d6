// Bitmaps in graphics memory.
import type { ResourceModel } from '../model.ts';

export const webImageBitmap: ResourceModel = {
  id: 'web.imageBitmap',
  modules: ['lib'],
  types: ['ImageBitmap'],
  acquire: [
    { call: 'createImageBitmap', async: true },
    { call: 'transferToImageBitmap', on: ['OffscreenCanvas'], receiver: /[cC]anvas$/ },
  ],
  release: ['close'],
  borrowers: [
    'drawImage',
    'texImage2D',
    'texSubImage2D',
    'copyExternalImageToTexture',
    'createImageBitmap',
  ],
  takers: [{ call: 'transferFromImageBitmap', argument: 0 }],
  idempotent: true,
  emptyAfterMove: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'its size is 0, drawing it throws InvalidStateError',
  leak: 'GPU/CPU memory',
  evidence: 'probed',
};
