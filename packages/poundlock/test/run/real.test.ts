// The job of examples/real does the same over rings, with messages, as a kernel and in one thread.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { check } from '#src/check/index';
import { run } from '#src/run/index';
import columns from '../../../../examples/real/columns-kernel.ts';
import * as job from '../../../../examples/real/readings.ts';

const EXAMPLES = new URL('../../../../examples/real/', import.meta.url);
const BLOCKS = 300;
const folder = mkdtempSync(join(tmpdir(), 'real-'));
after(() => rmSync(folder, { recursive: true }));

/** The job without threads: what it writes to a file. */
function inOneThread(input: string, output: string): job.Digest {
  const reader = new job.LogReader(input);
  const writer = new job.ColumnWriter(output);
  const [decoder, judge] = [new job.Decoder(), new job.Judge()];
  const packed = new Uint8Array(job.PACKED_BYTES);
  const words = () => new Uint32Array(job.ROWS);
  const sensor = new Uint8Array(job.ROWS);
  const tile = { rows: 0, time: words(), value: new Int32Array(job.ROWS), sensor };
  const outlier = new Uint8Array(job.ROWS);
  const result = { ...tile, mean: new Float32Array(job.ROWS), time: words(), outlier };
  for (let length; (length = reader.next(packed)) > 0;) {
    decoder.decode(packed, length, tile);
    judge.judge(tile, result);
    writer.write(result);
  }
  writer.close();
  return writer.digest;
}

test('the kernel is certified, and run it writes what one thread writes', async () => {
  const input = join(folder, 'readings.log');
  const [alone, threads] = [join(folder, 'alone.bin'), join(folder, 'threads.bin')];
  job.writeLog(input, BLOCKS);
  const digest = inOneThread(input, alone);
  assert.equal(digest.rows, BLOCKS * job.ROWS);
  assert.ok(digest.outliers > 0);

  assert.equal((await check(columns)).verdict, 'certified');
  const params = { blocks: BLOCKS, input, output: threads };
  const module = new URL('columns-kernel.ts', EXAMPLES);
  const { conforms, items, findings } = await run(columns, params, { module });
  assert.deepEqual([conforms, items, findings], [true, BLOCKS, []]);
  assert.ok(readFileSync(alone).equals(readFileSync(threads)));
});

test('rings and messages agree', () => {
  const file = new URL('columns.ts', EXAMPLES).pathname;
  const { stdout, status } = spawnSync(process.execPath, [file, String(BLOCKS), '1'], {
    encoding: 'utf8',
  });
  // The program compares the two itself.
  assert.equal(status, 0);
  assert.match(stdout, new RegExp(`^${BLOCKS * job.ROWS} rows, \\d+ outliers, digest \\d+\n`));
});
