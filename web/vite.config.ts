// The pages are built into dist/ and served by the casino itself. Nothing is inlined: the content security policy
// allows scripts, styles and pictures from our own address only.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const service = 'http://127.0.0.1:8080';
const pages = ['index.html', 'host.html', 'finance.html'];

export default defineConfig({
  plugins: [svelte()],
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, rolldownOptions: { input: pages } },
  server: { proxy: { '/api': service, '/healthz': service, '/socket.io': { target: service, ws: true } } },
});
