// Response bodies: read to the end, or canceled. Off by default: unread bodies of error responses
// are common, and cost a connection only until they are garbage-collected: undici cancels the body
// of a response that is collected, unless a reader has locked or begun it.
import type { ResourceModel } from '../model.ts';

export const webBody: ResourceModel = {
  id: 'web.body',
  modules: ['lib'],
  types: ['Response'],
  acquire: [{ call: 'fetch' }],
  release: ['text', 'json', 'arrayBuffer', 'blob', 'formData', 'bytes', 'cancel'],
  // The code that gets the stream has to read it.
  alsoReleasedBy: ['body'],
  safe: ['ok', 'status', 'statusText', 'headers', 'url', 'type', 'redirected', 'bodyUsed'],
  doubleRelease: 'throws "Body is unusable" / locked',
  useAfterRelease: 'TypeError',
  leak: 'connection/socket kept until GC',
  mildLeak: 'collected',
  optIn: true,
  evidence: 'probed',
};
