// The forms of all instructions by their names.
import type { Form, Row } from './form.ts';
import { CACHE } from './forms/cache.ts';
import { CLUSTER } from './forms/cluster.ts';
import { CONTROL } from './forms/control.ts';
import { COPIES } from './forms/copies.ts';
import { FABRIC } from './forms/fabric.ts';
import { FENCES } from './forms/fences.ts';
import { FLOATING_POINT } from './forms/floating-point.ts';
import { INTEGER } from './forms/integer.ts';
import { LANES } from './forms/lanes.ts';
import { MATRICES } from './forms/matrices.ts';
import { MBARRIER } from './forms/mbarrier.ts';
import { MEMORY } from './forms/memory.ts';
import { MOVES } from './forms/moves.ts';
import { TCGEN05 } from './forms/tcgen05.ts';
import { TENSOR_MAPS } from './forms/tensor-maps.ts';
import { THREAD_BARRIERS } from './forms/thread-barriers.ts';
import { VIDEO } from './forms/video.ts';
import { formOf, rowsOf } from './notation.ts';

const TEXTS = [
  CACHE,
  CLUSTER,
  CONTROL,
  COPIES,
  FABRIC,
  FENCES,
  FLOATING_POINT,
  INTEGER,
  LANES,
  MATRICES,
  MBARRIER,
  MEMORY,
  MOVES,
  TCGEN05,
  TENSOR_MAPS,
  THREAD_BARRIERS,
  VIDEO,
];

/** The rows of each name as they are written, and as forms once they were needed. */
const rows = new Map<string, Row[]>();
const forms = new Map<string, readonly Form[]>();
for (const [name, row] of TEXTS.flatMap(rowsOf)) {
  const others = rows.get(name);
  if (others === undefined) rows.set(name, [row]);
  else others.push(row);
}

/** All names that forms have, such as `mbarrier.try_wait.parity`. */
export function formNames(): string[] {
  return [...rows.keys()];
}

/** The forms with a name; none where the name is not known. */
export function formsNamed(name: string): readonly Form[] {
  let found = forms.get(name);
  if (found === undefined) {
    found = (rows.get(name) ?? []).map((row) => formOf(name, row));
    forms.set(name, found);
  }
  return found;
}
