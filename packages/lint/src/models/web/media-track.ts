// Streams of camera, microphone and screen: every track has to be stopped.
// Code that requests the tracks is assumed to stop them.
import type { ResourceModel } from '../model.ts';

export const webMediaTrack: ResourceModel = {
  id: 'web.mediaTrack',
  modules: ['lib'],
  types: ['MediaStream'],
  acquire: [
    { call: 'getUserMedia', async: true, on: ['MediaDevices'], receiver: /mediaDevices$/ },
    { call: 'getDisplayMedia', async: true, on: ['MediaDevices'], receiver: /mediaDevices$/ },
  ],
  release: ['getTracks'],
  alsoReleasedBy: ['getVideoTracks', 'getAudioTracks'],
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'the track has ended for good',
  leak: 'camera light stays on',
  evidence: 'probed',
};
