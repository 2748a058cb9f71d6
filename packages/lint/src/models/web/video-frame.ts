// Video frames: a decoder has few, and stalls when they are not closed.
import type { ResourceModel } from '../model.ts';

export const webVideoFrame: ResourceModel = {
  id: 'web.videoFrame',
  modules: ['lib'],
  types: ['VideoFrame'],
  acquire: [
    { call: 'VideoFrame', construct: true },
    { call: 'VideoDecoder', construct: true, option: 'output', callback: 0 },
    { call: 'clone', on: ['VideoFrame'], receiver: /[fF]rame$/ },
    {
      call: 'read',
      async: true,
      on: ['ReadableStreamDefaultReader'],
      receiver: /[rR]eader$/,
      path: ['value'],
      untilDone: true,
      whenReleased: true,
    },
  ],
  release: ['close'],
  borrowers: [
    'encode',
    'drawImage',
    'texImage2D',
    'texSubImage2D',
    'copyExternalImageToTexture',
    'importExternalTexture',
    'createImageBitmap',
  ],
  takers: [
    { call: 'write', argument: 0 },
    { call: 'enqueue', argument: 0 },
  ],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'throws InvalidStateError',
  leak: 'decoder stalls when the frame pool is exhausted',
  evidence: 'probed',
};
