// Bodies of responses: read to the end, or cancelled.
// Off by default: an error answer whose body nobody reads is everywhere, and costs a connection
// until it is collected.
import type { ResourceModel } from '../model.ts';

export const webBody: ResourceModel = {
  id: 'web.body',
  modules: ['lib'],
  types: ['Response'],
  acquire: [{ call: 'fetch' }],
  release: ['text', 'json', 'arrayBuffer', 'blob', 'formData', 'bytes', 'cancel'],
  safe: ['ok', 'status', 'statusText', 'headers', 'url', 'type', 'redirected', 'bodyUsed'],
  doubleRelease: 'throws "Body is unusable" / locked',
  useAfterRelease: 'TypeError',
  leak: 'connection/socket kept until GC',
  optIn: true,
  evidence: 'probed',
};
