import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev` finds the API; the built page is served by the API itself. */
const API = 'http://127.0.0.1:3000';

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
  },
  // The words of the product are those of the service.
  server: { proxy: { '/dashboard/api': API }, fs: { allow: ['.', '../src/vocabulary'] } },
});
