// What a role or a unit does at a time: one word, one color and one glyph for it, everywhere.
import type { PathShare, StallCause } from '@poundlock/core/internal/finding';

/** How a time looks. */
interface Words {
  readonly text: string;
  /** A variable of the palette. */
  readonly color: string;
  /** In the terminal. */
  readonly glyph: string;
}

/** What a role does, why it waits, or that a unit has work. */
export type Look = 'busy' | StallCause | 'flight';

export const LOOKS: { readonly [L in Look]: Words } = {
  busy: { text: 'works', color: '--works', glyph: '█' },
  full: { text: 'waits for data', color: '--for-data', glyph: '░' },
  empty: { text: 'waits for space', color: '--for-space', glyph: '·' },
  unit: { text: 'waits for a unit', color: '--for-unit', glyph: '▒' },
  flight: { text: 'asynchronous work', color: '--flight', glyph: '' },
};

/** What the end of the run waited for: a role that works or wakes up, or asynchronous work. */
export const PATH_WORDS: { readonly [W in PathShare['what']]: string } = {
  role: LOOKS.busy.text,
  wake: 'wakes up',
  flight: 'is in flight',
};
