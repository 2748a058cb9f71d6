// File descriptors: plain numbers, known by where they come from.
import type { Model } from '../model.ts';

export const nodeFd: Model = {
  id: 'node.fd',
  modules: ['node:fs'],
  types: ['fd'],
  acquire: [
    { call: 'openSync', receiver: /^fs$/ },
    { call: 'open', receiver: /^fs$/, callback: 1 },
  ],
  release: [],
  // A child process gets a copy of its own.
  borrowers: ['spawn', 'spawnSync', 'fork', 'execFile', 'execFileSync'],
  via: [
    { call: 'closeSync', argument: 0, receiver: /^fs$/ },
    { call: 'close', argument: 0, receiver: /^fs$/ },
  ],
  doubleRelease: "EBADF, or closes a stranger's reused fd",
  useAfterRelease: 'EBADF / wrong file',
  leak: 'fd leak, EMFILE',
  evidence: 'probed',
};
