// Handles that an iterator, an event or a subclass ends.
declare function lines(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncIterable<string>;
declare function work(): Promise<void>;

export class Lines {
  private reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  async read(stream: ReadableStream<Uint8Array>): Promise<void> {
    this.reader = stream.getReader();
    try {
      for await (const line of lines(this.reader)) console.log(line);
    } finally {
      this.reader = null;
    }
  }
  async stop(): Promise<void> {
    await this.reader?.cancel();
  }
}
export class NoLines {
  private reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  async read(stream: ReadableStream<Uint8Array>): Promise<void> {
    this.reader = stream.getReader();
    try {
      await work();
    } finally {
      this.reader = null; // expect: leak
    }
  }
  async stop(): Promise<void> {
    await this.reader?.cancel();
  }
}

export class Aborted {
  readonly #observer = new ResizeObserver(() => undefined);
  constructor(signal: AbortSignal, element: Element) {
    this.#observer.observe(element);
    signal.addEventListener('abort', () => {
      this.#observer.disconnect();
    });
  }
  close(): void {
    console.log('closed');
  }
}
export class NotAborted {
  readonly #observer = new ResizeObserver(() => undefined); // expect: leak
  constructor(signal: AbortSignal, element: Element) {
    this.#observer.observe(element);
    signal.addEventListener('abort', () => {
      console.log('aborted');
    });
  }
  close(): void {
    console.log('closed');
  }
}

export class Downloads {
  save(data: Blob): void {
    this.show(URL.createObjectURL(data));
  }
  lose(data: Blob): void {
    this.print(URL.createObjectURL(data)); // expect: leak
  }
  show(_url: string): void {
    throw new Error('not implemented');
  }
  print(url: string): void {
    console.log(url.length);
  }
}

/** What a page makes when it is loaded ends with it. */
window.addEventListener('load', () => {
  const observer = new MutationObserver(() => undefined); // expect: note
  observer.observe(document.body, { childList: true });
});
window.addEventListener('click', () => {
  const observer = new MutationObserver(() => undefined); // expect: leak
  observer.observe(document.body, { childList: true });
});

/** Nothing here calls it again: it observes the page to the end of that. */
export function observePage(): void {
  const observer = new MutationObserver(() => undefined); // expect: note
  observer.observe(document.body, { childList: true });
}
export function observeAgain(): void {
  const observer = new MutationObserver(() => undefined); // expect: leak
  observer.observe(document.body, { childList: true });
}
export function observeMany(names: string[]): void {
  for (const name of names) {
    observeAgain();
    console.log(name);
  }
}
/** An observer ends with the element that it observes. */
export function observeMade(): HTMLElement {
  const element = document.createElement('div');
  new ResizeObserver(() => undefined).observe(element); // expect: note
  return element;
}
export function observeGiven(element: HTMLElement): void {
  new ResizeObserver(() => undefined).observe(element); // expect: leak
}
export class Observing {
  start(): void {
    const observer = new MutationObserver(() => undefined); // expect: leak
    observer.observe(document.body, { childList: true });
  }
}
