// The pages are built into dist/ and served by the casino itself. Nothing is inlined: the content security policy
// allows scripts, styles and pictures from our own address only.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const service = 'http://127.0.0.1:8080';
// The back office is built by itself, beside the others: shared pieces would be cut for it as well, and the first
// table view would grow by what only the back office needs.
const pages = { production: ['index.html', 'host.html'], office: ['finance.html'] };

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  build: {
    assetsInlineLimit: 0,
    emptyOutDir: false, // whoever builds them all says so
    modulePreload: { polyfill: false },
    rolldownOptions: { input: mode === 'office' ? pages.office : pages.production },
  },
  server: { proxy: { '/api': service, '/healthz': service, '/socket.io': { target: service, ws: true } } },
}));
