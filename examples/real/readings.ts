// The job of examples/real: a log of sensor readings, packed by rows, becomes columns with a running
// mean and a mark on every outlier. Here are its parts; how they reach each other is elsewhere.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** Rows of one block, and the sensors that they are of. */
export const ROWS = 128;
export const SENSORS = 16;
/** The most bytes of a packed row: two numbers of up to five bytes, and a sensor. */
const MOST_ROW_BYTES = 11;
export const PACKED_BYTES = ROWS * MOST_ROW_BYTES;

/** The columns of one block. */
export interface Columns {
  rows: number;
  readonly time: Uint32Array;
  readonly value: Int32Array;
  readonly sensor: Uint8Array;
}

/** What is made of them. */
export interface Judged {
  rows: number;
  readonly time: Uint32Array;
  readonly mean: Float32Array;
  readonly sensor: Uint8Array;
  readonly outlier: Uint8Array;
}

/** Writes a log of `blocks` blocks: each its length in bytes, then its packed rows. */
export function writeLog(file: string, blocks: number): void {
  const fd = openSync(file, 'w');
  const bytes = new Uint8Array(PACKED_BYTES + 4);
  const values = new Int32Array(SENSORS);
  let seed = 1;
  const random = (most: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed >>> 8) % most;
  };
  try {
    for (let block = 0; block < blocks; block++) {
      let at = 4;
      for (let row = 0; row < ROWS; row++) {
        const sensor = random(SENSORS);
        const step = random(500) === 0 ? 20_000 : random(61) - 30;
        values[sensor]! += step;
        at = pack(bytes, at, random(200));
        bytes[at++] = sensor;
        at = pack(bytes, at, (step << 1) ^ (step >> 31));
        if (Math.abs(step) > 100) values[sensor]! -= step;
      }
      new DataView(bytes.buffer).setUint32(0, at - 4, true);
      writeSync(fd, bytes, 0, at);
    }
  } finally {
    closeSync(fd);
  }
}

const CHUNK_BYTES = 1 << 18;

/** Reads a log block by block, and the file in large pieces. */
export class LogReader {
  readonly #fd: number;
  readonly #chunk = new Uint8Array(CHUNK_BYTES);
  readonly #view = new DataView(this.#chunk.buffer);
  #at = 0;
  #end = 0;

  constructor(file: string) {
    this.#fd = openSync(file, 'r');
  }

  /** Copies the next block to `into` and answers its length; 0 at the end of the log. */
  next(into: Uint8Array): number {
    if (this.#end - this.#at < PACKED_BYTES + 4) this.#fill();
    if (this.#at === this.#end) {
      closeSync(this.#fd);
      return 0;
    }
    const length = this.#view.getUint32(this.#at, true);
    into.set(this.#chunk.subarray(this.#at + 4, this.#at + 4 + length));
    this.#at += 4 + length;
    return length;
  }

  #fill(): void {
    this.#chunk.copyWithin(0, this.#at, this.#end);
    this.#end -= this.#at;
    this.#at = 0;
    this.#end += readSync(this.#fd, this.#chunk, this.#end, CHUNK_BYTES - this.#end, null);
  }
}

/** Writes columns block by block, and the file in large pieces. */
export class ColumnWriter {
  readonly digest = new Digest();
  readonly #fd: number;
  readonly #chunk = new Uint8Array(CHUNK_BYTES);
  #at = 0;

  constructor(file: string) {
    this.#fd = openSync(file, 'w');
  }

  write(block: Judged): void {
    const { rows, time, mean, sensor, outlier } = block;
    if (this.#at + rows * 10 > CHUNK_BYTES) this.#flush();
    this.#put(time, rows * 4);
    this.#put(mean, rows * 4);
    this.#put(sensor, rows);
    this.#put(outlier, rows);
    this.digest.add(block);
  }

  close(): void {
    try {
      this.#flush();
    } finally {
      closeSync(this.#fd);
    }
  }

  #put({ buffer, byteOffset }: ArrayBufferView, bytes: number): void {
    this.#chunk.set(new Uint8Array(buffer, byteOffset, bytes), this.#at);
    this.#at += bytes;
  }

  #flush(): void {
    writeSync(this.#fd, this.#chunk, 0, this.#at);
    this.#at = 0;
  }
}

/** Seven bits a byte, the lowest first; the eighth says that more follow. */
function pack(bytes: Uint8Array, at: number, value: number): number {
  for (; value > 127; value >>>= 7) bytes[at++] = (value & 127) | 128;
  bytes[at++] = value;
  return at;
}

/** Unpacks the rows of one block: times are sums of their steps, values differ from the last. */
export class Decoder {
  #time = 0;
  decode(packed: Uint8Array, length: number, into: Columns): void {
    let at = 0;
    let row = 0;
    const number = (): number => {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = packed[at++]!;
        value |= (byte & 127) << shift;
        if (byte < 128) return value >>> 0;
      }
    };
    for (; at < length; row++) {
      this.#time += number();
      into.time[row] = this.#time;
      into.sensor[row] = packed[at++]!;
      const step = number();
      into.value[row] = (step >>> 1) ^ -(step & 1);
    }
    into.rows = row;
  }
}

/** The running mean of each sensor's steps, and who is far from it. */
export class Judge {
  readonly #means = new Float32Array(SENSORS);
  judge(columns: Columns, into: Judged): void {
    const { rows, time, value, sensor } = columns;
    for (let row = 0; row < rows; row++) {
      const which = sensor[row]!;
      const mean = this.#means[which]!;
      const far = Math.abs(value[row]! - mean) > 1000;
      into.outlier[row] = far ? 1 : 0;
      if (!far) this.#means[which] = mean + (value[row]! - mean) / 64;
      into.mean[row] = this.#means[which]!;
      into.sensor[row] = which;
      into.time[row] = time[row]!;
    }
    into.rows = rows;
  }
}

/** Adds up what was written: equal for equal output, in whatever way it came about. */
export class Digest {
  rows = 0;
  outliers = 0;
  #sum = 0;
  add({ rows, time, mean, outlier }: Judged): void {
    for (let row = 0; row < rows; row++) {
      this.outliers += outlier[row]!;
      this.#sum = (Math.imul(this.#sum, 31) + time[row]! + Math.round(mean[row]! * 1000)) | 0;
    }
    this.rows += rows;
  }
  toString(): string {
    return `${this.rows} rows, ${this.outliers} outliers, digest ${this.#sum >>> 0}`;
  }
}
