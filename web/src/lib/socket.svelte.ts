// Socket.IO connection to one namespace: it reconnects by itself, and every request is answered or times out.
import { io, type Socket } from 'socket.io-client';
import { steadyNow } from './clock';

type AnswerTo<F> = F extends (message: never, answered: (answer: infer A) => void) => void ? A : never;
type Message<F> = F extends (message: infer M, answered: never) => void ? M : never;

/** Reason why the server refused a connection. */
export interface Problem {
  code: string;
  message: string;
}

export type ConnectionState = 'idle' | 'connecting' | 'open' | 'lost' | 'refused';

/** It is unknown whether the request arrived: ask for the state. */
export class NoAnswer extends Error {}

const answerMs = 8_000;
const firstTryMs = 250;
const lastTryMs = 2_000;

export class Connection<ServerEvents extends object, ClientEvents extends object> {
  state = $state<ConnectionState>('idle');
  /** Since when it is lost, as `steadyNow` counts. */
  lostAt = $state<number | null>(null);
  /** Reason why the server refused this connection. */
  refusal = $state.raw<Problem | null>(null);
  readonly #socket: Socket;

  constructor(namespace: string, onOpen: () => void, onFailure: (refusal: Problem | null) => void = () => undefined) {
    this.#socket = io(namespace, {
      autoConnect: false,
      transports: ['websocket', 'polling'],
      reconnectionDelay: firstTryMs,
      reconnectionDelayMax: lastTryMs,
      timeout: answerMs,
    });
    this.#socket.on('connect', () => {
      this.state = 'open';
      this.lostAt = null;
      this.refusal = null;
      onOpen();
    });
    this.#socket.on('disconnect', (reason) => {
      if (reason === 'io client disconnect') return;
      this.#lose();
      // The library does not come back by itself when the server has closed the connection.
      if (reason === 'io server disconnect') this.#socket.connect();
    });
    this.#socket.on('connect_error', (error: Error & { data?: { code?: string } }) => {
      const code = error.data?.code;
      if (code === undefined) this.#lose();
      else if (code === 'internal') {
        // The server cannot verify sessions at the moment, and the library does not try again by itself.
        this.#lose();
        setTimeout(() => this.state === 'lost' && this.#socket.connect(), lastTryMs);
      } else {
        this.state = 'refused';
        this.refusal = { code, message: error.message };
      }
      onFailure(this.refusal);
    });
  }

  on<E extends keyof ServerEvents & string>(event: E, listener: ServerEvents[E]): void {
    this.#socket.on(event as string, listener as unknown as (message: unknown) => void);
  }

  open(): void {
    if (this.state === 'open' || this.state === 'connecting') return;
    this.state = 'connecting';
    this.#socket.connect();
  }

  close(): void {
    this.state = 'idle';
    this.#socket.disconnect();
    this.refusal = null;
    this.lostAt = null;
  }

  /** Nothing is kept for later: what cannot be asked now fails now. */
  async ask<E extends keyof ClientEvents & string>(event: E, message: Message<ClientEvents[E]>): Promise<AnswerTo<ClientEvents[E]>> {
    if (!this.#socket.connected) throw new NoAnswer('There is no connection.');
    try {
      return (await this.#socket.timeout(answerMs).emitWithAck(event, message)) as AnswerTo<ClientEvents[E]>;
    } catch {
      // A server that does not answer may have died silently: a new connection finds out.
      if (this.#socket.connected) this.#socket.io.engine.close();
      throw new NoAnswer('There was no answer.');
    }
  }

  #lose(): void {
    if (this.state === 'idle') return;
    this.state = 'lost';
    this.lostAt ??= steadyNow();
  }
}
