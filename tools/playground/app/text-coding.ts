// What amaro takes of `node:util`, in a browser.
const { TextDecoder, TextEncoder } = globalThis;
export { TextDecoder, TextEncoder };
