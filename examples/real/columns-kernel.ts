// The job of columns.ts as a kernel: `check` proves it for this size, `run` does it.
//
//   poundlock check examples/real/columns-kernel.ts
//   poundlock run examples/real/columns-kernel.ts --set blocks=2000 --set output=columns.bin
import { rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import { compute, count, end, kernel, loop, pipeline, read, role, write } from 'poundlock';
import type { Buffer, ConsumerStage, Op, ProducerStage, View } from 'poundlock';
import {
  ColumnWriter,
  Decoder,
  Judge,
  LogReader,
  PACKED_BYTES,
  ROWS,
  writeLog,
} from './readings.ts';
import type { Columns, Judged } from './readings.ts';

const defaults = { blocks: 50, stages: 8, input: '', output: '' };
const WORDS = ROWS * 4;
/** The log that is written where no input is named. */
const LOG = join(tmpdir(), `readings-${pid}.log`);
const advance = 'acquire';

/** A number of rows, or of bytes, that travels with a tile. */
const numberIn = (view: View, buffer: Buffer): Uint32Array => view(buffer, Uint32Array);

export default kernel('columns', defaults, ({ blocks, stages, input, output }) => {
  const log = input === '' ? LOG : input;
  const items = count(blocks);
  const packed = pipeline('packed', { stages, bytes: { length: 4, rows: PACKED_BYTES }, advance });
  const columns = pipeline('columns', {
    stages,
    bytes: { rows: 4, time: WORDS, value: WORDS, sensor: ROWS },
    advance,
  });
  const judged = pipeline('judged', {
    stages,
    bytes: { rows: 4, time: WORDS, mean: WORDS, sensor: ROWS, outlier: ROWS },
    advance,
  });

  /** Fills the next stage: `work` does it, then the stage is handed over. */
  function* fill(pipe: typeof packed, work: (slot: ProducerStage, view: View) => void) {
    const slot = yield* pipe.acquireProducer();
    for (const buffer of slot.buffers) write(buffer);
    yield* compute(1000, (view) => work(slot, view));
    slot.arrive();
    slot.release();
  }
  /** Calls `round` once for every block. */
  function* each(round: () => Generator<Op, void, number>): Generator<Op, void, number> {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      yield* round();
      return null;
    });
  }

  function columnsIn(tile: ProducerStage | ConsumerStage, view: View): Columns {
    return {
      rows: numberIn(view, tile.buffer('rows'))[0]!,
      time: view(tile.buffer('time'), Uint32Array),
      value: view(tile.buffer('value'), Int32Array),
      sensor: view(tile.buffer('sensor'), Uint8Array),
    };
  }
  function judgedIn(tile: ProducerStage | ConsumerStage, view: View): Judged {
    return {
      rows: numberIn(view, tile.buffer('rows'))[0]!,
      time: view(tile.buffer('time'), Uint32Array),
      mean: view(tile.buffer('mean'), Float32Array),
      sensor: view(tile.buffer('sensor'), Uint8Array),
      outlier: view(tile.buffer('outlier'), Uint8Array),
    };
  }

  const reading = role('read', function* () {
    let reader: LogReader;
    yield* compute(1, () => {
      if (input === '') writeLog(log, blocks);
      reader = new LogReader(log);
    });
    yield* each(() =>
      fill(packed, (slot, view) => {
        const length = reader.next(view(slot.buffer('rows'), Uint8Array));
        numberIn(view, slot.buffer('length'))[0] = length;
      }),
    );
    yield* packed.drain();
    yield* compute(1, () => void (input === '' && rmSync(log)));
  });

  const decoding = role('decode', function* () {
    const decoder = new Decoder();
    yield* each(function* () {
      const block = yield* packed.acquireConsumer();
      for (const buffer of block.buffers) read(buffer);
      yield* fill(columns, (slot, view) => {
        const into = columnsIn(slot, view);
        const length = numberIn(view, block.buffer('length'))[0]!;
        decoder.decode(view(block.buffer('rows'), Uint8Array), length, into);
        numberIn(view, slot.buffer('rows'))[0] = into.rows;
      });
      block.release();
    });
    yield* columns.drain();
  });

  const judging = role('judge', function* () {
    const judge = new Judge();
    yield* each(function* () {
      const tile = yield* columns.acquireConsumer();
      for (const buffer of tile.buffers) read(buffer);
      yield* fill(judged, (slot, view) => {
        const into = judgedIn(slot, view);
        judge.judge(columnsIn(tile, view), into);
        numberIn(view, slot.buffer('rows'))[0] = into.rows;
      });
      tile.release();
    });
    yield* judged.drain();
  });

  const writing = role('write', function* () {
    let file: ColumnWriter;
    yield* compute(1, () => void (file = new ColumnWriter(output === '' ? devNull : output)));
    yield* each(function* () {
      const tile = yield* judged.acquireConsumer();
      for (const buffer of tile.buffers) read(buffer);
      yield* compute(1000, (view) => file.write(judgedIn(tile, view)));
      tile.release();
    });
    yield* compute(1, () => file.close());
  });
  return [reading, decoding, judging, writing];
});
