// A diagram as shapes with coordinates, in pixels: what a writer or a page draws.
import type { StandingState } from '@poundlock/core/internal/finding';
import type { Fact } from './facts.ts';

/** A line of text at its baseline. */
export interface TextLine {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** A line above the columns: the message of the finding, or what it is about. */
export interface DrawnHeading extends TextLine {
  readonly isSubject: boolean;
}

/** The column of a role, a unit, or several equal roles. */
export interface DrawnColumn {
  readonly name: string;
  readonly kind: 'role' | 'unit';
  readonly members: readonly string[];
  /** Its lifeline. */
  readonly x: number;
  readonly top: number;
  /** Where its last step is. */
  readonly until: number;
  /** Where the lifeline ends: below `until` it waits, or could go on. */
  readonly bottom: number;
  readonly state: StandingState;
  readonly head: readonly TextLine[];
  /** The same below a diagram that is too high to see both ends; else empty. */
  readonly foot: readonly TextLine[];
}

/** One action of a row. */
export interface DrawnMark {
  readonly column: number;
  readonly x: number;
  readonly y: number;
  readonly kind: 'role' | 'unit';
  /** What it is called beside the mark; empty where there is no room. */
  readonly label: string;
  /** Whether the finding shows in it. */
  readonly isFailing: boolean;
}

/** A line of the margin. */
export interface DrawnFact extends Fact {
  readonly x: number;
  readonly y: number;
  /** The text as far as there is room. */
  readonly shown: string;
}

/** A row of steps, or one that stands for hidden steps. */
export interface DrawnRow {
  readonly kind: 'steps' | 'hidden';
  /** The steps that it shows, from 1. */
  readonly first: number;
  readonly last: number;
  readonly top: number;
  readonly height: number;
  /** The numbers of the steps and the source line. */
  readonly number: TextLine;
  readonly place: TextLine | null;
  readonly marks: readonly DrawnMark[];
  readonly facts: readonly DrawnFact[];
  /** All that happens in it, as a sentence for each step. */
  readonly text: string;
  readonly isFailing: boolean;
}

/**
 * From the step that lets a wait pass to that wait, from a step to the work that it issues, or from
 * a role that owes something to one that waits for it.
 */
export interface DrawnArrow {
  readonly kind: 'passes' | 'issues' | 'owes';
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Steps from 1; 0 for what is after the last one. */
  readonly from: number;
  readonly to: number;
}

/** A stage that a role holds, or asynchronous work. */
export interface DrawnSpan {
  readonly kind: 'stage' | 'work';
  /** Its number among the spans of the schedule. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The number of its color, from 0; −1 where it has none of its own. */
  readonly hue: number;
  /** The number of the stage; empty where there is none. */
  readonly label: string;
  readonly isOpen: boolean;
  readonly text: string;
}

/** What a column does after the last step. */
export interface DrawnEnd {
  readonly column: number;
  readonly state: StandingState;
  readonly x: number;
  readonly y: number;
  readonly label: string;
  /** Whether its next operation is an access of the race. */
  readonly isFailing: boolean;
}

/** What an agent does after the last step, in words. */
export interface DrawnStanding {
  readonly name: string;
  readonly state: StandingState;
  readonly text: string;
  readonly lines: readonly TextLine[];
}

/** A color of the legend. */
export interface LegendEntry {
  readonly hue: number;
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** A whole diagram. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** What it is, in a sentence, and the same with what happens in it. */
  readonly title: string;
  readonly description: string;
  readonly fontSize: number;
  /** The rule and its message, where the diagram shows them itself. */
  readonly heading: readonly DrawnHeading[];
  /** Where the heads of the columns end and the rows begin. */
  readonly top: number;
  /** Whether heads of columns run upward. */
  readonly hasUprightHeads: boolean;
  readonly columns: readonly DrawnColumn[];
  readonly rows: readonly DrawnRow[];
  readonly arrows: readonly DrawnArrow[];
  readonly spans: readonly DrawnSpan[];
  readonly ends: readonly DrawnEnd[];
  readonly standings: readonly DrawnStanding[];
  readonly legend: readonly LegendEntry[];
}
