// Audio contexts: browsers allow few.
import type { Model } from '../model.ts';

export const webAudioContext: Model = {
  id: 'web.audioContext',
  modules: ['lib'],
  types: ['AudioContext'],
  acquire: [{ call: 'AudioContext', construct: true }],
  release: ['close'],
  safe: ['state'],
  doubleRelease: 'rejects InvalidStateError',
  useAfterRelease: 'resume() rejects InvalidStateError',
  leak: 'hardware context (limit)',
  evidence: 'probed',
};
