// Servers: they hold a port from `listen` on.
// Off by default: most servers run as long as their process.
import type { ResourceModel } from '../model.ts';

export const nodeServer: ResourceModel = {
  id: 'node.server',
  modules: ['node:http', 'node:https', 'node:net'],
  types: ['Server'],
  acquire: [{ call: 'createServer', receiver: /^(http|https|net)$/ }],
  release: ['close', '[Symbol.asyncDispose]'],
  starts: ['listen'],
  doubleRelease: 'callback gets ERR_SERVER_NOT_RUNNING',
  useAfterRelease: 'nothing is known of it',
  leak: 'port held',
  optIn: true,
  evidence: 'probed',
};
