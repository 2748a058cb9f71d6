// Chunks of streams whose type is known: only those that can be closed are frames.
interface Part {
  readonly kind: string;
  readonly usage: number;
}

export async function again(
  reader: ReadableStreamDefaultReader<Part>,
  controller: ReadableStreamDefaultController<Part>,
): Promise<void> {
  let last: Part | null = null;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    last = value;
    controller.enqueue(value);
  }
  if (last) controller.enqueue(last);
}
export async function bytes(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  const { value } = await reader.read();
  if (value === undefined) return;
  await writer.write(value);
  await writer.write(value);
}
// Of an unknown type: a value that is passed on twice is plain data.
export async function untyped(source: any, controller: any): Promise<void> {
  const reader = source.getReader();
  const { done, value } = await reader.read();
  reader.releaseLock();
  if (done) return;
  controller.enqueue(value);
  controller.enqueue(value);
}
export async function generic<T>(
  reader: ReadableStreamDefaultReader<T>,
  controller: ReadableStreamDefaultController<T>,
): Promise<void> {
  const { done, value } = await reader.read();
  if (done) return;
  controller.enqueue(value);
  controller.enqueue(value);
}

export async function frames(
  reader: ReadableStreamDefaultReader<VideoFrame>,
  skip: boolean,
): Promise<void> {
  const { done, value } = await reader.read(); // expect: leak
  if (done || skip) return;
  value.close();
}
export async function closedAfterMove(
  reader: ReadableStreamDefaultReader<VideoFrame>,
  controller: ReadableStreamDefaultController<VideoFrame>,
): Promise<void> {
  const { done, value } = await reader.read();
  if (done) return;
  controller.enqueue(value);
  value.close(); // expect: double-release
}
export async function untypedFrames(reader: any, skip: boolean): Promise<void> {
  const { done, value } = await reader.read(); // expect: leak
  if (done || skip) return;
  value.close();
}
