import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev` finds the API; the built page is served by the API itself. */
const API = 'http://127.0.0.1:3000';

const FIRST_PAGES = /src\/(?:main|shell\/mode-layout|pages\/home\/home-page)\.tsx$/;

export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  build: {
    manifest: true,
    target: 'es2022',
    // Inlined assets would be `data:` addresses, which the page's Content-Security-Policy does not let in.
    assetsInlineLimit: 0,
    // The polyfill is an inline script in older outputs, and every browser of this target preloads modules by itself.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    // Far away, each file costs a round trip: what the first page needs comes as one, with all that it imports.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', test: FIRST_PAGES }] } } },
  },
  // The words of the product are those of the service.
  server: { proxy: { '/dashboard/api': API }, fs: { allow: ['.', '../src/vocabulary'] } },
});
