// Audio contexts: browsers allow few.
import type { ResourceModel } from '../model.ts';

export const webAudioContext: ResourceModel = {
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
