// Blob URLs: plain strings, recognized by the call that returns them.
import type { ResourceModel } from '../model.ts';

export const webObjectUrl: ResourceModel = {
  id: 'web.objectUrl',
  modules: ['lib'],
  types: ['URL'],
  acquire: [{ call: 'createObjectURL', receiver: /^(?!this$)./ }],
  release: [],
  via: [{ call: 'revokeObjectURL', argument: 0, receiver: /^(?!this$)./ }],
  carriers: ['String', 'toString', 'bypassSecurityTrustUrl', 'bypassSecurityTrustResourceUrl'],
  idempotent: true,
  isCopied: true,
  usableAfter: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'load fails',
  leak: 'blob pinned',
  evidence: 'probed',
};
