// The documentation site: Starlight over the pages that site/stage writes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';

const STAGED = join(import.meta.dirname, 'dist', 'staged');
const sidebarFile = join(STAGED, 'sidebar.json');

export default defineConfig({
  // `npm run site` makes all addresses relative afterwards; the server of `site:dev` has no base.
  base: process.env.SITE_BASE ?? '/',
  outDir: './dist/html',
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
        styleOverrides: { borderRadius: '0.4rem', codeFontSize: '0.8125rem' },
      },
      lastUpdated: false,
      credits: false,
    }),
  ],
});
