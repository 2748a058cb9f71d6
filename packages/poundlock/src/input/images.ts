// The PTX in binary files: cubins, fatbins, and fatbins in executables and libraries of the host.
import { InputError } from '@poundlock/core/internal/base';
import { ImageView, textOf } from '../record/images/bytes.ts';
import { ELF_MAGIC, ptxOfCubin } from '../record/images/elf.ts';
import { FATBIN_MAGIC, fatbinEntries } from '../record/images/fatbin.ts';
import type { FatbinEntry } from '../record/images/fatbin.ts';
import type { ByteSource } from './byte-source.ts';

/** The machine of an ELF file that is code for a GPU. */
const MACHINE_CUDA = 190;
/** Sections of the host's files with fatbins in them. */
const FATBIN_SECTION = /^(?:\.nv_fatbin|__nv_relfatbin|\.nvFatBinSegment)$/;
/** Images are at multiples of this. */
const ALIGN = 8;
const HEADER = 16;
const ELF_HEADER = 64;
const MAX_IMAGES = 65_536;

const NO_PTX =
  'has no PTX: compile with -lineinfo, or keep the PTX (nvcc -ptx, -gencode arch=…,code=compute_…)';

/** Whether a file begins as a binary file with code. */
export function isImage(bytes: Uint8Array): boolean {
  if (bytes.length < 4) return false;
  const magic = new ImageView(bytes).word32(0);
  return magic === ELF_MAGIC || magic === FATBIN_MAGIC;
}

/** The PTX texts of a binary file. @throws InputError where it has none, or is damaged. */
export function ptxOfImage(source: ByteSource, gpu: number | null): string[] {
  const texts = textsOfImage(source, gpu);
  if (texts.length === 0) throw new InputError(NO_PTX);
  return texts;
}

/** The PTX texts of a binary file; empty where it has none. */
export function textsOfImage(source: ByteSource, gpu: number | null): string[] {
  const header = new ImageView(source.read(0, Math.min(source.size, ELF_HEADER)));
  if (header.word32(0) === FATBIN_MAGIC) return textsOfFatbin(source.read(0, source.size), gpu);
  if (header.word16(18) === MACHINE_CUDA) {
    const text = ptxOfCubin(source.read(0, source.size));
    return text === undefined ? [] : [text];
  }
  return sectionsOf(source, header).flatMap((section) => {
    return imagesIn(section).flatMap((image) => textsOfFatbin(image, gpu));
  });
}

/** The sections with fatbins: of a library of gigabytes these alone are read. */
function sectionsOf({ read }: ByteSource, header: ImageView): Uint8Array[] {
  const entrySize = header.word16(58);
  const count = header.word16(60);
  const table = new ImageView(read(header.word64(40), count * entrySize));
  const contents = (at: number): Uint8Array => read(table.word64(at + 24), table.word64(at + 32));
  const names = contents(header.word16(62) * entrySize);
  const found: Uint8Array[] = [];
  for (let index = 0; index < count; index++) {
    const start = table.word32(index * entrySize);
    const end = names.indexOf(0, start);
    const name = textOf(names.subarray(start, end < 0 ? names.length : end));
    if (FATBIN_SECTION.test(name)) found.push(contents(index * entrySize));
  }
  return found;
}

/** The fatbins in a section, back to back; the first one of the runtime is empty. */
function imagesIn(section: Uint8Array): Uint8Array[] {
  const view = new ImageView(section);
  const images: Uint8Array[] = [];
  for (let at = 0; at + HEADER <= section.length && images.length < MAX_IMAGES;) {
    if (view.word32(at) !== FATBIN_MAGIC) {
      at += ALIGN;
      continue;
    }
    const size = view.word16(at + 6) + view.word64(at + 8);
    images.push(section.subarray(at, Math.min(section.length, at + size)));
    at += Math.max(ALIGN, Math.ceil(size / ALIGN) * ALIGN);
  }
  return images;
}

/** The newest PTX that a GPU can run; of any GPU unless one is supplied. */
function textsOfFatbin(image: Uint8Array, gpu: number | null): string[] {
  const entries = fatbinEntries(image).filter(({ kind }) => kind !== 'other');
  const runs = ({ architecture, isSpecific }: FatbinEntry): boolean =>
    gpu === null || (isSpecific ? architecture === gpu : architecture <= gpu);
  const newest = entries
    .filter((each) => each.kind === 'ptx' && runs(each))
    .toSorted(
      (a, b) => b.architecture - a.architecture || Number(b.isSpecific) - Number(a.isSpecific),
    );
  if (newest.length > 0) return [textOf(newest[0]!.read())];
  const cubins = entries.filter((each) => each.kind === 'cubin' && runs(each));
  const texts = cubins.flatMap((each) => ptxOfCubin(each.read()) ?? []);
  return texts.slice(0, 1);
}
