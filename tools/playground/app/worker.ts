// The thread of a program: loads it, and answers what the page asks about its kernel.
import { DISPOSE } from './dispose-symbol.ts';
import { BoundError, formatPosition, InputError } from '@poundlock/core/internal/base';
import type { Kernel } from '@poundlock/core/internal/program';
import {
  builtFrom,
  ExploreSession,
  type BuiltChoice,
  type BuiltOffer,
  type LaunchPlace,
  type SessionHost,
  type SharedFile,
} from '../../../packages/poundlock/src/explore/index.ts';
import { textsOf } from './texts.ts';
import { stepsKernel } from '@poundlock/ptx/internal/kernel/steps-kernel';
import { checkCommand } from '../../../packages/poundlock/src/report/index.ts';
import type { Answer, Request, Requests } from './messages.ts';
import { loadProgram, PROGRAM } from './program-modules.ts';
import { loadStripper } from './strip-types.ts';

if (Symbol.dispose !== DISPOSE) throw new Error('the symbol of `using` comes first');

let session: ExploreSession | null = null;
/** Makes the session of what was loaded. */
let begin: (() => Promise<ExploreSession>) | null = null;

function loaded(): ExploreSession {
  if (session === null) throw new InputError('no program is loaded');
  return session;
}

const REQUESTS: Requests = {
  stripper: loadStripper,
  load: async (files, choice) => {
    session = null;
    const file = files[0]!.name;
    if (/\.ptx$/i.test(file)) return loadBuilt(files, choice);
    begin = /\.jsonl$/i.test(file) ? () => stepsSession(files) : () => programSession(files);
    return null;
  },
  begin: async () => {
    if (begin !== null) session = await begin();
  },
  kernel: async () => loaded().kernel(),
  state: (params, token) => loaded().state(params, token),
  verdict: (params) => loaded().verdict(params),
  simulation: (params, model) => loaded().simulation(params, model),
  whatIf: (params, model) => loaded().whatIf(params, model),
  source: async (file) => loaded().source(file),
};

async function programSession(files: readonly SharedFile[]): Promise<ExploreSession> {
  const loadAgain = (): Promise<Kernel> => loadProgram(files);
  const kernel = await loadAgain();
  return new ExploreSession(hostOf(files), {
    file: files[0]!.name,
    kernel,
    texts: textsOf(files),
    loadAgain,
  });
}

/** What the steps file has: the run of a kernel, or the log of a launch. */
async function stepsSession(files: readonly SharedFile[]): Promise<ExploreSession> {
  const [{ name: file, text }] = files as readonly [SharedFile];
  const kernel = stepsKernel({ file, text, resolveSource: sourceIn(files) });
  return new ExploreSession(hostOf(files), { file, kernel, texts: textsOf(files) });
}

function loadBuilt(files: readonly SharedFile[], choice: BuiltChoice): BuiltOffer {
  const [ptx] = files as readonly [SharedFile];
  const asText = ({ name, text }: SharedFile) => ({ file: name, text });
  const launchFiles = files.filter(({ name }) => /\.json$/i.test(name)).map(asText);
  const { offer, shown, make } = builtFrom(asText(ptx), launchFiles, choice, sourceIn(files));
  begin = async () => {
    const host = hostOf(files, wordsOf(offer, shown, launchFiles.length));
    return new ExploreSession(host, { file: ptx.name, kernel: make(), texts: textsOf(files) });
  };
  return offer;
}

/** The options of the command line that mean the same kernel and launch. */
function wordsOf({ entries, entry, launch }: BuiltOffer, shown: LaunchPlace, files: number) {
  return (other?: LaunchPlace): string[] => {
    const { file, index } = other ?? shown;
    const isOne = launch !== null || other !== undefined;
    return [
      ...(isOne || files > 1 ? ['--launch', file] : []),
      ...(entries.length > 1 ? ['--entry', entry] : []),
      ...(isOne ? ['--launch-index', String(index)] : []),
    ];
  };
}

/** Finds the files that line information names among those of the page. */
function sourceIn(files: readonly SharedFile[]) {
  const known = new Set(files.map(({ name }) => name));
  return (source: string): string => {
    const name = source.split('/').at(-1)!;
    return known.has(name) ? name : source;
  };
}

function hostOf(
  files: readonly SharedFile[],
  launchWords: (other?: LaunchPlace) => string[] = () => [],
): SessionHost {
  const texts = new Map(files.map(({ name, text }) => [name, text]));
  const file = files[0]!.name;
  return {
    name: shownName,
    read: (name) => texts.get(name) ?? null,
    now: () => performance.now(),
    pause: () => new Promise((resolve) => void setTimeout(resolve)),
    guarded: (work) => work(),
    commandFor: (params) => (token, changed) => {
      const { launch } = changed ?? {};
      // Another launch has its own numbers.
      const own = launch === undefined ? params : {};
      return checkCommand(file, { ...own, ...changed?.params }, token, launchWords(launch));
    },
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
