// Writable streams of files in the origin private file system.
import type { ResourceModel } from '../model.ts';

export const webFileWritable: ResourceModel = {
  id: 'web.fileWritable',
  modules: ['lib'],
  types: ['FileSystemWritableFileStream'],
  acquire: [
    { call: 'createWritable', async: true, on: ['FileSystemFileHandle'], receiver: /[hH]andle$/ },
  ],
  release: ['close', 'abort'],
  doubleRelease: 'rejects TypeError',
  useAfterRelease: 'write() rejects TypeError',
  leak: 'data never committed, file lock kept',
  evidence: 'probed',
};
