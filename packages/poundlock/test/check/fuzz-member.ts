// A thread of a parallel search of a random program.
import { parentPort, workerData } from 'node:worker_threads';
import { runMember, type Task } from '#src/check/index';
import { toKernel, type DullProgram } from '@poundlock/fuzz/internal/order';

const { program, task } = workerData as { program: DullProgram; task: Task };
// A port takes no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(runMember(toKernel(program), task));
