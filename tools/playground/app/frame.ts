// The frame of programs: an origin of its own, without network and storage; starts their thread.

/** What the page says to the frame. */
export type ToFrame =
  | { readonly kind: 'start'; readonly run: number; readonly script: Blob }
  | { readonly kind: 'stop' }
  | { readonly kind: 'ask'; readonly request: unknown };

/** What the frame says to the page; `run` is the thread that it comes from. */
export type FromFrame =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly run: number; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly run: number; readonly message: string };

let worker: Worker | null = null;

function start(run: number, script: Blob): void {
  worker?.terminate();
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  worker = new Worker(address);
  URL.revokeObjectURL(address);
  const say = (message: FromFrame): void => parent.postMessage(message, '*');
  worker.addEventListener('message', ({ data }) => say({ kind: 'answer', run, answer: data }));
  worker.addEventListener('error', ({ message }) => say({ kind: 'failed', run, message }));
}

addEventListener('message', ({ source, data }: MessageEvent<ToFrame>) => {
  if (source !== parent) return;
  if (data.kind === 'start') start(data.run, data.script);
  else if (data.kind === 'ask') worker?.postMessage(data.request);
  else {
    worker?.terminate();
    worker = null;
  }
});
parent.postMessage({ kind: 'ready' } satisfies FromFrame, '*');
