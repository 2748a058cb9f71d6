// What the type stripper takes of `node:buffer`: its WebAssembly, which the page sends as bytes.
// As text in the script it would have to be parsed with it, and be decoded.
let sent: Uint8Array | null = null;

/** Called once, before the stripper is loaded. */
export function setStripperBytes(bytes: Uint8Array): void {
  sent = bytes;
}

export const Buffer = {
  from: (): Uint8Array => {
    if (sent === null) throw new Error('the WebAssembly of the stripper has not been sent');
    return sent;
  },
};
