// Draws the schedule of a finding as a space-time diagram: a lane for each role and unit.
import { COLORS, escaped, svg } from './svg.mjs';

const LANE = 150;
const ROW = 34;
const LEFT = 112;
const TOP = 74;
const NOTES = 352;

/** Verbs that start asynchronous work, which a unit of its own lane finishes. */
const ISSUES = new Set(['copy', 'use']);

const laneX = (lane) => LEFT + lane * LANE;
const stepY = (step) => TOP + step * ROW;

/** A role's own unit has its name in parentheses. */
function laneOf({ agent, kind }) {
  return kind === 'unit' ? `(${agent})` : agent;
}

/** Asynchronous work: from its issue to its completion, which is missing where it is still open. */
function flightsOf(trace) {
  const open = [];
  const flights = [];
  for (const [step, { agent, kind, verb }] of trace.entries()) {
    if (kind === 'role' && ISSUES.has(verb)) {
      const flight = { unit: verb === 'copy' ? '(tma)' : `(${agent})`, from: step };
      open.push(flight);
      flights.push(flight);
    }
    if (kind !== 'unit') continue;
    const at = open.findIndex(({ unit }) => unit === `(${agent})`);
    open[at].to = step;
    open.splice(at, 1);
  }
  return flights;
}

function bar({ unit, from, to }, lanes, issuer, steps) {
  const [x, top] = [laneX(lanes.indexOf(unit)), stepY(from)];
  const bottom = stepY(to ?? steps) - (to === undefined ? 8 : 0);
  const color = to === undefined ? COLORS.red : COLORS.blue;
  const issue = laneX(lanes.indexOf(issuer));
  return [
    `<path d="M${issue} ${top} H${x}" stroke="${color}" stroke-dasharray="3 4" fill="none"/>`,
    `<rect x="${x - 7}" y="${top}" width="14" height="${bottom - top}" rx="4" fill="${color}" opacity="0.55"/>`,
  ];
}

/** From the step that completed a phase to the wait that it let pass. */
function arrow(trace, step, lanes) {
  const from = trace[step].from - 1;
  const [x1, x2] = [trace[from], trace[step]].map((one) => laneX(lanes.indexOf(laneOf(one))));
  const end = x2 + (x1 < x2 ? -9 : 9);
  const line = `M${x1} ${stepY(from)} L${end} ${stepY(step)}`;
  return `<path d="${line}" stroke="${COLORS.green}" stroke-width="1.6" fill="none" marker-end="url(#tip)"/>`;
}

function stepMark(step, at, lanes, right) {
  const lane = lanes.indexOf(laneOf(step));
  const [x, y] = [laneX(lane), stepY(at)];
  // Beside the first lane, arrows come from the right.
  const [side, anchor] = lane === 0 ? [x - 12, 'end'] : [x + 12, 'start'];
  const place = `<text x="24" y="${y + 4}" fill="${COLORS.faint}" text-anchor="middle">${at + 1}</text>`;
  const dot = `<circle cx="${x}" cy="${y}" r="5" fill="${COLORS.text}"/>`;
  const verb = `<text x="${side}" y="${y + (lane === 0 ? 4 : -5)}" fill="${COLORS.text}" font-weight="700" text-anchor="${anchor}">${step.verb}</text>`;
  const { effects, waited, text } = step;
  const note = effects[0] ?? (waited === undefined ? text : `waits for ${waited}`);
  const shown = `<text x="${right}" y="${y + 4}" fill="${COLORS.faint}">${escaped(note)}</text>`;
  return [place, dot, verb, shown];
}

export function scheduleSvg({ rule, message, trace }) {
  const flights = flightsOf(trace);
  const roles = [...new Set(trace.filter(({ kind }) => kind === 'role').map(laneOf))];
  const units = [...new Set(flights.map(({ unit }) => unit))];
  const lanes = [roles[0], ...units.slice(0, 1), ...roles.slice(1), ...units.slice(1)];
  const right = laneX(lanes.length - 1) + 70;
  const [width, height] = [right + NOTES, stepY(trace.length) + 24];
  const heads = lanes.map(
    (lane, at) =>
      `<text x="${laneX(at)}" y="50" fill="${COLORS.text}" font-weight="700" text-anchor="middle">${lane}</text>
<path d="M${laneX(at)} 58 V${stepY(trace.length) - 8}" stroke="${COLORS.border}" fill="none"/>`,
  );
  const passed = trace.flatMap(({ from }, step) => (from === undefined ? [] : [step]));
  const body = [
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="${COLORS.green}"/></marker></defs>`,
    `<text x="18" y="26" fill="${COLORS.red}" font-weight="700">${rule}<tspan fill="${COLORS.text}">: ${escaped(message)}</tspan></text>`,
    ...heads,
    ...flights.flatMap((one) => bar(one, lanes, laneOf(trace[one.from]), trace.length)),
    ...passed.map((step) => arrow(trace, step, lanes)),
    ...trace.flatMap((step, at) => stepMark(step, at, lanes, right)),
    `<text x="${right}" y="${stepY(trace.length) + 2}" fill="${COLORS.red}">nothing orders the two that are still open</text>`,
  ];
  return svg(width, height, `Schedule of ${rule}: ${message}`, body);
}
