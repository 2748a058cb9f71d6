// Draws random parameter sets of the five models: sizes, wrong counts and phases, one or two bugs.

/** A small seeded generator (mulberry32): numbers in [0, 1). */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const from = (least, most) => (random) => least + Math.floor(random() * (most - least + 1));
const flag = () => true;

/**
 * For each model: its sizes, its deviations from the correct program, and what is too large for
 * an exhaustive search to be worth its time.
 */
const MODELS = {
  m1: {
    sizes: { S: from(1, 4), T: from(0, 6) },
    deviations: {
      ECNT: from(2, 3),
      PINIT: () => 0,
      CINIT: () => 1,
      BUG_EARLY: flag,
      BUG_DOUBLE: flag,
      BUG_NOARRIVE: flag,
      BUG_NODRAIN: flag,
      BUG_PFLIP: flag,
      BUG_CFLIP: flag,
    },
    isTooLarge: () => false,
  },
  m1a: {
    sizes: { S: from(1, 4), T: from(0, 6), NOP: from(1, 3) },
    deviations: {
      EXPECT: from(0, 4),
      PINIT: () => 0,
      BUG_LATE_EXPECT: flag,
      BUG_NODRAIN: flag,
    },
    isTooLarge: ({ S, NOP }) => S * NOP > 6,
  },
  m2: {
    sizes: { S1: from(1, 4), S2: from(1, 3), T: from(0, 6), K: from(0, 3) },
    deviations: {
      Q: from(1, 8),
      AEINIT: () => 0,
      FINCNT: from(0, 3),
      BUG_NOCOMMIT: flag,
      BUG_AFLIP: flag,
      BUG_DEALLOC: flag,
      BUG_EARLY: flag,
      BUG_DOUBLE: flag,
    },
    isTooLarge: () => false,
  },
  m3: {
    sizes: { S: from(1, 4), T: from(0, 6), P: from(1, 3), C: from(1, 3) },
    deviations: {
      ECNT: from(1, 5),
      FCNT: from(1, 4),
      BUG_DOUBLE: flag,
      BUG_NOARRIVE: flag,
    },
    isTooLarge: ({ S, P, C }) => S > 2 && P + C > 4,
  },
  m4: {
    sizes: { S: from(1, 4), T: from(0, 6), C: from(1, 3) },
    deviations: {
      TRY: flag,
      BUG_LOCALPHASE: flag,
      BUG_SENTINEL: flag,
      BUG_EARLY: flag,
      BUG_PINIT: flag,
    },
    isTooLarge: ({ S, C }) => S > 3 && C > 2,
  },
};

export const MODEL_NAMES = Object.keys(MODELS);

/** How many deviations a set has: mostly one or two. */
const COUNTS = [0, 1, 1, 1, 2, 2, 2, 3, 4];

/** One parameter set: its sizes and its deviations. */
export function draw(model, random) {
  const { sizes, deviations, isTooLarge } = MODELS[model];
  const names = Object.keys(deviations);
  for (;;) {
    const params = {};
    for (const [name, pick] of Object.entries(sizes)) params[name] = pick(random);
    const count = COUNTS[Math.floor(random() * COUNTS.length)];
    for (let i = 0; i < count; i++) {
      const name = names[Math.floor(random() * names.length)];
      params[name] = deviations[name](random);
    }
    if (!isTooLarge(params)) return params;
  }
}
