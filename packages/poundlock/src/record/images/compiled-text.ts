// A PTX text that was found for an image, and what is known of it.

/** Where a PTX text was found. */
export type Origin =
  | 'ptxas'
  | 'NVRTC'
  | 'fatbin'
  | 'debug section'
  | 'cache'
  | 'program'
  | 'Triton';

/** A PTX text for an image. */
export interface CompiledText {
  readonly text: string;
  readonly origin: Origin;
  /** Whether the code that ran was compiled from this text. */
  readonly isExact: boolean;
}

/** The architecture that a PTX text names, such as `sm_90a`. */
export function targetOf(text: string): string | undefined {
  return /^\s*\.target\s+(sm_\w+)/m.exec(text)?.[1];
}

/** Whether a PTX text has line information. */
export function hasLines(text: string): boolean {
  return /^\s*\.loc\s/m.test(text);
}

/** Whether a PTX text defines a kernel. */
function definesKernel(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWhole = !/[\w$]/.test(text.charAt(at + name.length));
    if (isWhole && /\.entry\s+$/.test(text.slice(Math.max(0, at - 32), at))) return true;
  }
  return false;
}

/** The best text with a kernel: of the code that ran, and with its lines. */
export function bestText(texts: readonly CompiledText[], name: string): CompiledText | undefined {
  const found = texts.filter(({ text }) => definesKernel(text, name));
  const exact = found.filter(({ isExact }) => isExact);
  return exact.find(({ origin }) => origin !== 'debug section') ?? exact[0] ?? found[0];
}
