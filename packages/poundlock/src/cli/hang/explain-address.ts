// `poundlock explain --address`: the variable at a shared address, and who uses a barrier there.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted, InputError } from '@poundlock/core/internal/base';
import { atFile, fileName, type Host } from '@poundlock/core/internal/host';
import type { Kernel } from '@poundlock/core/internal/program';
import { list } from '@poundlock/core/internal/system';
import { ptxKernel } from '@poundlock/ptx/internal/kernel/kernel';
import {
  readKernelText,
  roleOfAddress,
  sharedAddress,
  type AddressRole,
  type KernelText,
} from '../../hang/index.ts';
import { ptxOptions } from '../load-ptx.ts';
import { readHex } from './explain-word.ts';

/** What is named beside the address. */
export interface AddressChoice {
  readonly launch: string | undefined;
  readonly entry: string | undefined;
}

/** The address in words. */
export async function explainAddress(
  text: string,
  file: string | undefined,
  { launch, entry }: AddressChoice,
  host: Host,
): Promise<string> {
  const address = readHex('--address', text);
  if (file === undefined)
    throw new InputError('--address needs the PTX: poundlock explain --address 0x618 FILE.ptx');
  const path = resolve(host.cwd, file);
  const shown = fileName(path, host.cwd);
  const kernelText = readKernelText(
    atFile(shown, () => readFileSync(path, 'utf8')),
    shown,
    entry ?? '',
  );
  const kernel = await launchedKernel(file, launch, kernelText, host);
  const place = sharedAddress(address);
  const role = roleOfAddress(kernelText, place, kernel);
  const hex = `0x${address.toString(16)}`;
  if (role === null) return `${hex}  is in no variable of ${kernelText.name} in shared memory\n`;
  const rank = place.rank === 0 ? '' : ` of block ${place.rank} of the cluster`;
  return [`${hex}  ${role.name}${rank} of ${kernelText.name}${countText(role)}`, ...linesOf(role)]
    .map((line) => `${line}\n`)
    .join('');
}

/** The kernel with its launch; `null` where none is named and none is beside the PTX. */
async function launchedKernel(
  file: string,
  launch: string | undefined,
  text: KernelText,
  host: Host,
): Promise<Kernel | null> {
  const path = resolve(host.cwd, file);
  const beside = path.replace(/\.ptx$/i, '.launch.json');
  if (launch === undefined && (beside === path || !existsSync(beside))) return null;
  const choice = { launch, entry: text.entry.name, index: undefined, assumeBoxes: true };
  return ptxKernel(await ptxOptions(file, host, choice));
}

function countText({ count, phases }: AddressRole): string {
  if (count === null) return '';
  const done = phases === null ? '' : `, ${counted(phases, 'phase')} of it complete`;
  return `: mbarrier of ${counted(count, 'arrival')}${done}`;
}

const WORDS = { init: 'initialized', wait: 'waited for', arrive: 'arrived at' } as const;

function linesOf({ uses }: AddressRole): string[] {
  const lines = uses.map(({ kind, roles, at }) => {
    const who = roles.length === 0 ? '' : ` by ${list(roles)}`;
    return `   ${WORDS[kind]}${who}: ${at}`;
  });
  return [
    ...lines,
    '   note: variables are in the order of the PTX here, which ptxas need not keep',
  ];
}
