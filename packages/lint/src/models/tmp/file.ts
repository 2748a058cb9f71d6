// Temporary files of tmp-promise.
import type { ResourceModel } from '../model.ts';

export const tmpFile: ResourceModel = {
  id: 'tmp.file',
  modules: ['tmp', 'tmp-promise'],
  types: ['FileResult'],
  acquire: [
    { call: 'file', unlessCallback: true, async: true, receiver: /^tmp$/ },
    { call: 'dir', unlessCallback: true, async: true, receiver: /^tmp$/ },
  ],
  release: ['cleanup', 'removeCallback'],
  mayRelease: ['rm', 'rmSync', 'rmdir', 'rmdirSync', 'unlink', 'unlinkSync', 'remove', 'rimraf'],
  carriers: ['path', 'name'],
  usableAfter: true,
  outlivesProcess: true,
  endedAtExitBy: ['setGracefulCleanup'],
  doubleRelease: 'promise never settles (observed)',
  useAfterRelease: 'nothing is known of it',
  leak: 'temp files left',
  evidence: 'probed',
};
