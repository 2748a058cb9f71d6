// Sessions of ONNX Runtime.
import type { ResourceModel } from '../model.ts';

export const onnxSession: ResourceModel = {
  id: 'onnx.session',
  modules: ['onnxruntime-web', 'onnxruntime-node', 'onnxruntime-common'],
  types: ['InferenceSession'],
  acquire: [
    {
      call: 'create',
      async: true,
      on: ['InferenceSession', 'InferenceSessionFactory'],
      receiver: /InferenceSession$/,
    },
  ],
  release: ['release'],
  doubleRelease: 'rejects `cannot release session`',
  useAfterRelease: 'rejects `cannot run inference`',
  leak: 'native memory',
  evidence: 'probed',
};
