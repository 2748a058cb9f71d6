// Search threads: each loads the program text itself and takes part until it ends.
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { moduleBeside } from '@poundlock/core/internal/base';
import { chosenLaunch, type LaunchChoice } from './load-ptx.ts';
import type { SearchCrew, MemberReport, StartCrew, Task } from '../check/index.ts';

/** The data that a thread receives. */
export interface CrewTask {
  readonly path: string;
  readonly launch: LaunchChoice;
  readonly task: Task;
}

/** Returns the function that starts threads that search the program text `file`. */
export function startCrewFor(file: string, cwd: string): StartCrew {
  const path = resolve(cwd, file);
  return (tasks) => crewOf(tasks.map((task) => startOne({ path, launch: chosenLaunch(), task })));
}

function startOne(workerData: CrewTask): Promise<MemberReport> {
  const { promise, resolve: report, reject } = Promise.withResolvers<MemberReport>();
  const worker = new Worker(moduleBeside('./crew-member', import.meta.url), { workerData });
  worker.once('message', report);
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`a thread of the search ended with ${code}`)));
  return promise;
}

function crewOf(members: readonly Promise<MemberReport>[]): SearchCrew {
  const all = Promise.all(members);
  return {
    wait: async (ms) => {
      const late = Promise.withResolvers<null>();
      const timer = setTimeout(() => late.resolve(null), ms);
      try {
        return await Promise.race([all, late.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
