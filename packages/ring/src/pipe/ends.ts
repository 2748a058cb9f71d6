// The ends of a pipe: what items can be read from, and what they can be written to.
import { InputError } from '../../../core/src/base/index.ts';
import { nodeProcess } from '../platform.ts';

/** A Web stream to read. */
interface WebReadable<T> {
  readonly getReader: () => {
    readonly read: () => Promise<{ done: boolean; value?: T | undefined }>;
    readonly cancel: (reason?: unknown) => Promise<void>;
  };
}

/** What a pipe reads from: any iterable, a Web `ReadableStream`, or a `Readable` of Node. */
export type PipeSource<T> = Iterable<T> | AsyncIterable<T> | WebReadable<T>;

/** A Web stream to write. */
interface WebWritable {
  readonly getWriter: () => {
    readonly ready: Promise<unknown>;
    readonly closed: Promise<unknown>;
    readonly write: (item: never) => Promise<void>;
    readonly close: () => Promise<void>;
    readonly abort: (reason?: unknown) => Promise<void>;
  };
}

/** A stream of Node to write. */
interface NodeWritable {
  readonly write: (item: never) => boolean;
  readonly end: () => unknown;
  readonly destroy: (error?: Error) => unknown;
  readonly on: (event: string, listener: (value: unknown) => void) => unknown;
  readonly off: (event: string, listener: (value: unknown) => void) => unknown;
}

/**
 * What a pipe writes to: a function that is called with each item, a Web `WritableStream`, or a
 * `Writable` of Node.
 */
export type PipeSink<T> = ((item: T) => unknown) | WebWritable | NodeWritable;

/** An open source. */
export interface OpenSource {
  readonly next: () => Promise<IteratorResult<unknown, unknown>> | IteratorResult<unknown, unknown>;
  /** Reads no more; the promise waits for what the source still does, if that can end now. */
  readonly cancel: (reason: unknown) => Promise<unknown>;
}

const has = (value: unknown, ...names: readonly PropertyKey[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Record<PropertyKey, unknown>)[name] === 'function');

/** Opens a source. */
export function openSource(source: PipeSource<unknown>): OpenSource {
  if (has(source, 'getReader')) {
    const reader = (source as WebReadable<unknown>).getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<unknown, unknown>>,
      cancel: async (reason) => reader.cancel(reason).catch(() => {}),
    };
  }
  const iterator =
    (source as AsyncIterable<unknown>)[Symbol.asyncIterator]?.() ??
    (source as Iterable<unknown>)[Symbol.iterator]?.();
  if (iterator === undefined) {
    throw new InputError(
      'the source of a pipe must be an iterable, a ReadableStream, or a Readable of Node',
    );
  }
  let pending = 0;
  return {
    next: () => {
      const next = iterator.next();
      if (!isThenable(next)) return next;
      pending++;
      return (next as Promise<IteratorResult<unknown, unknown>>).finally(() => void pending--);
    },
    cancel: async () => {
      if (has(source, 'destroy', 'pipe')) (source as unknown as NodeWritable).destroy();
      // While it computes its next item, an async generator does not end.
      const isBusy = pending > 0;
      const ending = Promise.resolve(iterator.return?.()).catch(() => {});
      if (!isBusy) await ending;
    },
  };
}

/** Whether a value has a method `then`. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined | null)?.then === 'function';
}

/** An open sink. */
export interface OpenSink {
  readonly write: (item: unknown) => unknown;
  readonly close: () => unknown;
  readonly abort: (error: unknown) => void;
}

/** Opens a sink; `failed` is called for an error that no call of it throws. */
export function openSink(sink: PipeSink<never>, failed: (error: unknown) => void): OpenSink {
  if (typeof sink === 'function') {
    return { write: sink as (item: unknown) => unknown, close: () => {}, abort: () => {} };
  }
  if (has(sink, 'getWriter')) return openWebSink(sink as WebWritable, failed);
  if (has(sink, 'write', 'end', 'on', 'destroy')) return openNodeSink(sink as NodeWritable, failed);
  throw new InputError(
    'the sink of a pipe must be a function, a WritableStream, or a Writable of Node',
  );
}

function openWebSink(sink: WebWritable, failed: (error: unknown) => void): OpenSink {
  const writer = sink.getWriter();
  let isOver = false;
  writer.closed.catch((error: unknown) => {
    if (!isOver) failed(error);
  });
  return {
    write: async (item) => {
      await writer.ready;
      // Its error arrives by `closed`, too.
      void writer.write(item as never).catch(() => {});
    },
    close: async () => {
      await writer.close();
      isOver = true;
    },
    abort: (reason) => {
      isOver = true;
      writer.abort(reason).catch(() => {});
    },
  };
}

/** These streams stay open after the program has written to them. */
const isStandard = (stream: unknown): boolean =>
  nodeProcess !== undefined && (stream === nodeProcess.stdout || stream === nodeProcess.stderr);

function openNodeSink(stream: NodeWritable, failed: (error: unknown) => void): OpenSink {
  let isOver = false;
  stream.on('error', (error: unknown) => {
    if (!isOver) failed(error);
  });
  stream.on('close', () => {
    if (!isOver) failed(new Error('the sink was closed before the end of the pipe'));
  });
  const event = (name: string): Promise<void> =>
    new Promise((resolve) => {
      const listener = (): void => {
        for (const each of [name, 'error', 'close']) stream.off(each, listener);
        resolve();
      };
      for (const each of [name, 'error', 'close']) stream.on(each, listener);
    });
  return {
    write: (item) => (stream.write(item as never) ? undefined : event('drain')),
    close: async () => {
      if (!isStandard(stream)) {
        const finished = event('finish');
        // From here on the stream may close.
        let error: unknown;
        stream.on('error', (thrown: unknown) => void (error = thrown));
        isOver = true;
        stream.end();
        await finished;
        if (error !== undefined) throw error;
      }
      isOver = true;
    },
    abort: (error) => {
      isOver = true;
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    },
  };
}
