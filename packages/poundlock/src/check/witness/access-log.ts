// Condition R in a recorded run: conflicting accesses to one buffer that are not ordered.
import { joined, type EventLog } from './log.ts';
import type { CandidateCuts } from './candidate-cuts.ts';

interface Accesses {
  writer: number;
  readers: number[];
}

/** The last write of each buffer and cell, and the reads since. */
export class AccessLog {
  readonly #log: EventLog;
  readonly #candidates: CandidateCuts;
  readonly #buffers = new Map<number, Accesses>();
  readonly #cells = new Map<number, Accesses>();

  constructor(log: EventLog, candidates: CandidateCuts) {
    this.#log = log;
    this.#candidates = candidates;
  }

  access(event: number, reads: readonly number[], writes: readonly number[]): void {
    for (const buffer of reads) this.#visit(this.#buffers, 'buffer', event, buffer, false);
    for (const buffer of writes) this.#visit(this.#buffers, 'buffer', event, buffer, true);
  }

  /** Cells never race, but what a load answers may depend on the order. */
  cell(event: number, cell: number, isWrite: boolean): void {
    this.#visit(this.#cells, 'cell', event, cell, isWrite);
  }

  #visit(
    all: Map<number, Accesses>,
    what: string,
    event: number,
    id: number,
    isWrite: boolean,
  ): void {
    const place = all.get(id) ?? { writer: -1, readers: [] };
    all.set(id, place);
    const others = isWrite ? [place.writer, ...place.readers] : [place.writer];
    const before = this.#log.before(event);
    for (const other of others) {
      if (other < 0 || other === event || this.#log.knows(before, other)) continue;
      const cut = joined(this.#log.before(other), before);
      this.#candidates.add('R', `${what} ${id}`, this.#log.agents[event]!, cut);
      this.#candidates.add('R', `${what} ${id}`, this.#log.agents[other]!, cut);
    }
    if (isWrite) {
      place.writer = event;
      place.readers = [];
    } else {
      const thread = this.#log.threads[event]!;
      place.readers = place.readers.filter((one) => this.#log.threads[one] !== thread);
      place.readers.push(event);
    }
  }
}
