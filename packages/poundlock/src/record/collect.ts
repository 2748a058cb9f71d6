// From a raw recording to a folder for each kernel and PTX, with a file for each of its launches.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { decidingPointers } from '@poundlock/ptx/internal/flow/deciding-pointers';
import type { DecidingPointer } from '@poundlock/ptx/internal/flow/deciding-pointers';
import { parsePtx } from '@poundlock/ptx/internal/text/parse';
import type { PtxFunction, PtxModule } from '@poundlock/ptx/internal/text/module';
import type { CopiedMemory, Copies, Decides } from './copies.ts';
import { launchDocument, launchKey, launchText } from './document/launch-document.ts';
import type { WrittenText } from './document/launch-document.ts';
import { withoutPaths } from './document/private-text.ts';
import { synchronizes } from './document/protocol.ts';
import { matchesKernel } from './glob.ts';
import { ImageTexts } from './image-texts.ts';
import { bestText, type CompiledText } from './images/compiled-text.ts';
import { readRecording } from './raw/read-recording.ts';
import type { RawLaunch } from './raw/raw-launch.ts';
import { folderName, launchFile, privateFolder, writePrivate } from './recorded-folder.ts';
import { Withheld } from './withheld.ts';

/** What is collected, and where it goes. */
export interface CollectOptions {
  /** The raw recording. */
  readonly recording: string;
  /** The folder that gets a folder for each kernel. */
  readonly out: string;
  /** Paths of sources below this folder stay, relative to it. */
  readonly sources: string;
  /** Folders in which compilers keep X.cubin beside X.ptx. */
  readonly caches: readonly string[];
  /** The most launches of a kernel. */
  readonly launches: number;
  /** Whether kernels without a protocol are collected, too. */
  readonly all: boolean;
  /** A pattern of names of kernels. */
  readonly kernel: string | undefined;
  readonly copies: Copies;
}

/** A kernel that was collected. */
export interface CollectedKernel {
  readonly folder: string;
  readonly name: string;
  readonly launches: number;
  readonly text: WrittenText;
  /** The target of the code that ran, if its image has code for several. */
  readonly ran: string | undefined;
}

/** What a recording had. */
export interface Collected {
  readonly kernels: readonly CollectedKernel[];
  /** Names of kernels by the reason why they were left out. */
  readonly leftOut: ReadonlyMap<string, readonly string[]>;
  readonly notes: readonly string[];
}

/** The most bytes of PTX that are written. */
const MAX_TOTAL = 500 * 1024 * 1024;

/** Why a kernel is left out unless all are wanted. */
export const NO_PROTOCOL =
  'no mbarrier, named barrier, cluster barrier or asynchronous copy (--all takes them)';

/** A PTX text that is ready to be written. */
interface Prepared {
  readonly written: WrittenText;
  readonly module: PtxModule;
}

/** A kernel whose folder is being written. */
interface Growing {
  readonly prepared: Prepared;
  readonly folder: string;
  readonly name: string;
  readonly ran: string | undefined;
  readonly keys: Set<string>;
}

/** Collects the launches of a recording. */
export function collect(options: CollectOptions): Collected {
  return new Collector(options).run();
}

class Collector {
  readonly #options: CollectOptions;
  readonly #images: ImageTexts;
  readonly #prepared = new Map<string, Prepared>();
  readonly #kernels = new Map<string, Growing>();
  readonly #leftOut = new Map<string, Set<string>>();
  readonly #withheld: Withheld;
  readonly #deciding = new Map<PtxFunction, readonly DecidingPointer[]>();
  #total = 0;

  constructor(options: CollectOptions) {
    this.#options = options;
    this.#withheld = new Withheld(options.copies);
    this.#images = new ImageTexts(options.recording, options.caches);
  }

  run(): Collected {
    const { launches, notes } = readRecording(this.#options.recording);
    for (const raw of launches) this.#collectOne(raw);
    const kernels = [...this.#kernels.values()].map(({ folder, name, ran, keys, prepared }) => {
      return { folder, name, ran, launches: keys.size, text: prepared.written };
    });
    const leftOut = [...this.#leftOut].map(([reason, names]) => [reason, [...names]] as const);
    return { kernels, leftOut: new Map(leftOut), notes: [...notes, ...this.#withheld.notes()] };
  }

  #collectOne(raw: RawLaunch): void {
    const { kernel } = this.#options;
    if (kernel !== undefined && !matchesKernel(kernel, raw.name)) return;
    try {
      const { texts, why, ran } = this.#images.of(raw);
      const best = bestText(texts, raw.name);
      if (best === undefined)
        return this.#leaveOut(raw, texts.length === 0 ? why : 'no PTX of its image has it');
      this.#write(raw, this.#prepare(best), ran);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.#leaveOut(raw, error.message);
    }
  }

  #leaveOut({ name }: RawLaunch, reason: string): void {
    const names = this.#leftOut.get(reason) ?? new Set();
    this.#leftOut.set(reason, names.add(name));
  }

  #decides(module: PtxModule, entry: PtxFunction): Decides {
    if (!this.#options.copies.hasState) return () => false;
    let pointers = this.#deciding.get(entry);
    if (pointers === undefined)
      this.#deciding.set(entry, (pointers = decidingPointers(module, entry)));
    const found = pointers;
    return ({ parameter, offset }) =>
      found.some((each) => each.parameter === parameter && each.offset === offset);
  }

  #prepare({ text, origin, isExact }: CompiledText): Prepared {
    const key = createHash('sha256').update(text).digest('hex') + String(isExact);
    let prepared = this.#prepared.get(key);
    if (prepared === undefined) {
      const shown = withoutPaths(text, this.#options.sources);
      const sha256 = createHash('sha256').update(shown).digest('hex');
      const module = parsePtx(shown, 'its PTX');
      prepared = { written: { text: shown, sha256, origin, isExact }, module };
      this.#prepared.set(key, prepared);
    }
    return prepared;
  }

  #write(raw: RawLaunch, { written, module }: Prepared, ran: string | undefined): void {
    const { all, launches } = this.#options;
    const entry: PtxFunction | undefined = module.functions.get(raw.name);
    if (entry === undefined) return this.#leaveOut(raw, 'no PTX of its image has it');
    if (!all && !synchronizes(module, raw.name)) return this.#leaveOut(raw, NO_PROTOCOL);
    const decides = this.#decides(module, entry);
    const bytesOf = (copy: CopiedMemory) => this.#withheld.bytesOf(copy, decides);
    const document = launchDocument(raw, entry, written, bytesOf);
    const folder = join(this.#options.out, folderName(raw.name, written.sha256));
    let growing = this.#kernels.get(folder);
    if (growing === undefined) {
      const size = Buffer.byteLength(written.text);
      if (this.#total + size > MAX_TOTAL)
        return this.#leaveOut(raw, `more than ${MAX_TOTAL} bytes of PTX were recorded`);
      this.#total += size;
      growing = { prepared: { written, module }, folder, name: raw.name, ran, keys: new Set() };
      this.#kernels.set(folder, growing);
      privateFolder(folder);
      writePrivate(join(folder, 'kernel.ptx'), written.text);
    }
    const key = launchKey(raw, document);
    if (growing.keys.has(key) || growing.keys.size >= launches) return;
    growing.keys.add(key);
    writePrivate(launchFile(folder, growing.keys.size), launchText(document));
  }
}
