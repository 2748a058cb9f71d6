// Encoders and decoders. An error closes them: ask `state` first.
import type { ResourceModel } from '../model.ts';

export const webCodec: ResourceModel = {
  id: 'web.codec',
  modules: ['lib'],
  types: ['VideoEncoder', 'VideoDecoder', 'AudioEncoder', 'AudioDecoder'],
  acquire: [
    { call: 'VideoEncoder', construct: true },
    { call: 'VideoDecoder', construct: true },
    { call: 'AudioEncoder', construct: true },
    { call: 'AudioDecoder', construct: true },
  ],
  release: ['close'],
  safe: ['state'],
  doubleRelease: 'throws InvalidStateError',
  useAfterRelease: 'configure() and encode() throw, flush() rejects InvalidStateError',
  leak: 'hardware codec held',
  evidence: 'probed',
};
