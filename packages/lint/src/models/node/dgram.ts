// Datagram sockets.
import type { ResourceModel } from '../model.ts';

export const nodeDgram: ResourceModel = {
  id: 'node.dgram',
  modules: ['node:dgram'],
  types: ['Socket'],
  acquire: [{ call: 'createSocket', receiver: /^dgram$/ }],
  release: ['close', '[Symbol.asyncDispose]'],
  doubleRelease: 'throws ERR_SOCKET_DGRAM_NOT_RUNNING',
  useAfterRelease: 'throws',
  leak: 'port held',
  evidence: 'probed',
};
