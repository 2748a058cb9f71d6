// The stage of bench/pipe.mjs: what a part of a log adds up to.
export function parse(part) {
  let [lines, bytes, slow] = [0, 0, 0];
  for (const line of Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    .toString()
    .split('\n')) {
    if (line === '') continue;
    const { size, ms } = JSON.parse(line);
    lines++;
    bytes += size;
    if (ms > 900) slow++;
  }
  return { lines, bytes, slow };
}
