// The consuming end of thread-stream in bench/run.mjs: reads every byte.
import { Writable } from 'node:stream';

export default function sink({ bytes }) {
  const out = Buffer.alloc(bytes);
  return new Writable({
    write(chunk, _encoding, callback) {
      for (let at = 0; at < chunk.length; at += bytes) chunk.copy(out, 0, at, at + bytes);
      callback();
    },
  });
}
