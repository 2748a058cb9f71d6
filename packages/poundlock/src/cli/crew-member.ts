// A thread of a search, which `crew.ts` starts.
import { parentPort, workerData } from 'node:worker_threads';
import { takePart } from '../check/index.ts';
import type { CrewTask } from './crew.ts';
import { processHost } from './host.ts';
import { loadKernel } from './load-kernel.ts';

const { path, task } = workerData as CrewTask;
parentPort?.postMessage(takePart(await loadKernel(path, processHost()), task));
