// Intervals.
// Off by default: most intervals run as long as their process.
import type { ResourceModel } from '../model.ts';

export const nodeTimer: ResourceModel = {
  id: 'node.timer',
  modules: ['lib', 'node:timers'],
  types: ['Timeout'],
  acquire: [{ call: 'setInterval' }],
  release: [],
  via: [{ call: 'clearInterval', argument: 0, receiver: /.*/ }],
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'nothing is known of it',
  leak: 'keeps loop alive',
  optIn: true,
  evidence: 'probed',
};
