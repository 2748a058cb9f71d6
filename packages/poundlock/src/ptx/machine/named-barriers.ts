// The named barriers of the CTAs of a run.

/** A named barrier of a CTA. */
interface NamedBarrier {
  arrived: number;
  rounds: number;
  /** Threads of the current round whose predicate is true; `null` if one is not known. */
  votes: number | null;
  /** The same of the last round that ended, with its number of threads. */
  result: number | null;
  threads: number;
}

/** Named barriers of a CTA. */
const OF_A_CTA = 16;

/** All named barriers, by the rank of their CTA and their number in it. */
export class NamedBarriers {
  readonly #all = new Map<number, NamedBarrier>();

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
    if (barrier.arrived >= threads) {
      barrier.threads = barrier.arrived;
      barrier.result = barrier.votes;
      barrier.arrived = 0;
      barrier.votes = 0;
      barrier.rounds++;
    }
    return round;
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
    if (barrier === undefined)
      this.#all.set(key, (barrier = { arrived: 0, rounds: 0, votes: 0, result: 0, threads: 0 }));
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
