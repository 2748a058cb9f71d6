// Frames that come out of streams: whoever reads one closes it, or hands it on.
export async function dropped(reader: ReadableStreamDefaultReader<VideoFrame>, to: VideoEncoder) {
  for (;;) {
    const { value: frame, done } = await reader.read(); // expect: leak
    if (done) break;
    if (to.encodeQueueSize > 2) continue;
    to.encode(frame);
    frame.close();
  }
}
export async function closed(reader: ReadableStreamDefaultReader<VideoFrame>, to: VideoEncoder) {
  for (;;) {
    const { value: frame, done } = await reader.read(); // expect: ok
    if (done) break;
    if (to.encodeQueueSize > 2) {
      frame.close();
      continue;
    }
    to.encode(frame);
    frame.close();
  }
}
export async function untyped(reader: any, to: any) {
  for (;;) {
    const result = await reader.read(); // expect: leak
    if (result.done) return;
    if (to.isFull) continue;
    to.encode(result.value);
    result.value.close();
  }
}
export async function bytes(reader: ReadableStreamDefaultReader<Uint8Array>, limit: number) {
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read(); // expect: ok
    if (done || size > limit) break;
    size += value.length;
  }
  return size;
}
export async function file(reader: any, handle: any) {
  for (;;) {
    const { value, done } = await reader.read(); // expect: ok
    if (done) break;
    await handle.write(value);
  }
  handle.close();
}
