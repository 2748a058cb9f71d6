// What amaro takes of `node:buffer`, in a browser: its WebAssembly, which the page sends as bytes.
// As text in the script it would have to be parsed with it, and be decoded.
let sent: Uint8Array | null = null;

/** Called once, before amaro is loaded. */
export function setStripperBytes(bytes: Uint8Array): void {
  sent = bytes;
}

export const Buffer = {
  from: (): Uint8Array => {
    if (sent === null) throw new Error('the WebAssembly of amaro has not been sent');
    return sent;
  },
};
