// Classes of wasm-bindgen: known by their `free`.
// Off by default: name the package in a model of your own.
import type { Model } from '../model.ts';

export const wasmBindgen: Model = {
  id: 'wasm.bindgen',
  modules: ['wasm-bindgen'],
  types: ['free'],
  acquire: [],
  release: ['free', '[Symbol.dispose]'],
  doubleRelease: 'null pointer error',
  useAfterRelease: 'null pointer error',
  leak: 'wasm heap',
  optIn: true,
  evidence: 'unverified',
};
