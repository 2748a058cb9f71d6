// The frame and the colors that the pictures share: a dark card, readable on light and dark pages.
export const COLORS = {
  background: '#0d1117',
  border: '#3d444d',
  text: '#e6edf3',
  faint: '#9198a1',
  red: '#ff7b72',
  green: '#7ee787',
  yellow: '#f2cc60',
  blue: '#79c0ff',
};

const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

export function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** An SVG document with a title for screen readers. */
export function svg(width, height, title, body) {
  const { background, border } = COLORS;
  const [w, h] = [width - 1, height - 1];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${FONT}" font-size="13">
<title>${escaped(title)}</title>
<rect x="0.5" y="0.5" width="${w}" height="${h}" rx="8" fill="${background}" stroke="${border}"/>
${body.join('\n')}
</svg>
`;
}
