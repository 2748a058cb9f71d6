// A columnar job on four threads, read → decode → judge → write, twice: once over rings, once with
// postMessage and transferred buffers. Both write the same file; the times are printed.
//
//   node examples/real/columns.ts [BLOCKS] [ROUNDS]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, MessageChannel, Worker, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { attachRing, createRing, RelayScope, type TransferredRing } from 'poundlock/ring';
import {
  ColumnWriter,
  Decoder,
  Judge,
  LogReader,
  PACKED_BYTES,
  ROWS,
  writeLog,
} from './readings.ts';
import type { Columns, Digest, Judged } from './readings.ts';

const STAGES = 64;
const packed = { stages: STAGES, bytes: PACKED_BYTES, threads: 4 };
const columns = {
  stages: STAGES,
  threads: 4,
  schema: { rows: 'u32', time: ['u32', ROWS], value: ['i32', ROWS], sensor: ['u8', ROWS] },
} as const;
const judged = {
  stages: STAGES,
  threads: 4,
  schema: {
    rows: 'u32',
    time: ['u32', ROWS],
    mean: ['f32', ROWS],
    sensor: ['u8', ROWS],
    outlier: ['u8', ROWS],
  },
} as const;

interface Job {
  readonly part: 'read' | 'decode' | 'judge' | 'write';
  readonly input: string;
  readonly output: string;
  readonly from: TransferredRing | MessagePort | null;
  readonly to: TransferredRing | MessagePort | null;
}

const overRings: Record<Job['part'], (job: Job) => Digest | null> = {
  read({ input, to }) {
    using blocks = attachRing(to as TransferredRing).producer();
    const log = new LogReader(input);
    blocks.each((block) => {
      block.length = log.next(block.bytes);
      return block.length > 0;
    });
    blocks.end(); // without it, leaving the scope is a failure
    return null;
  },
  decode({ from, to }) {
    const blocks = attachRing(from as TransferredRing).consumer();
    const tiles = attachRing(to as TransferredRing<typeof columns.schema>).producer();
    using relay = new RelayScope(blocks, tiles);
    const decoder = new Decoder();
    for (const block of blocks) {
      const tile = tiles.acquireSync();
      decoder.decode(block.bytes, block.length, tile.data);
      tile.release();
    }
    relay.end();
    return null;
  },
  judge({ from, to }) {
    const tiles = attachRing(from as TransferredRing<typeof columns.schema>).consumer();
    const results = attachRing(to as TransferredRing<typeof judged.schema>).producer();
    using relay = new RelayScope(tiles, results);
    const judge = new Judge();
    for (const tile of tiles) {
      const result = results.acquireSync();
      judge.judge(tile.data, result.data);
      result.release();
    }
    relay.end();
    return null;
  },
  write({ from, output }) {
    using results = attachRing(from as TransferredRing<typeof judged.schema>).consumer();
    const file = new ColumnWriter(output);
    try {
      for (const { data } of results) file.write(data);
    } finally {
      file.close();
    }
    return file.digest;
  },
};

/** The same payloads over buffers that are moved: words first, then bytes. */
function columnsOf(buffer: ArrayBuffer, rows: number): Columns {
  const time = new Uint32Array(buffer, 0, ROWS);
  const value = new Int32Array(buffer, ROWS * 4, ROWS);
  return { rows, time, value, sensor: new Uint8Array(buffer, ROWS * 8, ROWS) };
}
function judgedOf(buffer: ArrayBuffer, rows: number): Judged {
  const time = new Uint32Array(buffer, 0, ROWS);
  const mean = new Float32Array(buffer, ROWS * 4, ROWS);
  const sensor = new Uint8Array(buffer, ROWS * 8, ROWS);
  return { rows, time, mean, sensor, outlier: new Uint8Array(buffer, ROWS * 9, ROWS) };
}

/** A sender that waits for buffers to come back; `bytes` are those of a fresh one. */
class Sender {
  readonly #port: MessagePort;
  readonly #free: ArrayBuffer[];
  #wake: (() => void) | undefined;

  constructor(port: MessagePort, bytes: number) {
    this.#port = port;
    this.#free = Array.from({ length: STAGES }, () => new ArrayBuffer(bytes));
    port.on('message', (buffer: ArrayBuffer) => {
      this.#free.push(buffer);
      this.#wake?.();
    });
  }

  async next(): Promise<ArrayBuffer> {
    while (this.#free.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    return this.#free.pop()!;
  }

  send(buffer: ArrayBuffer, length: number): void {
    this.#port.postMessage({ buffer, length }, [buffer]);
  }

  end(): void {
    this.#port.postMessage(null);
  }
}

/** Calls `take` with each message, in order, and sends its buffer back; ends with the stream. */
async function receive(
  port: MessagePort,
  take: (buffer: ArrayBuffer, length: number) => Promise<void> | void,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let last = Promise.resolve();
  port.on('message', (message: { buffer: ArrayBuffer; length: number } | null) => {
    last = last.then(async () => {
      if (message === null) return resolve();
      const waiting = take(message.buffer, message.length);
      if (waiting !== undefined) await waiting;
      port.postMessage(message.buffer, [message.buffer]);
    });
  });
  await promise;
  port.close();
}

const WORDS_BYTES = ROWS * 10;
const overMessages: Record<Job['part'], (job: Job) => Promise<Digest | null>> = {
  async read({ input, to }) {
    const sender = new Sender(to as MessagePort, PACKED_BYTES);
    const log = new LogReader(input);
    for (;;) {
      const buffer = await sender.next();
      const length = log.next(new Uint8Array(buffer));
      if (length === 0) break;
      sender.send(buffer, length);
    }
    sender.end();
    return null;
  },
  async decode({ from, to }) {
    const sender = new Sender(to as MessagePort, WORDS_BYTES);
    const decoder = new Decoder();
    await receive(from as MessagePort, async (block, length) => {
      const buffer = await sender.next();
      const tile = columnsOf(buffer, 0);
      decoder.decode(new Uint8Array(block), length, tile);
      sender.send(buffer, tile.rows);
    });
    sender.end();
    return null;
  },
  async judge({ from, to }) {
    const sender = new Sender(to as MessagePort, WORDS_BYTES);
    const judge = new Judge();
    await receive(from as MessagePort, async (tile, rows) => {
      const buffer = await sender.next();
      judge.judge(columnsOf(tile, rows), judgedOf(buffer, rows));
      sender.send(buffer, rows);
    });
    sender.end();
    return null;
  },
  async write({ from, output }) {
    const file = new ColumnWriter(output);
    try {
      await receive(from as MessagePort, (buffer, rows) => file.write(judgedOf(buffer, rows)));
    } finally {
      file.close();
    }
    return file.digest;
  },
};

/** Runs the four parts, each in a thread of its own, and answers what the last one says. */
async function runThreads(links: 'rings' | 'messages', input: string, output: string) {
  const parts = ['read', 'decode', 'judge', 'write'] as const;
  const rings = [createRing(packed), createRing(columns), createRing(judged)];
  const channels = parts.slice(1).map(() => new MessageChannel());
  const start = performance.now();
  const cpu = process.cpuUsage();
  const answers = parts.map((part, at) => {
    const from = links === 'rings' ? rings[at - 1]?.transfer(part) : channels[at - 1]?.port2;
    const to = links === 'rings' ? rings[at]?.transfer(part) : channels[at]?.port1;
    const ports = links === 'rings' ? [] : ([from, to].filter(Boolean) as MessagePort[]);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { links, job: { part, input, output, from: from ?? null, to: to ?? null } },
      transferList: ports,
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    return promise;
  });
  const results = await Promise.all(answers);
  const { user, system } = process.cpuUsage(cpu);
  return { results: results.at(-1)!, ms: performance.now() - start, cpuMs: (user + system) / 1000 };
}

async function main(blocks: number, rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'columns-'));
  const [input, output] = [join(folder, 'readings.log'), join(folder, 'columns.bin')];
  writeLog(input, blocks);
  const ratios: { time: number; cpu: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const rings = await runThreads('rings', input, output);
    const messages = await runThreads('messages', input, output);
    if (rings.results !== messages.results)
      throw new Error(`${rings.results}, but ${messages.results}`);
    if (round === 0) console.log(rings.results);
    ratios.push({ time: messages.ms / rings.ms, cpu: messages.cpuMs / rings.cpuMs });
    const shown = [rings, messages].map(({ ms, cpuMs }) => {
      return `${ms.toFixed(0)} ms (${cpuMs.toFixed(0)} ms of CPU)`;
    });
    console.log(`rings ${shown[0]}, postMessage ${shown[1]}`);
  }
  const median = (of: 'time' | 'cpu') => {
    const sorted = ratios.map((each) => each[of]).toSorted((a, b) => a - b);
    return sorted[rounds >> 1]!.toFixed(2);
  };
  console.log(`rings take 1/${median('time')} of the time and 1/${median('cpu')} of the CPU`);
  rmSync(folder, { recursive: true });
}

if (isMainThread) {
  const [blocks = '40000', rounds = '3'] = process.argv.slice(2);
  await main(Number(blocks), Number(rounds));
} else {
  const { parentPort } = await import('node:worker_threads');
  const { links, job } = workerData as { links: 'rings' | 'messages'; job: Job };
  const digest = await (links === 'rings' ? overRings : overMessages)[job.part](job);
  parentPort!.postMessage(String(digest));
}
