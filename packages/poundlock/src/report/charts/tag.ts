// Elements of a picture as text.
import { escaped } from '../html/text.ts';
import { place, type Scale } from './scale.ts';

/** Attributes by name; numbers are places. */
export type Attributes = Readonly<Record<string, string | number>>;

/** An element; `content` is markup. */
export function tag(name: string, attributes: Attributes, content = ''): string {
  const words = Object.entries(attributes).map(([key, value]) => {
    const text = typeof value === 'number' ? place(value) : escaped(value);
    return ` ${key}="${text}"`;
  });
  return `<${name}${words.join('')}>${content}</${name}>`;
}

/** A text of a class. */
export function label(name: string, text: string, attributes: Attributes): string {
  return tag('text', { class: name, ...attributes }, escaped(text));
}

/** The part of a picture that has the data. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Lines across the frame at the ticks of the vertical axis, with their values. */
export function levels(y: Scale, { left, right }: Frame, text: (value: number) => string) {
  return y.ticks.flatMap((tick) => {
    const at = y.at(tick);
    return [
      tag('line', { class: 'grid', x1: left, x2: right, y1: at, y2: at }),
      label('tick', text(tick), { x: left - 7, y: at, dy: 4, 'text-anchor': 'end' }),
    ];
  });
}
