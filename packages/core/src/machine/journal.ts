// The journal of a state: the words that the last move wrote.

/** The most words that are listed one by one. */
const CAPACITY = 256;

/** The words that were written since {@link clear}. A word may be there more than once. */
export class Journal {
  readonly words = new Int32Array(CAPACITY);
  length = 0;
  /** Whether more words were written than are listed: then any word may have changed. */
  isWide = false;
  /** Whether the list of open flights was written. Its words are not listed. */
  hasFlights = false;

  clear(): void {
    this.length = 0;
    this.isWide = false;
    this.hasFlights = false;
  }

  note(word: number): void {
    if (this.length === CAPACITY) this.isWide = true;
    else this.words[this.length++] = word;
  }

  /** Notes `word` and the one after it. */
  noteTwo(word: number): void {
    const { length } = this;
    this.isWide ||= length + 2 > CAPACITY;
    if (this.isWide) return;
    this.words[length] = word;
    this.words[length + 1] = word + 1;
    this.length = length + 2;
  }

  /** Notes `count` words from `first` on. */
  noteAll(first: number, count: number): void {
    for (let word = first; word < first + count; word++) this.note(word);
  }
}
