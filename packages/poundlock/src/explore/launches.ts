// Which kernel of a PTX file, and which of its launches: what a page offers, and what it chooses.
import { InputError } from '@poundlock/core/internal/base';
import type { Kernel } from '@poundlock/core/internal/program';
import { findEntry } from '@poundlock/ptx/internal/kernel/entry';
import { ptxKernel, type SourceText } from '@poundlock/ptx/internal/kernel/kernel';
import { readLaunchFile } from '@poundlock/ptx/internal/launch/read-launch';
import { readableName } from '@poundlock/ptx/internal/text/names';
import type { PtxFunction, PtxModule } from '@poundlock/ptx/internal/text/module';
import { parsePtx } from '@poundlock/ptx/internal/text/parse';

/** A launch of a launch file, from 0. */
export interface LaunchPlace {
  readonly file: string;
  readonly index: number;
}

/** What is chosen; what is not is the first, and of launches all others beside it. */
export interface BuiltChoice {
  /** The kernel, by its name or a part of it. */
  readonly entry?: string;
  /** Its launch, by its number in {@link BuiltOffer.launches}. */
  readonly launch?: number;
}

/** What there is to choose from. */
export interface BuiltOffer {
  readonly entries: readonly { readonly name: string; readonly shown: string }[];
  /** The kernel that is chosen. */
  readonly entry: string;
  /** Its launches. */
  readonly launches: readonly LaunchPlace[];
  /** The one that is chosen; `null` for the first one, and all others beside it. */
  readonly launch: number | null;
}

/** A kernel as built, and what else the same files have. */
export interface Built {
  readonly offer: BuiltOffer;
  /** The launch that is shown. */
  readonly shown: LaunchPlace;
  /** Makes the kernel; it throws where the launch does not fit. */
  readonly make: () => Kernel;
}

/** A launch file that was read. */
interface Read {
  readonly text: SourceText;
  readonly kernel: string;
  readonly count: number;
  /** How many parameters its first launch has. */
  readonly parameters: number;
}

/**
 * The kernel and the launches that a choice means.
 *
 * @throws InputError if there is no such kernel or launch.
 */
export function builtFrom(
  ptx: SourceText,
  launchFiles: readonly SourceText[],
  { entry: wanted, launch: chosen }: BuiltChoice,
  resolveSource: (file: string) => string,
): Built {
  if (launchFiles.length === 0)
    throw new InputError('PTX needs a launch file: `poundlock launch FILE.ptx` writes one');
  const module = parsePtx(ptx.text, ptx.file);
  const files = launchFiles.map((text): Read => {
    const { kernel, count, names } = readLaunchFile(text.text, text.file);
    return { text, kernel, count, parameters: names(0).length };
  });
  const entry = entryOf(module, files, wanted);
  const own = filesOf(module, files, entry);
  const launches = own.flatMap(({ text: { file }, count }) =>
    Array.from({ length: count }, (_, index): LaunchPlace => ({ file, index })),
  );
  const place = launches[chosen ?? 0];
  if (place === undefined)
    throw new InputError(`there is no launch ${chosen! + 1}: the files have ${launches.length}`);
  const first = own.find(({ text }) => text.file === place.file)!;
  return {
    offer: {
      entries: entriesOf(module).map(({ name }) => ({ name, shown: readableName(name) })),
      entry: entry.name,
      launches,
      launch: chosen ?? null,
    },
    shown: place,
    make: () =>
      ptxKernel({
        ptx,
        launch: first.text,
        entry: entry.name,
        resolveSource,
        ...(chosen === undefined
          ? { otherLaunches: own.slice(1).map(({ text }) => text) }
          : { launchIndex: place.index }),
      }),
  };
}

function entriesOf(module: PtxModule): PtxFunction[] {
  return [...module.functions.values()].filter(({ isEntry, isDefined }) => isEntry && isDefined);
}

/** The kernel that is wanted, that of the first launch, or the one that this launch fits. */
function entryOf(module: PtxModule, files: readonly Read[], wanted?: string): PtxFunction {
  const [{ kernel, parameters }] = files as readonly [Read, ...Read[]];
  const entries = entriesOf(module);
  const name = wanted ?? kernel;
  if (name !== '' || entries.length < 2) return findEntry(module, name);
  return entries.find((entry) => entry.parameters.length === parameters) ?? entries[0]!;
}

/** The files with launches of a kernel; all of them where none names it. */
function filesOf(module: PtxModule, files: readonly Read[], entry: PtxFunction): readonly Read[] {
  const own = files.filter(({ kernel }) => kernel === '' || isOf(module, kernel, entry));
  return own.length === 0 ? files : own;
}

function isOf(module: PtxModule, kernel: string, entry: PtxFunction): boolean {
  const found = entriesOf(module).filter(({ name }) => name.includes(kernel));
  const exact = found.find(({ name }) => name === kernel);
  return (exact ?? (found.length === 1 ? found[0] : undefined)) === entry;
}
