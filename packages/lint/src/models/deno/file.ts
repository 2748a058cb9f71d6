// Files and listeners of Deno.
import type { ResourceModel } from '../model.ts';

export const denoFile: ResourceModel = {
  id: 'deno.file',
  modules: ['deno'],
  types: ['FsFile', 'Listener', 'Conn'],
  acquire: [
    { call: 'open', async: true, receiver: /^Deno$/ },
    { call: 'listen', type: 'Listener', receiver: /^Deno$/ },
    { call: 'connect', type: 'Conn', async: true, receiver: /^Deno$/ },
    { call: 'openSync', receiver: /^Deno$/ },
  ],
  release: ['close', '[Symbol.dispose]'],
  alsoReleasedBy: ['readable', 'writable'],
  doubleRelease: 'BadResource',
  useAfterRelease: 'BadResource',
  leak: 'fd leak; test sanitizer fails',
  evidence: 'unverified',
};
