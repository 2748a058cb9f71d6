// `poundlock explain --word`: what the 64-bit word of an mbarrier says.
import { counted, InputError } from '@poundlock/core/internal/base';
import { decodeWord, isBarrierWord } from '../../hang/index.ts';
import { wordText } from '../../report/index.ts';

/** A number of at most 64 bits, such as `0xfffff800001ffffc`. */
export function readHex(option: string, text: string): bigint {
  const match = /^(?:0x)?([0-9a-f]{1,16})$/i.exec(text);
  if (match !== null) return BigInt(`0x${match[1]}`);
  throw new InputError(`${option} must be a number like 0x618, not "${text}"`);
}

/** The word in a line. */
export function explainWord(text: string): string {
  const word = readHex('--word', text);
  const shown = `0x${word.toString(16).padStart(16, '0')}`;
  if (!isBarrierWord(word)) {
    const why = word === 0n ? 'it is not initialized, or its memory was not saved' : 'it is data';
    return `${shown}  is not the word of an mbarrier of sm_90: ${why}\n`;
  }
  const parts = decodeWord(word);
  const { phaseParity, count, bytes, hasOverflowed } = parts;
  const other = 1 - phaseParity;
  const blocked = `a wait for parity ${phaseParity} blocks, one for parity ${other} passes`;
  const extra = [
    ...(bytes < 0 ? [`${-bytes} B more have come than are expected`] : []),
    ...(hasOverflowed ? ['more arrivals came than a phase has, and the warp trapped'] : []),
  ];
  const facts = [`${wordText(parts)}`, blocked, ...extra].join('; ');
  return `${shown}  mbarrier of ${counted(count, 'arrival')}: ${facts}\n`;
}
