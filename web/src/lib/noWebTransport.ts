/** Stands in for the WebTransport of `engine.io-client` in the built pages; they never ask for it. */
export class WT {}
