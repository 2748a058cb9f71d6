// Handles that a promise or a listener of their own takes.
/** `resolve` as a callback of another promise takes what that is fulfilled with. */
export function resolvedBy(image: HTMLImageElement): Promise<ImageBitmap> {
  return new Promise((resolve, reject) => {
    image.addEventListener('load', () => {
      createImageBitmap(image).then(resolve).catch(reject);
    });
  });
}
export function resolvedWithOther(image: HTMLImageElement): Promise<void> {
  return new Promise((resolve, reject) => {
    image.addEventListener('load', () => {
      createImageBitmap(image).then(() => resolve()).catch(reject); // expect: leak
    });
  });
}

/** An observer that ends itself when it has seen what it waits for. */
if (document.querySelector('a') === null) {
  const observer = new MutationObserver(() => {
    if (document.querySelector('a')) observer.disconnect();
  });
  observer.observe(document.body, { childList: true });
}
if (document.querySelector('b') === null) {
  const observer = new MutationObserver(() => {}); // expect: note
  observer.observe(document.body, { childList: true });
}
