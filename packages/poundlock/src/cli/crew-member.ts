// The entry of a search thread, which `crew.ts` starts.
import '../own-folder.ts';
import type { Host } from '@poundlock/core/internal/host';
import { parentPort, workerData } from 'node:worker_threads';
import { runMember } from '../check/index.ts';
import type { CrewTask } from './crew.ts';
import { processHost } from './process-host.ts';
import { loadKernel } from './load-kernel.ts';
import { chooseLaunch } from './load-ptx.ts';

const { path, launch, task } = workerData as CrewTask;
chooseLaunch(launch);
// A port takes no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
// The main thread watches this one by its clock.
const host: Host = { ...processHost(), guarded: (_file, work) => work() };
parentPort?.postMessage(runMember(await loadKernel(path, host), task));
