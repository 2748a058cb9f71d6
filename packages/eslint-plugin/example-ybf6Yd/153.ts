import { check } from 'poundlock/check';
import { stepsKernel } from 'poundlock/ptx';

const head = { format: 'poundlock-steps', version: 1, kernel: 'meet', ctas: 1 };
const warps = [{ warp: 0 }, { warp: 1 }];
const meet = { op: 'named', at: 'meet.cu:3', id: 0, threads: 64, arriving: 32, isSync: true };
const lines = [{ ...head, warps }, { warp: 0, ...meet }, { warp: 1, ...meet }];
const text = lines.map((line) => JSON.stringify(line)).join('\n');
console.log((await check(stepsKernel({ file: 'steps.jsonl', text }))).verdict); // certified