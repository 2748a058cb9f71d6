// What names of methods mean where nothing states it.

/** Verbs that end an object's life. */
const ENDS = new RegExp(
  '^(close|end|destroy|dispose|terminate|kill|quit|disconnect|shutdown|release|free|unsubscribe)' +
    '(All|Sync|Async|Now|Gracefully)?$',
  'i',
);

/** Verbs that may end it. */
const MAY_END = new RegExp(
  '^(stop(All)?|cancel|abort|delete|detach|exit|drop|unregister|deactivate|uninstall|teardown|' +
    'finish|return|disown|unref|dismiss|reset|clear|leave|move|transfer|into[A-Z]\\w*)$',
);

/** The properties that probably end an object's life. */
export function releasingMethods(names: readonly string[]): string[] {
  return names.filter((name) => ENDS.test(name));
}

/** The properties that may end it. */
export function possiblyReleasingMethods(names: readonly string[]): string[] {
  return names.filter((name) => MAY_END.test(name));
}

/** Verbs of functions that end their argument: `disposeOf(listener)`, `closeAll(files)`. */
export function endsArgument(name: string): boolean {
  return /^(close|end|destroy|dispose|terminate|release|free|unsubscribe|cleanup)(?![a-z])/.test(
    name,
  );
}

/** Methods by which an object keeps what it is given. */
export function keepsArgument(name: string): boolean {
  return /^(push|unshift|add|set|use|adopt|defer|register)(?![a-z])/.test(name);
}

/** Verbs of looking up: what such a function returns belongs to another owner. */
export function looksUp(name: string): boolean {
  return /^(get|find|peek|current|active|root|lookup|resolve|of|ensure|at)(?![a-z])/.test(name);
}

/** Verbs of creating. */
export function creates(name: string): boolean {
  return /^(create|open|acquire)(?![a-z])/.test(name);
}

/** Verbs of standing on another object, whose end is then its end. */
export function standsOn(name: string): boolean {
  return /^(connect|attach|bind|mount)(To)?$/.test(name);
}

/** Methods of emitters that add or remove a listener of an event. */
export function registersListener(name: string): boolean {
  return /^(on|once|off|(add|remove|prepend|prependOnce)Listener)$/.test(name);
}

/** Methods of emitters that only remove listeners. */
export function removesListener(name: string): boolean {
  return /^(off|remove(All|Event)?Listeners?)$/.test(name);
}
