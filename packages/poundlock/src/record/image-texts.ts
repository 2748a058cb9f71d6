// The PTX of the images of a recording, each opened once.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { openImage, openRelocatable, type OpenedImage } from './images/open-image.ts';
import { Pairs } from './images/pairs.ts';
import type { RawLaunch } from './raw/raw-launch.ts';

/** Opens the images of a recording. */
export class ImageTexts {
  readonly #folder: string;
  readonly #files: ReadonlyMap<string, string>;
  readonly #pairs = new Pairs();
  readonly #caches: readonly string[];
  readonly #opened = new Map<string, OpenedImage>();
  #hasCaches = false;

  /** `caches` are folders in which compilers keep X.cubin beside X.ptx. */
  constructor(folder: string, caches: readonly string[]) {
    this.#folder = folder;
    this.#caches = caches;
    const images = readdirSync(folder).flatMap((name) => {
      const hash = /^image-([0-9a-f]+)\.(?:ptx|cubin|fatbin|file)$/.exec(name)?.[1];
      return hash === undefined ? [] : [[hash, name] as const];
    });
    this.#files = new Map(images);
    this.#pairs.addRecording(folder);
  }

  /** The texts of the image of a launch. */
  of(raw: RawLaunch): OpenedImage {
    const architecture = 10 * raw.device.major + raw.device.minor;
    const key = `${raw.image} ${raw.file} ${architecture}`;
    let opened = this.#opened.get(key);
    if (opened === undefined) this.#opened.set(key, (opened = this.#open(raw, architecture)));
    return opened;
  }

  #open(raw: RawLaunch, architecture: number): OpenedImage {
    const name = this.#files.get(raw.image);
    const path = name === undefined ? '' : join(this.#folder, name);
    if (path === '' || !existsSync(path))
      return { texts: [], why: whyMissing(raw), ran: undefined };
    try {
      const opened = openImage(readFileSync(path), architecture, (cubin) => this.#find(cubin));
      return this.#withRelocatable(raw.image, opened, architecture);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { texts: [], why: error.message, ran: undefined };
    }
  }

  /** The linked code of `-rdc=true` has no PTX: the objects in the program may have it. */
  #withRelocatable(image: string, opened: OpenedImage, architecture: number): OpenedImage {
    const path = join(this.#folder, `image-${image}.relocatable`);
    if (!existsSync(path)) return opened;
    const texts = openRelocatable(readFileSync(path), architecture, (cubin) => this.#find(cubin));
    return { ...opened, texts: [...opened.texts, ...texts], why: NO_PTX_IN_OBJECTS };
  }

  /** Caches are looked at only for a cubin that no watched compiler made. */
  #find(cubin: Uint8Array) {
    const found = this.#pairs.find(cubin);
    if (found !== undefined || this.#hasCaches) return found;
    this.#hasCaches = true;
    for (const cache of this.#caches) this.#pairs.addCache(cache);
    return this.#pairs.find(cubin);
  }
}

const NO_PTX_IN_OBJECTS =
  'it was linked from relocatable code (-rdc=true) without PTX: compile with -lineinfo, or ' +
  "record the build, too (poundlock record -- sh -c 'make && ./program')";

function whyMissing({ kind }: RawLaunch): string {
  return kind === 'unknown'
    ? 'no recorded call loaded its image'
    : 'its image was not written: it is too large, or is gone';
}
