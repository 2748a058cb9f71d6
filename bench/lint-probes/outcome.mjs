// Describes the result of a call in a few words: for the second release of a handle and its late use.

/**
 * `throws TypeError: …`, `rejects Error: …`, `answers false`, `does nothing`. Its source also runs in
 * pages and workers, so it must be self-contained. After `patienceMs` a result counts as missing.
 */
export async function outcome(act, patienceMs = 2000) {
  const described = (error) => {
    const { name = 'Error', message = error } = error ?? {};
    return `${name}: ${String(message).split('\n')[0].slice(0, 90)}`;
  };
  let answer;
  try {
    answer = act();
  } catch (error) {
    return `throws ${described(error)}`;
  }
  const late = Symbol('late');
  const clock = new Promise((resolve) => void setTimeout(resolve, patienceMs, late));
  try {
    const value = await Promise.race([answer, clock]);
    if (value === late) return 'never settles';
    const isPlain = value === null || typeof value !== 'object';
    if (value === undefined) return 'does nothing';
    return isPlain ? `answers ${String(value)}` : `answers ${value.constructor?.name}`;
  } catch (error) {
    return `rejects ${described(error)}`;
  }
}
