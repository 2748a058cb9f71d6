// What `cancel` and `close` leave of readers and writers, and what `releaseLock` does not.
export async function readsAfterCancel(stream: ReadableStream, signal?: AbortSignal): Promise<void> {
  const reader = stream.getReader();
  const cancel = (): void => {
    reader.cancel().catch(() => {});
  };
  if (signal?.aborted) cancel();
  try {
    for (;;) {
      const { done } = await reader.read();
      if (done) break;
    }
  } finally {
    reader.releaseLock();
  }
}
export async function pendingRead(stream: ReadableStream): Promise<unknown> {
  const reader = stream.getReader();
  const next = reader.read();
  await reader.cancel();
  return next;
}
async function drain(reader: ReadableStreamDefaultReader): Promise<void> {
  while (!(await reader.read()).done);
}
export async function drainsAfterCancel(stream: ReadableStream): Promise<void> {
  const reader = stream.getReader();
  await reader.cancel();
  await drain(reader);
  reader.releaseLock();
}
export async function closedAfterClose(stream: WritableStream): Promise<void> {
  const writer = stream.getWriter();
  await writer.close();
  await writer.closed;
}
export async function bodyAfterCancel(): Promise<unknown> {
  const response = await fetch('https://example.org');
  const reader = response.body!.getReader();
  await reader.cancel();
  return reader.read();
}

export async function afterLock(stream: ReadableStream): Promise<unknown> {
  const reader = stream.getReader();
  reader.releaseLock();
  return reader.read(); // expect: use-after-release
}
export async function afterBoth(stream: ReadableStream): Promise<unknown> {
  const reader = stream.getReader();
  await reader.cancel();
  reader.releaseLock();
  return await reader.read(); // expect: use-after-release
}
export async function onOnePath(stream: ReadableStream, keeps: boolean): Promise<void> {
  const reader = stream.getReader();
  if (keeps) await reader.cancel();
  else reader.releaseLock();
  await reader.read(); // expect: use-after-release
}
async function unlock(reader: ReadableStreamDefaultReader): Promise<void> {
  reader.releaseLock();
}
export async function inHelper(stream: ReadableStream): Promise<void> {
  const reader = stream.getReader();
  await unlock(reader);
  await reader.read(); // expect: use-after-release
}
export async function writeAfterClose(stream: WritableStream): Promise<void> {
  const writer = stream.getWriter();
  await writer.close();
  await writer.write('x'); // expect: use-after-release
}
