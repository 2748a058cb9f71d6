// What a signal carries, and what a wait takes of it (S11–S15, T04, T05).
import { keepAwaited, meet, passing } from './meetings.ts';
import type { ViewOptions } from './options.ts';
import type { Scene } from './scene.ts';
import {
  carriedOf,
  newer,
  nothing,
  union,
  where,
  type Carried,
  type Message,
  type View,
} from './views.ts';

interface Context {
  readonly scene: Scene;
  readonly options: ViewOptions;
}

/** One end of a signal: its CTA, its semantics and its scope. */
interface End {
  readonly cta: number;
  readonly isRelaxed: boolean;
  readonly isWide: boolean;
  /** Whether its scope is the GPU. */
  readonly isWidest: boolean;
}

interface Sent extends End {
  readonly phase: number;
  /** Whether threads of a block meet. */
  readonly isMeeting: boolean;
}

function hasTensorFences({ profile, faults }: ViewOptions): boolean {
  return profile === 'isa' && faults?.ignoresTensorFences !== true;
}

/** The message of an arrival: a relaxed one carries what was fenced, and tensor memory. */
export function send(
  { scene, options }: Context,
  view: View,
  { cta, isRelaxed, isWide, isWidest, phase, isMeeting }: Sent,
): Message {
  const { remembered } = view;
  let carried: Carried = carriedOf(view);
  let reach = isWide;
  if (isRelaxed) {
    carried = remembered === null ? nothing(scene) : carriedOf(remembered);
    reach = isWide && (remembered?.isWide ?? true);
  }
  const isTensor = (location: number): boolean => scene.locations[location]!.space === 'tm';
  const hasFences = hasTensorFences(options);
  const seen = hasFences ? view.before : view.generic;
  const generic = where(seen, carried.generic, isTensor);
  const tensor = hasFences ? view.tensorBefore : view.tensor;
  const { ordered, inits } = view;
  const mark = { cta, isWide: reach, inits, isWideOfInits: isWide, isAlways: false, phase };
  const isPractice = options.profile === 'practice';
  const passes = isPractice && isMeeting ? passing(view) : null;
  const { fenced } = view.passed;
  const message = { ...carried, ...mark, generic, ordered, tensor, passes, also: null };
  if (!isPractice || !isRelaxed || !isWidest || fenced === null) return message;
  return { ...message, also: { ...message, ...fenced, isWide: true } };
}

/** A view with what a message brings: memory by semantics and scopes, tensor memory always. */
export function receive(context: Context, view: View, message: Message, end: End): View {
  const { locations } = context.scene;
  const isTensor = (location: number): boolean => locations[location]!.space === 'tm';
  const { passes, also } = message;
  const met = passes === null ? view : meet(view, passes);
  const next = receiveInits(receiveTensor(context, met, message, isTensor), message, end);
  if (end.isRelaxed) {
    const waiting = { ...next, aside: [...next.aside, message] };
    return end.isWidest && context.options.profile === 'practice'
      ? keepAwaited(waiting, message)
      : waiting;
  }
  const taken = receiveOrdered(context, next, message, end);
  return also === null ? taken : receiveOrdered(context, taken, also, end);
}

/** A view with what a message brings by semantics and scopes. */
export function receiveOrdered(context: Context, next: View, message: Message, end: End): View {
  const { locations } = context.scene;
  const isTensor = (location: number): boolean => locations[location]!.space === 'tm';
  const released = union(next.released, message.released);
  const isNear = message.isAlways || message.cta === end.cta;
  const isBoth = message.isWide && end.isWide;
  if (!isNear && !isBoth && context.options.faults?.ignoresScopes !== true) {
    return { ...next, released };
  }
  const isOfCta = message.cta === end.cta && !message.isAlways;
  const old = next.generic;
  return {
    ...next,
    generic: newer(old, message.generic).map((one, at) => (isTensor(at) ? old[at]! : one)),
    async: newer(next.async, message.async),
    maps: newer(next.maps, message.maps),
    ofCta: isOfCta ? newer(next.ofCta, message.ofCta) : next.ofCta,
    known: union(next.known, message.known),
    fenced: union(next.fenced, message.fenced),
    released,
  };
}

/** I03: a fence of initializations releases them at cluster scope. */
function receiveInits(view: View, message: Message, { cta, isRelaxed, isWide }: End): View {
  const isReached = message.cta === cta || (message.isWideOfInits && isWide);
  if (isRelaxed || !isReached) return view;
  return { ...view, generic: newer(view.generic, message.inits) };
}

/**
 * A view after what another strand of a team has issued, and no signal of it: its reads are over in
 * practice, and tensor memory without fences is known by the order alone.
 */
export function orderOnly({ scene, options }: Context, view: View, issued: Carried): View {
  const ordered = newer(view.ordered, issued.ordered);
  const released = union(view.released, issued.released);
  if (hasTensorFences(options)) return { ...view, ordered, released };
  const isTensor = (location: number): boolean => scene.locations[location]!.space === 'tm';
  return {
    ...view,
    ordered,
    released,
    generic: where(newer(view.generic, ordered), view.generic, isTensor),
  };
}

function receiveTensor(
  { options }: Context,
  view: View,
  { generic, ordered: sent, tensor }: Message,
  isTensor: (location: number) => boolean,
): View {
  const ordered = newer(view.ordered, sent);
  const newest = (old: readonly number[]): readonly number[] =>
    where(newer(old, generic), old, isTensor);
  if (hasTensorFences(options)) {
    const tensorAfter = union(view.tensorAfter, tensor);
    return { ...view, ordered, after: newest(view.after), tensorAfter };
  }
  return { ...view, ordered, generic: newest(view.generic), tensor: union(view.tensor, tensor) };
}
