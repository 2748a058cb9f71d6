// Files and listeners of Deno.
import type { Model } from '../model.ts';

export const denoFile: Model = {
  id: 'deno.file',
  modules: ['deno'],
  types: ['FsFile', 'Listener'],
  acquire: [
    { call: 'open', async: true, receiver: /^Deno$/ },
    { call: 'listen', receiver: /^Deno$/ },
    { call: 'openSync', receiver: /^Deno$/ },
  ],
  release: ['close', '[Symbol.dispose]'],
  safe: ['readable', 'writable'],
  doubleRelease: 'BadResource',
  useAfterRelease: 'BadResource',
  leak: 'fd leak; test sanitizer fails',
  evidence: 'unverified',
};
