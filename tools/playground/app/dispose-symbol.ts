// The symbol of `using` for browsers that have none, before any class of this thread names it.
const symbols = Symbol as { dispose?: symbol };
symbols.dispose ??= Symbol('Symbol.dispose');

/** The symbol. */
export const DISPOSE = Symbol.dispose;
