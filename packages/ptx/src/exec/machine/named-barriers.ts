// The named barriers of the CTAs of a run.

/** A named barrier of a CTA. */
interface NamedBarrier {
  arrived: number;
  /** Whether the threads of the current round reduce. */
  isReduction: boolean;
  rounds: number;
  /** Threads of the current round whose predicate is true; `null` if one is not known. */
  votes: number | null;
  /** The same of the last round that ended, with its number of threads. */
  result: number | null;
  threads: number;
}

const NEW: NamedBarrier = {
  arrived: 0,
  isReduction: false,
  rounds: 0,
  votes: 0,
  result: 0,
  threads: 0,
};
/** Named barriers of a CTA. */
const OF_A_CTA = 16;

/** All named barriers, by the rank of their CTA and their number in it. */
export class NamedBarriers {
  readonly #all = new Map<number, NamedBarrier>();

  /** Whether threads come to reduce to those that do not, or the other way round. */
  mixes(rank: number, id: number, isReduction: boolean): boolean {
    const barrier = this.#at(rank, id);
    const isMixed = barrier.arrived > 0 && barrier.isReduction !== isReduction;
    barrier.isReduction = isReduction;
    return isMixed;
  }

  /** Threads arrive: the round that has to end before they go on. */
  arrive(
    rank: number,
    id: number,
    arriving: number,
    threads: number,
    votes: number | null,
  ): number {
    const barrier = this.#at(rank, id);
    const round = barrier.rounds;
    barrier.arrived += arriving;
    barrier.votes = barrier.votes === null || votes === null ? null : barrier.votes + votes;
    this.release(rank, id, threads);
    return round;
  }

  /** Ends the current round if all threads of it have arrived; that is fewer once some exit. */
  release(rank: number, id: number, threads: number): void {
    const barrier = this.#at(rank, id);
    if (barrier.arrived === 0 || barrier.arrived < threads) return;
    barrier.threads = barrier.arrived;
    barrier.result = barrier.votes;
    barrier.arrived = 0;
    barrier.votes = 0;
    barrier.rounds++;
  }

  /** How many of the threads of the round that ended last voted yes; `null` if that is unknown. */
  result(
    rank: number,
    id: number,
  ): { readonly votes: number | null; readonly threads: number; readonly rounds: number } {
    const { result, threads, rounds } = this.#at(rank, id);
    return { votes: result, threads, rounds };
  }

  /** Whether a round has ended. */
  isDone(rank: number, id: number, round: number): boolean {
    return this.#at(rank, id).rounds > round;
  }

  #at(rank: number, id: number): NamedBarrier {
    const key = rank * OF_A_CTA + id;
    let barrier = this.#all.get(key);
    if (barrier === undefined) this.#all.set(key, (barrier = { ...NEW }));
    return barrier;
  }

  /** The threads that wait, as a text; at the barriers of one CTA alone where it is given. */
  text(rank = -1): string {
    const lines: string[] = [];
    for (const [key, { arrived, votes }] of this.#all)
      if (rank < 0) lines.push([key, arrived, votes].join());
      else if (Math.floor(key / OF_A_CTA) === rank && arrived > 0)
        lines.push([key, arrived, votes].join());
    return lines.toSorted().join();
  }

  /** A copy to return to. */
  copy(): NamedBarriers {
    const copy = new NamedBarriers();
    for (const [key, barrier] of this.#all) copy.#all.set(key, { ...barrier });
    return copy;
  }
}
