// Streams that read another one in `start`, and what is left of that when nobody reads them on.
export function relayed(response: Response): ReadableStream {
  return new ReadableStream({
    async start(controller) {
      const reader = response.body!.getReader(); // expect: leak
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        controller.enqueue(value);
      }
      controller.close();
    },
  });
}
export function relayedSafely(response: Response): ReadableStream {
  return new ReadableStream({
    async start(controller) {
      const reader = response.body!.getReader(); // expect: ok
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          controller.enqueue(value);
        }
        controller.close();
      } finally {
        await reader.cancel();
      }
    },
  });
}
export function parsed(input: ReadableStream<string>): ReadableStream {
  const reader = input.getReader(); // expect: leak
  return new ReadableStream({
    start(controller) {
      const pump = (): Promise<void> => reader.read().then(({ done, value }) => {
        if (done) return controller.close();
        controller.enqueue(value);
        return pump();
      });
      return pump();
    },
  });
}
export function parsedSafely(input: ReadableStream<string>): ReadableStream {
  const reader = input.getReader(); // expect: ok
  return new ReadableStream({
    start(controller) {
      const pump = (): Promise<void> => reader.read().then(({ done, value }) => {
        if (done) return controller.close();
        controller.enqueue(value);
        return pump();
      });
      return pump();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
export async function replayed(response: Response): Promise<ReadableStream> {
  const reader = response.body!.getReader(); // expect: ok
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
  }
  return new ReadableStream({
    start(controller) { for (const chunk of chunks) controller.enqueue(chunk); controller.close(); },
  });
}
export function counted(input: ReadableStream<Uint8Array>, count: (bytes: number) => void): ReadableStream {
  const reader = input.getReader(); // expect: ok
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read(); // expect: ok
      if (done) return controller.close();
      controller.enqueue(value);
      count(value.length);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
