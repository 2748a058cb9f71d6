// What amaro takes of `node:buffer`, in a browser: its module is base64.
export const Buffer = {
  from: (text: string): Uint8Array => {
    const characters = atob(text);
    const bytes = new Uint8Array(characters.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
    return bytes;
  },
};
