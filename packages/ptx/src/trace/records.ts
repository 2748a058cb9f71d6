// Records of a log of barrier operations: bench/cuda/poundlock-trace.cuh writes them, one for each
// operation of a thread, in the order of one atomic counter.
import type { Field } from '../launch/json-fields.ts';

/** What a record is of, in the order of the numbers of the log. */
export const RECORD_KINDS = [
  'none',
  'name',
  'init',
  'invalidate',
  'arrive',
  'expect',
  'complete',
  'wait',
  'copy',
  'store',
  'commitGroup',
  'waitGroup',
  'cpAsync',
  'cpAsyncArrive',
  'mma',
  'read',
  'write',
  'sync',
  'syncArrive',
  'clusterArrive',
  'clusterWait',
  'fence',
] as const;

/** The kind of a record. */
export type RecordKind = (typeof RECORD_KINDS)[number];

/** In the number of an operation that waits: the record is from before the wait. */
const BEGIN = 0x80;
const WORD_NAMES = ['operation', 'line', 'CTA', 'thread', 'a', 'b', 'c', 'd'];
const WORDS = WORD_NAMES.length;
const MAX_WORD = 2 ** 32 - 1;

/** One operation of one thread. */
export interface TraceRecord {
  readonly kind: RecordKind;
  /** Whether it is about to wait. */
  readonly isBegin: boolean;
  readonly line: number;
  /** The rank of the CTA in its cluster. */
  readonly cta: number;
  readonly thread: number;
  /** Its arguments; their meaning depends on the kind. */
  readonly words: readonly [number, number, number, number];
  /** Its line of the log, for messages. */
  readonly field: Field;
}

/** Reads `[operation, line, cta, thread, a, b, c, d]`. */
export function readRecord(field: Field, ctas: number, threads: number): TraceRecord {
  const list = field.elements().map((each, at) => each.named(WORD_NAMES[at] ?? each.path));
  if (list.length !== WORDS) field.fail(`has to be ${WORDS} numbers`);
  const [op, line, cta, thread, a, b, c, d] = list.map((each) => each.integer(0, MAX_WORD)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const kind = RECORD_KINDS[op & ~BEGIN];
  if (kind === undefined || kind === 'none') return list[0]!.fail('is not an operation of the log');
  if (cta >= ctas) list[2]!.fail(`is not a CTA of a cluster of ${ctas}`);
  if (thread >= threads) list[3]!.fail(`is not a thread of a block of ${threads}`);
  return { kind, isBegin: (op & BEGIN) !== 0, line, cta, thread, words: [a, b, c, d], field };
}
