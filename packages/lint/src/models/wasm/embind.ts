// Classes of embind.
import type { ResourceModel } from '../model.ts';

export const wasmEmbind: ResourceModel = {
  id: 'wasm.embind',
  modules: ['opencv-ts', '@techstark/opencv-js', 'canvaskit-wasm'],
  types: ['Mat', 'MatVector'],
  acquire: [
    { call: 'Mat', construct: true, receiver: /^cv$/ },
    { call: 'MatVector', construct: true, receiver: /^cv$/ },
  ],
  release: ['delete', 'deleteLater'],
  doubleRelease: 'throws "instance already deleted"',
  useAfterRelease: 'throws "deleted object"',
  leak: 'wasm heap',
  evidence: 'probed',
};
