// Announcer: turns events of a table into sounds, and into sentences for screen readers.
import { lang } from '../../lib/language.svelte';
import { sounds } from '../../lib/sound';
import type { TableEvent } from './tableContext';
import type { Table } from './table.svelte';
import { answered, dealerSentence, sayCards } from './statusText';
import type { PlayerSession } from './playerSession.svelte';

const tickLastSeconds = 5;

export class Announcer {
  text = $state('');
  #seconds = 0;

  constructor(private readonly session: PlayerSession) {
    session.onEvent((table, event) => this.#announce(table, event));
    $effect.root(() => {
      $effect(() => this.#count());
    });
  }

  /** The last seconds of a window, ticking. */
  #count(): void {
    const asking = this.session.urgent ?? this.session.active;
    const isTimed = asking !== null && (asking.mustDecide || (asking.isBetting && asking.hasBet));
    const seconds = isTimed ? Math.ceil((asking.leftMs ?? 0) / 1000) : 0;
    if (seconds !== this.#seconds && seconds > 0 && seconds <= tickLastSeconds) sounds.play('tick');
    if (seconds !== this.#seconds && seconds === tickLastSeconds) this.#say(asking!, lang.w.spoken.seconds(seconds));
    this.#seconds = seconds;
  }

  #announce(table: Table, event: TableEvent): void {
    const words = lang.w;
    const net = table.result ? table.result.returned - table.result.staked : 0;
    switch (event) {
      case 'card':
        sounds.play('card');
        return this.#say(table, this.#cards(table));
      case 'betting':
        return this.#say(table, words.phase.placeBets);
      case 'your_turn': {
        const options = (table.roundSeat?.options ?? []).map((option) => words.actions[option]).join(', ');
        return this.#say(table, `${this.#cards(table)}. ${words.decide.title}. ${words.spoken.options(options)}`);
      }
      case 'paused':
        sounds.play('alert');
        return this.#say(table, words.states.paused);
      case 'cancelled':
        sounds.play('alert');
        return this.#say(table, words.phase.cancelled);
      case 'result': {
        if (net > 0) sounds.play('win');
        const { outcome } = words;
        const end = net > 0 ? outcome.wonAmount(lang.money(net)) : net < 0 ? outcome.lostAmount(lang.money(-net)) : outcome.even;
        return this.#say(table, `${dealerSentence(table, words) ?? ''}. ${end}`);
      }
    }
  }

  #cards(table: Table): string {
    const { round } = table;
    const said = [];
    if (table.phase === 'showdown' || table.phase === 'settled') {
      said.push(lang.w.spoken.dealer(sayCards(round?.dealer_cards ?? [], lang.w)));
    } else if (round && round.board.length > 0) {
      said.push(lang.w.spoken.board(sayCards(round.board, lang.w)));
    } else {
      said.push(lang.w.spoken.cards(sayCards(table.playerCards, lang.w)));
    }
    if (table.roundSeat?.automatic) said.push(answered(table, lang.w));
    return said.join('. ');
  }

  #say(table: Table, text: string): void {
    this.text = this.session.tables.length > 1 ? `${table.details?.name ?? table.id}: ${text}` : text;
  }
}
