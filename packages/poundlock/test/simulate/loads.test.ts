// Loads: how many are in flight, and what the L2 still has of what is loaded again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ptxKernel } from 'poundlock/ptx';
import { MODELS, simulate } from '#src/simulate/index';
import { Reuse } from '#src/simulate/issue/reuse';
import { kernelText } from '../../../ptx/test/kernel-text.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const LOADS = 16;
const THREADS = 64;
const LINE = 128;
const SMS = 132;

/** What a block takes that loads 64 words a thread before it uses the first. */
function takes(registers: number): number {
  const each = Array.from({ length: LOADS }, (_, at) => at);
  const value = (at: number): string[] => [1, 2, 3, 4].map((word) => `%f${4 * at + word}`);
  const body = [
    'ld.param.u64 %d1, [p0]; mov.u32 %r1, %tid.x; mad.wide.u32 %d1, %r1, 16, %d1;',
    ...each.map((at) => `ld.global.v4.f32 {${value(at).join(', ')}}, [%d1+${at * 1024}];`),
    ...each.map((at) => `add.f32 ${value(at)[0]}, ${value(at)[1]}, ${value(at)[2]};`),
    'ret;',
  ];
  const declared = '.reg .f32 %f<65>; .reg .u32 %r<2>; .reg .u64 %d<2>;';
  const params = [{ kind: 'pointer', bytes: LOADS * 1024 }];
  const launch = { grid: [1], block: [THREADS], registers, params };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(declared, body.join('\n'), '.param .u64 p0') },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  return simulate(kernel, { model: MODELS.h200, maxSpans: 0 }).device.microseconds;
}

test('loads wait for registers that the values of others hold', () => {
  assert.ok(takes(32) > takes(64) + 0.1);
  assert.ok(takes(48) >= takes(64));
});

/** The part that the L2 has lost of bytes that all SMs load, and load again. */
function lostPart(bytes: number): number {
  const { value } = MODELS.h200.parameters.l2Bytes;
  const reuse = new Reuse(value, SMS, Infinity);
  for (let line = 0; line < bytes / LINE; line++) assert.equal(reuse.load(line, 15), LINE);
  let lost = 0;
  for (let line = 0; line < bytes / LINE; line++) lost += reuse.load(line, 15);
  return lost / bytes;
}

test('of what an SM loads again, the L2 has what an H200 had', () => {
  const table = readFileSync(join(ROOT, 'bench', 'h200', 'reuse.csv'), 'utf8');
  for (const line of table.trim().split('\n').slice(1)) {
    const [bytes, once, again] = line.split(',').map(Number);
    // Loads from the L2 alone take a tenth of the time.
    const measured = again! / once! - 1.1;
    if (bytes! >= 128 * 1024)
      assert.ok(Math.abs(lostPart(bytes!) - measured) < 0.2, `${line}: ${lostPart(bytes!)}`);
  }
});
