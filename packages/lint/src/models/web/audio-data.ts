// Blocks of audio samples.
import type { ResourceModel } from '../model.ts';

export const webAudioData: ResourceModel = {
  id: 'web.audioData',
  modules: ['lib'],
  types: ['AudioData'],
  acquire: [
    { call: 'AudioData', construct: true },
    { call: 'AudioDecoder', construct: true, option: 'output', callback: 0 },
    { call: 'clone', on: ['AudioData'] },
  ],
  release: ['close'],
  borrowers: ['encode'],
  takers: [
    { call: 'write', argument: 0 },
    { call: 'enqueue', argument: 0 },
  ],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'throws InvalidStateError',
  leak: 'memory',
  mildLeak: 'memory',
  evidence: 'probed',
};
