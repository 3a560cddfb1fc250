// The pages are built into dist/ and served by the casino itself. Nothing is inlined: the content security policy
// allows scripts, styles and pictures from our own address only.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const service = 'http://127.0.0.1:8080';
// The back office and the poker room are built by themselves, beside the others: shared pieces would be cut for them as
// well, and the first table view would grow by what only they need.
const pages: Record<string, string[]> = {
  production: ['index.html', 'host.html', 'not_found.html'],
  office: ['finance.html'],
  poker: ['poker.html'],
};

// The service speaks WebSocket and polling alone, so the pages need not carry the library's third transport.
const webTransport = new URL('src/lib/noWebTransport.ts', import.meta.url).pathname;

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  resolve: { alias: [{ find: /^\.\/(transports\/)?webtransport\.js$/, replacement: webTransport }] },
  build: {
    assetsInlineLimit: 0,
    emptyOutDir: false, // whoever builds them all says so
    // Panels share their scripts with the first view, so only their styles need to be named in it.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, names, { hostType }) => names.filter((name) => hostType === 'html' || name.endsWith('.css')),
    },
    rolldownOptions: { input: pages[mode] ?? [] },
  },
  server: { proxy: { '/api': service, '/healthz': service, '/socket.io': { target: service, ws: true } } },
}));
