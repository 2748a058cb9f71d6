// What the type stripper takes of `node:util`, in a browser.
const { TextDecoder, TextEncoder } = globalThis;
export { TextDecoder, TextEncoder };
