// Numbers as people read them: thousands separators, units, singular and plural.

/** `12,345`. */
export function grouped(value: number): string {
  const [whole = '', fraction] = String(value).split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

/** `1 state`, `12,345 states`. */
export function counted(value: number, noun: string): string {
  return `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** `3 ms`, `0.12 s`, `12.3 s`, `2 min 05 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 99.5) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}
