// One thread of bench/run.mjs: produces or consumes for a peer, pass after pass.
import { parentPort } from 'node:worker_threads';
import { PEERS } from './peers.mjs';

const now = () => performance.timeOrigin + performance.now();

parentPort.on('message', async ({ peer, side, gate, ...job }) => {
  // Both threads start together.
  if (Atomics.add(gate, 0, 1) === 1) Atomics.notify(gate, 0);
  else Atomics.wait(gate, 0, 1);
  const start = now();
  const cpu = process.threadCpuUsage?.();
  const answer = await PEERS[peer][side](job);
  const used = process.threadCpuUsage?.(cpu);
  const cpuMs = used === undefined ? 0 : (used.user + used.system) / 1000;
  parentPort.postMessage({ start: answer?.start ?? start, end: now(), cpuMs, answer });
});
