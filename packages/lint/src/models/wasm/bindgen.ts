// Classes of wasm-bindgen: recognized by their `free`, which a `FinalizationRegistry` calls for
// what is collected.
// Off by default: name the package in a model of your own.
import type { ResourceModel } from '../model.ts';

export const wasmBindgen: ResourceModel = {
  id: 'wasm.bindgen',
  modules: ['wasm-bindgen'],
  types: ['free'],
  acquire: [],
  release: ['free', '[Symbol.dispose]'],
  doubleRelease: 'throws `null pointer passed to rust`',
  useAfterRelease: 'throws `null pointer passed to rust`',
  leak: 'wasm heap',
  mildLeak: 'collected',
  optIn: true,
  evidence: 'probed',
};
