// Models and variables.
// Off by default: models live as long as the program runs.
import type { ResourceModel } from '../model.ts';

export const tfVariable: ResourceModel = {
  id: 'tf.variable',
  modules: ['@tensorflow/tfjs', '@tensorflow/tfjs-core'],
  types: ['Variable', 'LayersModel', 'GraphModel'],
  acquire: [
    { call: 'loadLayersModel', async: true, receiver: /^tf$/ },
    { call: 'loadGraphModel', async: true, receiver: /^tf$/ },
  ],
  release: ['dispose'],
  doubleRelease: 'throws `already disposed`',
  useAfterRelease: 'predict() throws `already disposed`',
  leak: 'memory',
  mildLeak: 'memory',
  optIn: true,
  evidence: 'probed',
};
