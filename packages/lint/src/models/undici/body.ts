// Bodies of undici: read to the end, or dumped.
import type { ResourceModel } from '../model.ts';

export const undiciBody: ResourceModel = {
  id: 'undici.body',
  modules: ['undici'],
  types: ['BodyReadable'],
  acquire: [{ call: 'request', async: true, path: ['body'] }],
  release: ['text', 'json', 'arrayBuffer', 'blob', 'bytes', 'dump', 'destroy', 'cancel'],
  alsoReleasedBy: ['pipe', 'resume'],
  iterates: true,
  doubleRelease: 'text() throws AssertionError, dump() does nothing',
  useAfterRelease: 'rejects TypeError `unusable`',
  leak: 'socket not returned to the pool',
  evidence: 'probed',
};
