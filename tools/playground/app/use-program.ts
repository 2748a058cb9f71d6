// The program of the playground: opened, edited, run in the sandbox, stopped, shared.
import { useEffect, useState } from 'preact/hooks';
import type {
  BuiltChoice,
  BuiltOffer,
  SharedFile,
} from '../../../packages/poundlock/src/explore/index.ts';
import type { TextHash } from '@poundlock/core/internal/finding';
import type { Engine } from '../../../packages/poundlock/app/engine.ts';
import { readGallery, type Example } from './gallery.ts';
import { readPicked } from './open-files.ts';
import { fragmentNow, fragmentOf, open, programWords, restarted } from './opening.ts';
import type { Opened } from './opening.ts';
import { Sandbox } from './sandbox.ts';
import { textsOf } from './texts.ts';

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
  /** The texts that are shown now. */
  readonly texts: readonly TextHash[];
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
  const [shown, setShown] = useState(NOTHING);
  const [session] = useState(() => {
    return new ProgramSession((part) => setShown((before) => ({ ...before, ...part })));
  });
  useEffect(() => {
    void session.open();
    const onChange = () => session.onAddress();
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, [session]);
  return { ...shown, ...session.commands };
}

/** The fields that are shown; the others are commands. */
type Shown = Pick<
  ProgramState,
  'gallery' | 'opened' | 'running' | 'texts' | 'offer' | 'isLoading' | 'problem' | 'isEdited'
>;

const NOTHING: Shown = {
  gallery: [],
  opened: null,
  running: null,
  texts: [],
  offer: null,
  isLoading: true,
  problem: '',
  isEdited: false,
};

/** What is open, as it is in the editor, and the sandbox where it runs. */
class ProgramSession {
  readonly commands: Omit<ProgramState, keyof Shown> = {
    edit: (name, text) => this.#edit(name, text),
    run: () => this.#run(),
    stop: () => this.#stop(),
    choose: (files, example) => void this.#choose(files, example),
    openExample: (id) => void this.#openExample(id),
    openFiles: (picked) => void this.#openFiles(picked),
    select: (choice) => this.#select(choice),
    link: () => this.#link(),
  };
  readonly #change: (part: Partial<Shown>) => void;
  readonly #sandbox = new Sandbox();
  readonly #gallery = readGallery().catch((): readonly Example[] => []);
  #current: Opened | null = null;
  /** The words of the address that were opened. */
  #words = '';
  /** Whether it was edited after it was run: the schedule of the address is not its own then. */
  #isEdited = false;
  #turn = 0;

  constructor(change: (part: Partial<Shown>) => void) {
    this.#change = change;
  }

  /** Opens what the address names. */
  async open(): Promise<void> {
    this.#words = programWords(location.hash);
    const gallery = await this.#gallery;
    this.#change({ gallery });
    try {
      this.#show(await open(location.hash, gallery), true);
    } catch (error) {
      this.#change({ isLoading: false, problem: (error as Error).message });
    }
  }

  onAddress(): void {
    if (programWords(location.hash) !== this.#words) void this.open();
  }

  #show(program: Opened, isSame: boolean): void {
    this.#current = program;
    this.#change({ opened: program, running: null });
    void this.#start(program, isSame);
  }

  async #start(program: Opened, isSame: boolean): Promise<void> {
    const number = ++this.#turn;
    const isLatest = () => number === this.#turn;
    const texts = textsOf(program.files);
    this.#change({ isLoading: true, problem: '', texts, isEdited: false });
    this.#isEdited = false;
    try {
      const { engine, offer, begin } = await this.#sandbox.load(program.files, program.choice);
      if (isLatest()) this.#change({ offer });
      await begin();
      const { parameters } = await engine.kernel();
      const before = isSame ? location.hash : restarted(location.hash, parameters);
      const fragment = await fragmentOf(program, before);
      if (!isLatest()) return;
      this.#words = programWords(fragment);
      if (fragment !== location.hash) history.replaceState(null, '', fragment);
      this.#change({ running: { engine, number } });
    } catch (error) {
      if (isLatest()) this.#change({ problem: (error as Error).message });
    } finally {
      if (isLatest()) this.#change({ isLoading: false });
    }
  }

  #edit(name: string, text: string): void {
    if (this.#current === null) return;
    const { choice } = this.#current;
    const files = this.#current.files.map((file) => (file.name === name ? { name, text } : file));
    this.#current = { files, example: null, choice };
    this.#change({ texts: textsOf(files), isEdited: true });
    this.#isEdited = true;
  }

  #run(): void {
    if (this.#current !== null) void this.#start(this.#current, false);
  }

  async #openFiles(picked: Iterable<File>): Promise<void> {
    const { files, note } = await readPicked(picked);
    if (files.length === 0) return this.#change({ problem: note });
    const program = { files, example: null, choice: {} };
    await leaveInHistory(this.#current, this.#isEdited);
    if (note === '') return this.#show(program, false);
    // A draft is not checked: its verdict would be about a launch that does not exist.
    this.#halt();
    this.#current = program;
    this.#change({
      opened: program,
      offer: null,
      running: null,
      problem: note,
      texts: textsOf(files),
      isEdited: true,
    });
  }

  #select(choice: BuiltChoice): void {
    if (this.#current === null) return;
    this.#current = { ...this.#current, choice };
    this.#change({ running: null });
    this.#run();
  }

  #stop(): void {
    this.#halt();
    this.#change({ problem: 'stopped' });
  }

  #halt(): void {
    this.#turn++;
    this.#sandbox.stop();
    this.#change({ isLoading: false });
  }

  async #choose(files: readonly SharedFile[], example: string | null): Promise<void> {
    await leaveInHistory(this.#current, this.#isEdited);
    this.#show({ files, example, choice: {} }, false);
  }

  async #openExample(id: string): Promise<void> {
    const link = `#${new URLSearchParams({ example: id }).toString()}`;
    try {
      const { files, example } = await open(link, await this.#gallery);
      await this.#choose(files, example);
    } catch (error) {
      this.#change({ problem: (error as Error).message });
    }
  }

  async #link(): Promise<string> {
    const fragment = await fragmentNow(this.#current!, this.#isEdited);
    return location.origin + location.pathname + location.search + fragment;
  }
}

/** Another program is opened: the way back of the browser leads to the one before, as it is. */
async function leaveInHistory(program: Opened | null, isEdited: boolean): Promise<void> {
  if (program === null) return;
  const fragment = await fragmentNow(program, isEdited);
  history.replaceState(null, '', fragment);
  history.pushState(null, '', fragment);
}
