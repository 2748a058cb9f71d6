// DisposableStack and AsyncDisposableStack: what is registered is released with the stack.
import type { ResourceModel } from '../model.ts';

export const stdStack: ResourceModel = {
  id: 'std.stack',
  modules: ['lib'],
  types: ['DisposableStack', 'AsyncDisposableStack'],
  acquire: [
    { call: 'DisposableStack', construct: true },
    { call: 'AsyncDisposableStack', construct: true },
  ],
  release: ['dispose', 'disposeAsync', '[Symbol.dispose]', '[Symbol.asyncDispose]'],
  // An empty stack has nothing to release.
  starts: ['use', 'adopt', 'defer'],
  idempotent: true,
  safe: ['disposed'],
  doubleRelease: 'does nothing',
  useAfterRelease: 'a disposed stack throws ReferenceError',
  leak: 'everything registered with it stays open',
  evidence: 'probed',
};
