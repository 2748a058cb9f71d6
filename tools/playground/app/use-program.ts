// The program of the playground: opened, edited, run in the sandbox, stopped, shared.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type {
  BuiltChoice,
  BuiltOffer,
  SharedFile,
} from '../../../packages/poundlock/src/explore/index.ts';
import type { Engine } from '../../../packages/poundlock/app/engine.ts';
import { readGallery, type Example } from './gallery.ts';
import { readPicked } from './open-files.ts';
import { fragmentNow, fragmentOf, open, programWords, restarted } from './opening.ts';
import type { Opened } from './opening.ts';
import { Sandbox } from './sandbox.ts';

/** A program that runs, or has run: another number for each. */
export interface Running {
  readonly engine: Engine;
  readonly number: number;
}

/** What the playground shows and can do. */
export interface ProgramState {
  readonly gallery: readonly Example[];
  /** `null` until something is open; another object with each program that is opened. */
  readonly opened: Opened | null;
  readonly running: Running | null;
  /** The kernels and launches of PTX; `null` for a program. */
  readonly offer: BuiltOffer | null;
  readonly isLoading: boolean;
  /** Why it does not run. */
  readonly problem: string;
  /** Whether it was edited after it was run. */
  readonly isEdited: boolean;
  readonly edit: (name: string, text: string) => void;
  readonly run: () => void;
  readonly stop: () => void;
  readonly choose: (files: readonly SharedFile[], example: string | null) => void;
  readonly openExample: (id: string) => void;
  /** Opens files of this computer. */
  readonly openFiles: (files: Iterable<File>) => void;
  /** Runs another kernel or launch of the same files. */
  readonly select: (choice: BuiltChoice) => void;
  /** The address that opens what is shown. */
  readonly link: () => Promise<string>;
}

/** Opens what the address names, and runs it. */
export function useProgram(): ProgramState {
  const sandbox = useRef<Sandbox | null>(null);
  const [gallery, setGallery] = useState<readonly Example[]>([]);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [running, setRunning] = useState<Running | null>(null);
  const [offer, setOffer] = useState<BuiltOffer | null>(null);
  const [isLoading, setLoading] = useState(true);
  const [problem, setProblem] = useState('');
  const [isEdited, setEdited] = useState(false);
  /** The program as it is in the editor, and the words of the address that were opened. */
  const current = useRef<Opened | null>(null);
  const words = useRef('');
  /** Whether it was edited after it was run: the schedule of the address is not its own then. */
  const edited = useRef(false);
  const turn = useRef(0);

  const start = useCallback(async (program: Opened, isSame: boolean) => {
    const number = ++turn.current;
    setLoading(true);
    setProblem('');
    setRunning(null);
    setEdited(false);
    edited.current = false;
    try {
      const { engine, offer, begin } = await sandbox.current!.load(program.files, program.choice);
      if (number === turn.current) setOffer(offer);
      await begin();
      const { parameters } = await engine.kernel();
      const before = isSame ? location.hash : restarted(location.hash, parameters);
      const fragment = await fragmentOf(program, before);
      if (number !== turn.current) return;
      words.current = programWords(fragment);
      if (fragment !== location.hash) history.replaceState(null, '', fragment);
      setRunning({ engine, number });
    } catch (error) {
      if (number === turn.current) setProblem((error as Error).message);
    } finally {
      if (number === turn.current) setLoading(false);
    }
  }, []);

  const show = useCallback(
    (program: Opened, isSame: boolean) => {
      current.current = program;
      setOpened(program);
      void start(program, isSame);
    },
    [start],
  );

  useEffect(() => {
    sandbox.current ??= new Sandbox();
    const examples = readGallery().catch(() => []);
    const read = async () => {
      words.current = programWords(location.hash);
      const known = await examples;
      setGallery(known);
      try {
        show(await open(location.hash, known), true);
      } catch (error) {
        setLoading(false);
        setProblem((error as Error).message);
      }
    };
    const onChange = () => void (programWords(location.hash) !== words.current && read());
    void read();
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, [show]);

  const edit = useCallback((name: string, text: string) => {
    const before = current.current;
    if (before === null) return;
    const files = before.files.map((file) => (file.name === name ? { name, text } : file));
    current.current = { files, example: null, choice: before.choice };
    setEdited(true);
    edited.current = true;
  }, []);

  const run = useCallback(() => {
    if (current.current !== null) void start(current.current, false);
  }, [start]);

  const openFiles = useCallback(
    async (picked: Iterable<File>) => {
      const { files, note } = await readPicked(picked);
      if (files.length === 0) return setProblem(note);
      const program = { files, example: null, choice: {} };
      await leaveInHistory(current.current, edited.current);
      if (note === '') return show(program, false);
      // A draft is not checked: its verdict would be about a launch that does not exist.
      turn.current++;
      sandbox.current?.stop();
      current.current = program;
      setOpened(program);
      setOffer(null);
      setRunning(null);
      setLoading(false);
      setProblem(note);
      setEdited(true);
    },
    [show],
  );

  const select = useCallback(
    (choice: BuiltChoice) => {
      if (current.current === null) return;
      current.current = { ...current.current, choice };
      void start(current.current, false);
    },
    [start],
  );

  const stop = useCallback(() => {
    turn.current++;
    sandbox.current?.stop();
    setLoading(false);
    setProblem('stopped');
  }, []);

  const choose = useCallback(
    async (files: readonly SharedFile[], example: string | null) => {
      await leaveInHistory(current.current, edited.current);
      show({ files, example, choice: {} }, false);
    },
    [show],
  );

  const openExample = useCallback(
    (id: string) => {
      const link = `#${new URLSearchParams({ example: id }).toString()}`;
      open(link, gallery).then(
        ({ files, example }) => void choose(files, example),
        (error: Error) => setProblem(error.message),
      );
    },
    [gallery, choose],
  );

  const link = useCallback(async () => {
    const fragment = await fragmentNow(current.current!, edited.current);
    return location.origin + location.pathname + location.search + fragment;
  }, []);

  return {
    gallery,
    opened,
    running,
    offer,
    isLoading,
    problem,
    isEdited,
    edit,
    run,
    stop,
    choose: (files, example) => void choose(files, example),
    openExample,
    openFiles: (files) => void openFiles(files),
    select,
    link,
  };
}

/** Another program is opened: the way back of the browser leads to the one before, as it is. */
async function leaveInHistory(program: Opened | null, isEdited: boolean): Promise<void> {
  if (program === null) return;
  const fragment = await fragmentNow(program, isEdited);
  history.replaceState(null, '', fragment);
  history.pushState(null, '', fragment);
}
