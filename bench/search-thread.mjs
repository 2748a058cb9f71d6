// A thread of bench/search.mjs: takes part in a search, and says what processor time it took.
import { parentPort, workerData } from 'node:worker_threads';
import { runMember } from '../packages/poundlock/dist/check/index.js';

const { default: kernel } = await import(workerData.path);
const before = process.threadCpuUsage();
const report = runMember(kernel, workerData.task);
// A port takes no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort.postMessage({ report, usedMs: process.threadCpuUsage(before).user / 1000 });
