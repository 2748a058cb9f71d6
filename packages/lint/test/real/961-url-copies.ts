// URLs whose copies are shown: see ../cases/README.md.
export async function decoded(file: Blob): Promise<number> {
  const image = new Image();
  const url = URL.createObjectURL(file); // expect: leak
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
  return image.naturalWidth;
}
export async function decodedWell(file: Blob): Promise<number> {
  const image = new Image();
  const url = URL.createObjectURL(file); // expect: ok
  image.src = url;
  try { await image.decode(); } finally { URL.revokeObjectURL(url); }
  return image.naturalWidth;
}
export function loaded(file: Blob): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const url = URL.createObjectURL(file); // expect: ok
    const image = new Image();
    image.onload = () => { URL.revokeObjectURL(url); resolve(image); };
    image.onerror = () => { URL.revokeObjectURL(url); reject(new Error('image')); };
    image.src = url;
  });
}
export function byItsSource(file: Blob): void {
  const image = new Image();
  image.src = URL.createObjectURL(file); // expect: ok
  image.onload = () => URL.revokeObjectURL(image.src);
}
export function asText(blob: Blob, go: (url: string) => void): void {
  const url = String(URL.createObjectURL(blob)); // expect: ok
  go(url);
  URL.revokeObjectURL(url);
}
export function later(blob: Blob): void {
  const url = URL.createObjectURL(blob); // expect: ok
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 100);
}
