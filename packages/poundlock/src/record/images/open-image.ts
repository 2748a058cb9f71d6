// The PTX of a loaded image: PTX itself, a cubin's, or the entry of a fatbin whose target ran.
import { ELF_MAGIC, ptxTextsOfCubin } from './elf.ts';
import { FATBIN_MAGIC, fatbinEntries, type FatbinEntry } from './fatbin.ts';
import { ImageView, textOf } from './bytes.ts';
import { targetOf, type CompiledText } from './compiled-text.ts';

/** What an image holds. */
export interface OpenedImage {
  /** Its PTX texts. */
  readonly texts: readonly CompiledText[];
  /** Why it has none. */
  readonly why: string;
  /** The target of the code that ran, such as `sm_90a`, where the image chooses it. */
  readonly ran: string | undefined;
}

/** The texts that were compiled to a cubin, from compilers that were watched and from caches. */
export type FindPair = (cubin: Uint8Array) => CompiledText | undefined;

const FATBIN_HEADER = 16;
/** Fatbins of one section begin at multiples of it. */
const ALIGNMENT = 8;
const NO_PTX_IN_CUBIN = 'its cubin has no PTX';

/**
 * Opens an image.
 *
 * @param architecture The number of the device's architecture, such as 90.
 * @throws InputError where the image is damaged.
 */
export function openImage(
  image: Uint8Array,
  architecture: number,
  findPair: FindPair,
): OpenedImage {
  const magic = image.length < 4 ? 0 : new ImageView(image).word32(0);
  if (magic === FATBIN_MAGIC) return openFatbin(image, architecture, findPair);
  if (magic === ELF_MAGIC)
    return { texts: textsOfCubin(image, findPair), why: NO_PTX_IN_CUBIN, ran: undefined };
  const text = textOf(image);
  const isPtx = /^\s*\.version\s/m.test(text);
  return {
    texts: isPtx ? [{ text, origin: 'program', isExact: true }] : [],
    why: 'its image is neither PTX nor a cubin',
    ran: undefined,
  };
}

function textsOfCubin(cubin: Uint8Array, findPair: FindPair): CompiledText[] {
  const texts: CompiledText[] = [];
  const pair = findPair(cubin);
  if (pair !== undefined) texts.push(pair);
  for (const text of ptxTextsOfCubin(cubin))
    texts.push({ text, origin: 'debug section', isExact: true });
  return texts;
}

/** Newest architecture first; the code for one architecture alone before the portable one. */
function byPreference(a: FatbinEntry, b: FatbinEntry): number {
  return b.architecture - a.architecture || Number(b.isSpecific) - Number(a.isSpecific);
}

/**
 * The texts of relocatable code: the fatbins of the objects that were linked, one after the other.
 *
 * @throws InputError where one is damaged.
 */
export function openRelocatable(
  fatbins: Uint8Array,
  architecture: number,
  findPair: FindPair,
): CompiledText[] {
  const texts: CompiledText[] = [];
  const view = new ImageView(fatbins);
  for (let at = 0; at + FATBIN_HEADER <= fatbins.length;) {
    if (view.word32(at) !== FATBIN_MAGIC) at += ALIGNMENT;
    else {
      const length = view.word16(at + 6) + view.word64(at + 8);
      texts.push(...openFatbin(view.part(at, length), architecture, findPair).texts);
      at += length;
    }
  }
  return texts;
}

function openFatbin(image: Uint8Array, architecture: number, findPair: FindPair): OpenedImage {
  const entries = fatbinEntries(image).toSorted(byPreference);
  // Code runs on later minor versions of its architecture, code for one alone on no other.
  const runs = (entry: FatbinEntry): boolean =>
    entry.isSpecific ? entry.architecture === architecture : entry.architecture <= architecture;
  const isSameMajor = (entry: FatbinEntry): boolean =>
    Math.floor(entry.architecture / 10) === Math.floor(architecture / 10);
  const code = entries.find((each) => each.kind === 'cubin' && runs(each) && isSameMajor(each));
  const ran = code && `sm_${code.architecture}${code.isSpecific ? 'a' : ''}`;
  const texts = code === undefined ? [] : textsOfCubin(code.read(), findPair);
  // Without code for the device, the driver compiles the newest PTX.
  let isCompiledByDriver = code === undefined;
  for (const entry of entries.filter((each) => each.kind === 'ptx' && runs(each))) {
    const text = textOf(entry.read());
    const isExact = isCompiledByDriver || (ran !== undefined && targetOf(text) === ran);
    texts.push({ text, origin: 'fatbin', isExact });
    isCompiledByDriver = false;
  }
  const hasOther = entries.some((each) => each.kind === 'ptx');
  const why = hasOther ? 'its fatbin has PTX for other devices alone' : 'its fatbin has no PTX';
  return { texts, why, ran };
}
