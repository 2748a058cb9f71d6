// The sizes of a diagram in pixels: wide for pages and files, narrow for telephones.

/** Everything that is measured. */
export interface Metrics {
  readonly fontSize: number;
  /** The width of a character, of which fonts differ by a little. */
  readonly character: number;
  readonly rowHeight: number;
  readonly lineHeight: number;
  /** The space around everything. */
  readonly edge: number;
  /** The width of a span beside a lifeline, and how many are side by side. */
  readonly track: number;
  readonly maxTracks: number;
  /** The least width of a column, and the most characters of a line of its head. */
  readonly minColumn: number;
  readonly maxHead: number;
  /** Whether marks have labels beside them; else the margin has them. */
  readonly hasLabels: boolean;
  /** The characters of a line of the margin: at least, and at most. */
  readonly minMargin: number;
  readonly maxMargin: number;
  /** The width that a diagram has at least, and fills with its margin. */
  readonly minWidth: number;
}

const WIDE: Metrics = {
  fontSize: 12,
  character: 7.3,
  rowHeight: 24,
  lineHeight: 16,
  edge: 10,
  track: 13,
  maxTracks: 4,
  minColumn: 56,
  maxHead: 12,
  hasLabels: true,
  minMargin: 40,
  maxMargin: 64,
  minWidth: 780,
};

const NARROW: Metrics = {
  fontSize: 10,
  character: 6.1,
  rowHeight: 21,
  lineHeight: 14,
  edge: 4,
  track: 7,
  maxTracks: 2,
  minColumn: 20,
  maxHead: 20,
  hasLabels: false,
  minMargin: 14,
  maxMargin: 30,
  minWidth: 316,
};

/** The widths that a diagram is laid out for. */
export const METRICS = { wide: WIDE, narrow: NARROW } as const;
export type DiagramWidth = keyof typeof METRICS;

/** A name of at most `most` characters: how many others it stands for is not cut off. */
export function cutName(name: string, most: number): string {
  const more = / \+\d+$/.exec(name)?.[0] ?? '';
  return cut(name.slice(0, name.length - more.length), most - more.length) + more;
}

/** Text of at most `most` characters; what is cut off is an ellipsis. */
export function cut(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  return `${characters.slice(0, Math.max(0, most - 1)).join('')}…`;
}
