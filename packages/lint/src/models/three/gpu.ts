// Geometries, materials, textures and render targets.
// Off by default: in practice the scene owns them.
import type { ResourceModel } from '../model.ts';

export const threeGpu: ResourceModel = {
  id: 'three.gpu',
  modules: ['three'],
  types: ['BufferGeometry', 'Material', 'Texture', 'WebGLRenderTarget'],
  acquire: [{ call: 'WebGLRenderTarget', construct: true }],
  release: ['dispose'],
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'the listeners of `dispose` are called again',
  useAfterRelease: 'it works, and what the GPU needs is made again',
  leak: 'GPU memory',
  optIn: true,
  evidence: 'probed',
};
