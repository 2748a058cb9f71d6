// What a program needs before it can run, begun before the page itself is read: the frame, the
// script of its thread, and what removes types. The first thread starts while the page does.
import type { FromFrame, ToFrame } from './frame.ts';

/** What was begun. */
export interface Early {
  readonly frame: HTMLIFrameElement;
  /** The script of the thread of a program; a blob is passed on without a copy. */
  readonly script: Promise<Blob>;
  /** The WebAssembly that removes types; who loads PTX never asks for it. */
  readonly stripper: Promise<Uint8Array>;
  /** Resolves once the frame listens. */
  readonly ready: Promise<void>;
  /** Resolves once the first thread, that of run 1, was started. */
  readonly started: Promise<void>;
}

function begin(): Early {
  const script = fetch('program.js').then((response) => response.blob());
  const stripper = fetch('stripper.wasm').then(async (response) => {
    return new Uint8Array(await response.arrayBuffer());
  });
  stripper.catch(() => undefined);
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.hidden = true;
  frame.title = 'programs run here';
  frame.src = 'sandbox.html';
  const ready = new Promise<void>((resolve) => {
    addEventListener('message', ({ source, data }: MessageEvent<FromFrame>) => {
      if (source === frame.contentWindow && data.kind === 'ready') resolve();
    });
  });
  document.body.append(frame);
  const started = Promise.all([script, ready]).then(([blob]) => {
    say(frame, { kind: 'start', run: FIRST_RUN, script: blob });
  });
  started.catch(() => undefined);
  return { frame, script, stripper, ready, started };
}

/** The run of the first thread. */
export const FIRST_RUN = 1;

/** Sends the frame a message. */
export function say(frame: HTMLIFrameElement, message: ToFrame): void {
  // The frame has no origin that could be named.
  frame.contentWindow?.postMessage(message, '*');
}

export const early: Early = begin();
