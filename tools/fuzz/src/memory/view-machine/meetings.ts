// H15: what threads of a block fence around a barrier where they meet passes from one to another.
import { both, carriedOf, type Message, type Passing, type View } from './views.ts';

/** What an agent brings to a barrier. */
export function passing({ passed, remembered }: View): Passing {
  const own = remembered?.isWidest === true ? carriedOf(remembered) : null;
  return { ...passed, fenced: both(passed.fenced, own) };
}

/** A view with what others brought to a barrier. */
export function meet(view: View, { fenced, awaited }: Passing): View {
  const passed = { fenced: both(view.passed.fenced, fenced), awaited: view.passed.awaited };
  return awaited.reduce(keepAwaited, { ...view, passed });
}

/** A view with a message that a relaxed wait brought: those that it meets can acquire it. */
export function keepAwaited(view: View, message: Message): View {
  const { fenced, awaited } = view.passed;
  const text = JSON.stringify(message);
  if (awaited.some((one) => JSON.stringify(one) === text)) return view;
  return { ...view, passed: { fenced, awaited: [...awaited, message] } };
}
