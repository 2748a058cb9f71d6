// Lines of global memory in the order of their last use, as typed arrays: no load allocates.

const FEWEST = 256;
const WORD = 2 ** 32;
/** Odd factors that spread the bits of a number. */
const [HIGH, LOW] = [0x85ebca6b, 0x9e3779b1];
const NONE = -1;

/** Lines by number, of which the least recently used one is at hand. Each has a place. */
export class RecentLines {
  /** By place: the sectors of a line, none of a new one, and what its owner notes. */
  sectors = new Uint8Array(FEWEST);
  notes = new Float64Array(FEWEST);
  #lines = new Float64Array(FEWEST);
  /** By place: the lines that were used just before and after it; of a free place, the next one. */
  #older = new Int32Array(FEWEST);
  #newer = new Int32Array(FEWEST);
  /** By hash: a place; by place, the next one of the same hash. */
  #first = new Int32Array(FEWEST).fill(NONE);
  #next = new Int32Array(FEWEST);
  /** The bits of a hash are the first ones of a word: the others are shifted out. */
  #shift = 32 - Math.log2(FEWEST);
  #free = NONE;
  /** Places that were ever taken. */
  #taken = 0;
  #newest = NONE;
  /** The place of the least recently used line; −1 if there is none. */
  oldest = NONE;
  size = 0;

  /** Uses a line; returns its place, which is its own until it is forgotten. */
  use(line: number): number {
    let place = this.#first[this.#hashOf(line)]!;
    while (place !== NONE && this.#lines[place] !== line) place = this.#next[place]!;
    if (place === NONE) return this.#add(line);
    if (place !== this.#newest) {
      this.#takeOut(place);
      this.#append(place);
    }
    return place;
  }

  /** Forgets the least recently used line, of which there is one. */
  forget(): void {
    const place = this.oldest;
    this.#takeOut(place);
    const hash = this.#hashOf(this.#lines[place]!);
    const next = this.#next[place]!;
    let before = this.#first[hash]!;
    if (before === place) this.#first[hash] = next;
    else {
      while (this.#next[before] !== place) before = this.#next[before]!;
      this.#next[before] = next;
    }
    this.#newer[place] = this.#free;
    this.#free = place;
    this.size--;
  }

  #add(line: number): number {
    let place = this.#free;
    if (place !== NONE) this.#free = this.#newer[place]!;
    else {
      if (this.#taken === this.#lines.length) this.#grow();
      place = this.#taken++;
    }
    this.size++;
    this.sectors[place] = 0;
    this.#lines[place] = line;
    this.#enter(place);
    this.#append(place);
    return place;
  }

  /** Puts a line among those of its hash. */
  #enter(place: number): void {
    const hash = this.#hashOf(this.#lines[place]!);
    this.#next[place] = this.#first[hash]!;
    this.#first[hash] = place;
  }

  #append(place: number): void {
    this.#older[place] = this.#newest;
    this.#newer[place] = NONE;
    if (this.#newest === NONE) this.oldest = place;
    else this.#newer[this.#newest] = place;
    this.#newest = place;
  }

  #takeOut(place: number): void {
    const older = this.#older[place]!;
    const newer = this.#newer[place]!;
    if (older === NONE) this.oldest = newer;
    else this.#newer[older] = newer;
    if (newer === NONE) this.#newest = older;
    else this.#older[newer] = older;
  }

  #hashOf(line: number): number {
    const mixed = (line >>> 0) ^ Math.imul((line / WORD) >>> 0, HIGH);
    return Math.imul(mixed, LOW) >>> this.#shift;
  }

  #grow(): void {
    const length = this.#lines.length * 2;
    this.sectors = grown(this.sectors, new Uint8Array(length));
    this.notes = grown(this.notes, new Float64Array(length));
    this.#lines = grown(this.#lines, new Float64Array(length));
    this.#older = grown(this.#older, new Int32Array(length));
    this.#newer = grown(this.#newer, new Int32Array(length));
    this.#first = new Int32Array(length).fill(NONE);
    this.#next = new Int32Array(length);
    this.#shift--;
    for (let place = 0; place < this.#taken; place++) this.#enter(place);
  }
}

function grown<T extends Uint8Array | Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
