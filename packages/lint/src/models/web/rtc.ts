// Peer connections.
import type { ResourceModel } from '../model.ts';

export const webRtc: ResourceModel = {
  id: 'web.rtc',
  modules: ['lib'],
  types: ['RTCPeerConnection'],
  acquire: [{ call: 'RTCPeerConnection', construct: true }],
  release: ['close'],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'createOffer() rejects InvalidStateError',
  leak: 'sockets, ICE agents (browser limit ~500)',
  evidence: 'probed',
};
