// The documentation site: Starlight over the pages that tools/site/stage writes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';

const STAGED = join(import.meta.dirname, 'dist', 'staged');
const sidebarFile = join(STAGED, 'sidebar.json');

/** Colors of output that stand out enough from the background, by the kind of theme. */
const ANSI = {
  dark: { Red: '#ff8a80', Green: '#5fd47a', Yellow: '#e3b341', Blue: '#82bfff', Cyan: '#82bfff' },
  light: { Red: '#b3261e', Green: '#176b34', Yellow: '#7a5000', Blue: '#0b5cad', Cyan: '#0b5cad' },
};

function withReadableOutput(theme) {
  theme.colors['terminal.ansiBrightBlack'] = theme.type === 'dark' ? '#9aa8b5' : '#57606a';
  for (const [name, color] of Object.entries(ANSI[theme.type])) {
    theme.colors[`terminal.ansi${name}`] = color;
    theme.colors[`terminal.ansiBright${name}`] = color;
  }
  return theme;
}

/** What the keyboard has to reach: what scrolls; and the search has the name that it shows. */
const REACHABLE = `
const reach = () => {
  for (const one of document.querySelectorAll('.sl-markdown-content :is(table, pre), .scroll'))
    one.scrollWidth > one.clientWidth ? (one.tabIndex = 0) : one.removeAttribute('tabindex');
};
const nameSearch = () => {
  for (const button of document.querySelectorAll('site-search button[data-open-modal]')) {
    for (const word of button.querySelectorAll('[aria-hidden]'))
      word.removeAttribute('aria-hidden');
    if (button.innerText.trim() === '') button.setAttribute('aria-label', 'Search');
    else button.removeAttribute('aria-label');
  }
};
for (const act of [reach, nameSearch]) {
  act();
  addEventListener('resize', act);
}
// The field of the search is made when it is opened, with a title instead of a name.
new MutationObserver((_, observer) => {
  const field = document.querySelector('.pagefind-ui__search-input');
  if (field === null) return;
  field.setAttribute('aria-label', 'search');
  observer.disconnect();
}).observe(document.body, { childList: true, subtree: true });
`;

export default defineConfig({
  // `npm run site` makes all addresses relative afterwards; the server of `site:dev` has no base.
  base: process.env.SITE_BASE ?? '/',
  outDir: './dist/html',
  cacheDir: './dist/cache',
  publicDir: './dist/staged/public',
  image: { service: passthroughImageService() },
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: 'poundlock',
      logo: { src: './src/logo.svg', alt: '' },
      social: [{ icon: 'github', label: 'GitHub', href: 'https://github.com/poundlock/poundlock' }],
      sidebar: existsSync(sidebarFile) ? JSON.parse(readFileSync(sidebarFile, 'utf8')) : [],
      customCss: ['./dist/staged/style/diagram.css', './src/styles/site.css'],
      components: { SocialIcons: './src/components/SocialIcons.astro' },
      expressiveCode: {
        themes: ['github-dark', 'github-light'],
        customizeTheme: withReadableOutput,
        // A terminal wraps what it prints; a program is read by its columns.
        defaultProps: { overridesByLang: { 'ansi,console,sh,text': { wrap: true } } },
        styleOverrides: { borderRadius: '0.4rem', codeFontSize: '0.8125rem' },
      },
      head: [{ tag: 'script', attrs: { type: 'module' }, content: REACHABLE }],
      lastUpdated: false,
      credits: false,
    }),
  ],
});
