import { check } from 'poundlock/check';
import { ptxKernel } from 'poundlock/ptx';

const text = `.version 8.0
.target sm_90a
.address_size 64
.visible .entry meet() { bar.sync 0; ret; }`;
const launch = { grid: [1, 1, 1], block: [64, 1, 1], params: [] };
const kernel = ptxKernel({
  ptx: { file: 'meet.ptx', text },
  launch: { file: 'launch.json', text: JSON.stringify(launch) },
});
console.log((await check(kernel)).verdict); // certified