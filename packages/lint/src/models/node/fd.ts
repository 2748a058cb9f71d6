// File descriptors: plain numbers, recognized by the call that returns them.
import type { ResourceModel } from '../model.ts';

export const nodeFd: ResourceModel = {
  id: 'node.fd',
  modules: ['node:fs', 'fs-extra', 'graceful-fs'],
  types: ['fd'],
  acquire: [
    { call: 'openSync', receiver: /^(fs|fse|nodeFs|fsExtra)$/, bare: true },
    { call: 'open', receiver: /^(fs|fse|nodeFs|fsExtra)$/, callback: 1 },
  ],
  release: [],
  // A value with methods is not a number but another library's file.
  alsoReleasedBy: ['close', 'read', 'readSync', 'write', 'writeSync', 'stat', 'statSync'],
  borrowers: [
    'readSync',
    'writeSync',
    'readvSync',
    'writevSync',
    'fstatSync',
    'fsyncSync',
    'fdatasyncSync',
    'ftruncateSync',
    'fchmodSync',
    'fchownSync',
    'futimesSync',
    'readFileSync',
    'writeFileSync',
    'appendFileSync',
    'read',
    'write',
    'fstat',
    'fsync',
    'spawn',
    'spawnSync',
    'fork',
    'execFile',
    'execFileSync',
  ],
  // A child process gets a copy of its own.
  borrowedAs: ['stdio'],
  via: [
    { call: 'closeSync', argument: 0, receiver: /^(fs|fse|nodeFs|fsExtra)$/, bare: true },
    { call: 'close', argument: 0, receiver: /^(fs|fse|nodeFs|fsExtra)$/ },
  ],
  doubleRelease: "EBADF, or closes a stranger's reused fd",
  useAfterRelease: 'EBADF / wrong file',
  leak: 'fd leak, EMFILE',
  evidence: 'probed',
};
