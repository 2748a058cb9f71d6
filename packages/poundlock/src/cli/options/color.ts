// --color WHEN and --no-color: whether a terminal report has colors.
import { Option, type Command } from 'commander';

/** When colors are used. */
const COLORS = ['auto', 'always', 'never'] as const;
export type Color = (typeof COLORS)[number];

/** The options of every verb that prints in color; `--no-color` is `false`. */
export interface ColorOptions {
  readonly color?: Color | false;
}

/** Adds the options to a verb. */
export function addColorOptions(command: Command): Command {
  const description = 'colors: auto (the default), always, never; before FORCE_COLOR and NO_COLOR';
  return command
    .addOption(new Option('--color <WHEN>', description).choices(COLORS))
    .addOption(new Option('--no-color', 'the same as --color never'));
}

/** What the options say. */
export function readColor({ color }: ColorOptions): Color | undefined {
  return color === false ? 'never' : color;
}
