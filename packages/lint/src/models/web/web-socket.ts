// WebSocket and EventSource connections.
// Off by default: events end most of them, where no path of a function shows it.
import type { ResourceModel } from '../model.ts';

export const webWebSocket: ResourceModel = {
  id: 'web.webSocket',
  modules: ['lib'],
  types: ['WebSocket', 'EventSource'],
  acquire: [
    { call: 'WebSocket', construct: true },
    { call: 'EventSource', construct: true },
  ],
  release: ['close'],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'send() drops what it is given, without an error',
  leak: 'connection',
  optIn: true,
  evidence: 'probed',
};
