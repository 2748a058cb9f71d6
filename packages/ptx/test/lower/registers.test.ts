// Registers of a launch file or of .maxnreg limit how many CTAs an SM holds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ptxKernel } from '#src/kernel/kernel';
import { MODELS, simulate } from 'poundlock/simulate';

async function occupancyOf(directives: string, launch: object) {
  const text = `.version 8.0
.target sm_90a
.address_size 64
.visible .entry kernel()
${directives}
{
bar.sync 0;
ret;
}
`;
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: {
      file: 'launch.json',
      text: JSON.stringify({ grid: [1, 1, 1], block: [256, 1, 1], params: [], ...launch }),
    },
  });
  const { device } = simulate(await kernel, { model: MODELS.h100 });
  return [device.occupancy.fitting, device.occupancy.limitedBy];
}

test('registers of the launch limit first, then those of the text', async () => {
  assert.deepEqual(await occupancyOf('', {}), [8, 'threads']);
  assert.deepEqual(await occupancyOf('.maxnreg 128 .reqntid 256', {}), [2, 'registers']);
  assert.deepEqual(await occupancyOf('.maxnreg 128', { registers: 64 }), [4, 'registers']);
});
