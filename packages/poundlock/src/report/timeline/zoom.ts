// Zoom of the timelines of a page: a script that widens what scrolls. Places are shares of the
// width, so that nothing is drawn again.

export const ZOOM_STYLE = `
.timeline .zoom { margin: .2rem 0; color: var(--soft); font-size: 13px }
.timeline .zoom button { font: inherit; min-width: 2rem; padding: 0 .4rem; color: inherit;
  background: none; border: 1px solid var(--rule); border-radius: 4px; cursor: pointer }
.bars > div:focus-visible { outline-offset: -2px }
.bars .fine { display: none } .bars svg.close .fine { display: inline }
`;

/** How much closer a step of the wheel or a key goes, and the closest look. */
const STEP = 1.25;
const CLOSEST = 64;
/** From here on the ticks between the others are shown. */
const CLOSE = 4;

export const ZOOM_SCRIPT = `
for (const pane of document.querySelectorAll('.timeline .bars > div:has(> svg.dense)')) {
  const svg = pane.firstElementChild;
  const narrowest = getComputedStyle(svg).minWidth;
  let factor = 1;
  const zoom = (by, share = 0.5) => {
    const before = factor;
    factor = by === 0 ? 1 : Math.min(${CLOSEST}, Math.max(1, factor * by));
    const at = pane.scrollLeft + share * pane.clientWidth;
    svg.style.width = factor * 100 + '%';
    svg.style.minWidth = factor === 1 ? narrowest : '0';
    svg.classList.toggle('close', factor >= ${CLOSE});
    pane.scrollLeft = at * factor / before - share * pane.clientWidth;
  };
  const keys = { '+': ${STEP}, '=': ${STEP}, '-': ${1 / STEP}, 0: 0 };
  pane.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    zoom(keys[event.key]);
  });
  // The wheel scrolls the page until the timeline is chosen, by a click or a key.
  pane.addEventListener('wheel', (event) => {
    if (document.activeElement !== pane || event.deltaY === 0) return;
    event.preventDefault();
    const { left } = pane.getBoundingClientRect();
    zoom(event.deltaY < 0 ? ${STEP} : ${1 / STEP}, (event.clientX - left) / pane.clientWidth);
  }, { passive: false });
  const row = document.createElement('p');
  row.className = 'zoom';
  const buttons = [['+', 'closer', ${STEP ** 2}],
    ['−', 'farther', ${STEP ** -2}], ['all', 'all of it', 0]];
  for (const [sign, label, by] of buttons) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = sign;
    button.setAttribute('aria-label', label);
    button.addEventListener('click', () => zoom(by));
    row.append(button, ' ');
  }
  row.append('keys + − 0, or the wheel after a click');
  pane.parentElement.before(row);
}
`;
