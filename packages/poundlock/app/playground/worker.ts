// The thread of a program: loads it, and answers what the page asks about its kernel.
import { BoundError, formatPosition, InputError } from '@poundlock/core/internal/base';
import type { Kernel } from '@poundlock/core/internal/program';
import { ExploreSession, type SessionHost, type SharedFile } from '../../src/explore/index.ts';
import { ptxKernel } from '../../src/ptx/kernel.ts';
import { checkCommand } from '../../src/report/index.ts';
import type { Answer, Request, Requests } from './messages.ts';
import { loadProgram, PROGRAM } from './program-modules.ts';

let session: ExploreSession | null = null;

function loaded(): ExploreSession {
  if (session === null) throw new InputError('no program is loaded');
  return session;
}

const REQUESTS: Requests = {
  load: async (files) => {
    session = await sessionOf(files);
  },
  kernel: async () => loaded().kernel(),
  state: (params, token) => loaded().state(params, token),
  verdict: (params) => loaded().verdict(params),
  simulation: (params, model) => loaded().simulation(params, model),
  whatIf: (params, model) => loaded().whatIf(params, model),
  source: async (file) => loaded().source(file),
};

async function sessionOf(files: readonly SharedFile[]): Promise<ExploreSession> {
  const file = files[0]!.name;
  const isPtx = /\.ptx$/i.test(file);
  const kernel = isPtx ? builtKernel(files) : await loadProgram(files);
  const loadAgain = (): Promise<Kernel> => loadProgram(files);
  return new ExploreSession(hostOf(files), { file, kernel, ...(!isPtx && { loadAgain }) });
}

function builtKernel(files: readonly SharedFile[]): Kernel {
  const launch = files.find(({ name }) => /\.json$/i.test(name));
  if (launch === undefined) throw new InputError('PTX needs a launch file: launch.json');
  const known = new Set(files.map(({ name }) => name));
  const [ptx] = files;
  return ptxKernel({
    ptx: { file: ptx!.name, text: ptx!.text },
    launch: { file: launch.name, text: launch.text },
    resolveSource: (source) => {
      const name = source.split('/').at(-1)!;
      return known.has(name) ? name : source;
    },
  });
}

function hostOf(files: readonly SharedFile[]): SessionHost {
  const texts = new Map(files.map(({ name, text }) => [name, text]));
  const file = files[0]!.name;
  return {
    name: shownName,
    read: (name) => texts.get(name) ?? null,
    now: () => performance.now(),
    pause: () => new Promise((resolve) => void setTimeout(resolve)),
    guarded: (work) => work(),
    commandFor: (params) => (token, changed) =>
      checkCommand(file, { ...params, ...changed?.params }, token),
  };
}

/** The name of a file as the page has it. */
function shownName(file: string): string {
  return file.startsWith(PROGRAM) ? file.slice(PROGRAM.length) : file;
}

function sentenceOf(error: unknown): string {
  if (error instanceof InputError) {
    const { position, message } = error;
    if (position === undefined) return message;
    return `${formatPosition({ ...position, file: shownName(position.file) })}: ${message}`;
  }
  if (error instanceof BoundError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

async function answerTo({ id, method, args }: Request): Promise<Answer> {
  try {
    const work = REQUESTS[method] as (...all: readonly unknown[]) => Promise<unknown>;
    return { id, value: await work(...args) };
  } catch (error) {
    return { id, error: sentenceOf(error) };
  }
}

addEventListener('message', ({ data }: MessageEvent<Request>) => {
  void answerTo(data).then((answer) => postMessage(answer));
});
