// eslint.config.js
import { defineConfig } from 'eslint/config';
import poundlock from 'eslint-plugin-poundlock';
import tseslint from 'typescript-eslint';

export default defineConfig(tseslint.configs.base, poundlock.configs.recommended, {
  files: ['src/**'],
  languageOptions: { parserOptions: { projectService: true } },
});