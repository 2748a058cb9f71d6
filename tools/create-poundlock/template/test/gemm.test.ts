// tier: release
// Certificates as tests: `npm test`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certify } from 'poundlock/test';
import earlyRelease from '../kernels/broken/early-release.ts';
import gemm from '../kernels/gemm.ts';

test('gemm is certified with 1 to 3 stages', async () => {
  await certify(gemm, { stages: [1, 2, 3] });
});

test('the broken kernel is not: its stage can be overwritten while it is read', async () => {
  await assert.rejects(certify(earlyRelease), /error\[race\]/);
});
