// One thread of bench/run.mjs: produces or consumes for a peer, pass after pass.
import { parentPort } from 'node:worker_threads';
import { PEERS } from './peers.mjs';

const now = () => performance.timeOrigin + performance.now();

parentPort.on('message', async ({ peer, side, gate, parties, ...job }) => {
  // All threads start together.
  if (Atomics.add(gate, 0, 1) + 1 === parties) Atomics.notify(gate, 0);
  else for (let seen; (seen = Atomics.load(gate, 0)) < parties;) Atomics.wait(gate, 0, seen);
  const start = now();
  const cpu = process.threadCpuUsage?.();
  const answer = await PEERS[peer][side](job);
  const used = process.threadCpuUsage?.(cpu);
  const cpuMs = used === undefined ? 0 : (used.user + used.system) / 1000;
  parentPort.postMessage({ start: answer?.start ?? start, end: now(), cpuMs, answer });
});
