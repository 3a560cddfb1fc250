import { describe, expect, it } from 'vitest';
import type { Announced, Card, Hand, Host, Phase, WinningPlayer } from '../../lib/protocol';
import { announce, biggestBets, cardsOut, instruct, shortLabel, slotLabel, slotsOf } from './nextInstruction';

const none = { ante: 0, blind: 0, trips: 0, play: 0 };

function hostIn(phase: Phase, more: Partial<Host> = {}, round: Partial<Host['round']> = {}): Host {
  return {
    table_id: 't',
    round: {
      table_id: 't', seq: 1, server_time: 0, round_id: 'r', game_number: '12:00:00', phase, deadline: null, paused: null,
      player_cards: [], board: [], dealer_cards: [], player_hand: null, dealer_hand: null, dealer_qualifies: null,
      players: 0, commitment: null, ...round,
    },
    expects: null, totals: none, totals_by_currency: [], seats: [], showdown: [], winners: [], winners_total: 0, tips: 0, play_tips: 0, presenter: 'pia', status: 'open',
    is_opening: false, left_to_decide: 0, confirm_until: null, incident: null, ended: null, proposal: null, hand_over: null,
    deck: { name: '', names: [], counted_by: null, counted_at: null, rounds_since: 0, count_within_rounds: 0, is_due: false, count: null },
    limits: { ante_min: 1, ante_max: 1, trips_min: 1, trips_max: 1 }, next_limits: null, practice: false,
    limit_bounds: { ante_min: 1, ante_max: 1, trips_min: 1, trips_max: 1 }, ...more,
  };
}

const shown = (host: Host, me = 'pia', isStarting = false) => {
  const { title, act, mood } = instruct(host, me, 'presenter', isStarting);
  return [title, act, mood];
};

describe('the instruction', () => {
  it('begins a shift at a table that is closed, and takes over where somebody else deals', () => {
    expect(shown(hostIn('idle', { status: 'closed', presenter: null }))).toEqual(['START SHIFT', 'open_table', 'do']);
    expect(shown(hostIn('deciding_flop'), 'bo')).toEqual(['ASK PIA FOR THE TABLE', 'take_over', 'do']);
    const asked = { hand_over: { proposal_id: 'h1', by: 'bo', asked_at: 0 } };
    expect(shown(hostIn('deciding_flop', asked), 'bo')).toEqual(['WAITING FOR THE TABLE', null, 'wait']);
    expect(shown(hostIn('deciding_flop', asked, { deadline: 5 }))[0]).toBe('PLAYERS DECIDE');
  });

  it('offers a take-over while the round is stopped, and asks before one in the middle of a round', () => {
    const paused = { reason: 'x', since: 0, incident_id: 'i' };
    expect(shown(hostIn('dealing_flop', {}, { paused }), 'bo')).toEqual(['ASK PIA FOR THE TABLE', 'take_over', 'stop']);
    expect(shown(hostIn('dealing_flop', { presenter: null }, { paused }), 'bo')).toEqual(['STOPPED', 'open_table', 'stop']);
    expect(instruct(hostIn('dealing_flop'), 'bo', 'presenter', false, true).title).toBe('TAKE OVER FROM PIA?');
  });

  it('says that the shift ends with the round', () => {
    expect(instruct(hostIn('dealing_flop', { status: 'closed', expects: 'flop_1' }), 'pia', 'presenter', false).isLast).toBe(true);
    expect(instruct(hostIn('dealing_flop', { expects: 'flop_1' }), 'pia', 'presenter', false).isLast).toBeUndefined();
  });

  it('lets any presenter go on with a round that nobody deals after a restart', () => {
    const left = hostIn('dealing_flop', { presenter: null, status: 'closed', expects: 'flop_2' });
    expect(shown(left, 'bo')).toEqual(['DEAL FLOP 2', null, 'do']);
  });

  it('follows the round from betting to its result', () => {
    expect(shown(hostIn('idle'))).toEqual(['OPEN BETTING', 'start_round', 'do']);
    expect(shown(hostIn('idle'), 'pia', true)).toEqual(['NEXT ROUND', null, 'wait']);
    expect(shown(hostIn('settled', { is_opening: true }))).toEqual(['NEXT ROUND', null, 'wait']);
    expect(shown(hostIn('betting'))).toEqual(['BETTING', null, 'wait']);
    expect(shown(hostIn('dealing_hole', { expects: 'player_1' }))).toEqual(['DEAL PLAYER 1', null, 'do']);
    expect(shown(hostIn('dealing_hole', { expects: 'seat_3_card_2' }))).toEqual(['DEAL SEAT 3 · CARD 2', null, 'do']);
    expect(shown(hostIn('dealing_hole', { confirm_until: 5 }))).toEqual(['CHECK THE CARDS', 'confirm_cards', 'wait']);
    expect(shown(hostIn('deciding_preflop'))).toEqual(['PLAYERS DECIDE', null, 'wait']);
    expect(shown(hostIn('showdown', { expects: 'dealer_2' }))).toEqual(['TURN DEALER 2', null, 'do']);
    expect(shown(hostIn('settled'))).toEqual(['RESULT', 'start_round', 'done']);
    expect(shown(hostIn('cancelled'))).toEqual(['ROUND CANCELLED', 'start_round', 'stop']);
  });

  it('asks for a count before betting where one is due, and for nothing while the round is stopped', () => {
    const deck = { ...hostIn('idle').deck, is_due: true };
    expect(shown(hostIn('settled', { deck }))).toEqual(['COUNT THE DECK', 'count_deck', 'do']);
    const paused = { reason: 'x', since: 0, incident_id: 'i' };
    expect(shown(hostIn('dealing_flop', { expects: 'flop_1' }, { paused }))).toEqual(['STOPPED', null, 'stop']);
  });

  it('has nothing to do at a table the machine deals', () => {
    expect(instruct(hostIn('betting', { presenter: null }), 'pia', 'auto', false).act).toBeNull();
  });
});

describe('the slots', () => {
  it('are the nine of the deal, with the next one marked unless the round is stopped', () => {
    const host = hostIn('dealing_flop', { expects: 'flop_2' }, { player_cards: ['As', 'Kd'], board: ['7h'] });
    const slots = slotsOf(host, 'shared');
    expect(slots.map(({ card }) => card)).toEqual(['As', 'Kd', '7h', null, null, null, null, null, null]);
    expect(slots.filter(({ isNext }) => isNext).map(({ slot }) => slot)).toEqual(['flop_2']);
    expect([...cardsOut(slots)]).toEqual(['As', 'Kd', '7h']);
    const stopped = { ...host, round: { ...host.round, paused: { reason: 'x', since: 0, incident_id: 'i' } } };
    expect(slotsOf(stopped, 'shared').some(({ isNext }) => isNext)).toBe(false);
  });

  it('are two for every seat that has bet where each has a hand of its own', () => {
    const seat = (seat_no: number, player_cards: Card[]) => ({ seat_no, name: '', player_cards, bets: none, decision: null, player_id: `p${seat_no}`, currency: 'EUR' });
    const slots = slotsOf(hostIn('dealing_hole', { seats: [seat(2, ['As', 'Kd']), seat(5, ['2c'])] }), 'own');
    expect(slots.slice(0, 4).map(({ slot, card }) => [slot, card])).toEqual([
      ['seat_2_card_1', 'As'], ['seat_2_card_2', 'Kd'], ['seat_5_card_1', '2c'], ['seat_5_card_2', null],
    ]);
    expect(slots.length).toBe(4 + 7);
    expect([slotLabel('seat_5_card_2'), shortLabel('seat_5_card_2'), slotLabel('turn')]).toEqual(['SEAT 5 · CARD 2', 'SEAT 5', 'TURN']);
  });
});

describe('the announcement', () => {
  const sevens: Hand = { category: 'pair', cards: ['7h', '7c', 'As', 'Kd', 'Jd'] };
  const queens: Hand = { category: 'two_pair', cards: ['Qh', 'Qd', '7h', '7c', 'Jd'] };
  const high: Hand = { category: 'high_card', cards: ['As', 'Kd', 'Jd', '7c', '2s'] };
  const purse = { say: (minor: number, currency: string) => `${currency} ${minor / 100}`, isPlayMoney: (currency: string) => currency === 'FUN' };
  const ended = (showdown: Announced[], dealer_hand: Hand, dealer_qualifies: boolean, winners: WinningPlayer[] = [], winners_total = winners.length) =>
    announce(hostIn('settled', { showdown, winners, winners_total }, { dealer_hand, dealer_qualifies }), purse);
  const winner = (name: string, won: number, seat_no: number | null = null, currency = 'EUR'): WinningPlayer => ({ seat_no, name, won, currency });

  it('says who wins, with what, and whether the dealer qualifies', () => {
    expect(ended([{ seat_no: null, name: '', folded: false, hand: sevens, winner: 'dealer' }], queens, true)).toEqual([
      'Dealer wins with two pair, queens and sevens.', 'Player has a pair of sevens. The dealer qualifies.',
    ]);
    expect(ended([{ seat_no: null, name: '', folded: false, hand: sevens, winner: 'player' }], high, false)).toEqual([
      'Player wins with a pair of sevens.', 'Dealer has ace high and does not qualify: ANTE is returned.',
    ]);
    expect(ended([{ seat_no: null, name: '', folded: false, hand: sevens, winner: 'tie' }], sevens, true)[0]).toBe('Push: both have a pair of sevens.');
  });

  it('names each seat where each has a hand of its own', () => {
    const seats: Announced[] = [{ seat_no: 2, name: 'ann', folded: false, hand: queens, winner: 'player' }, { seat_no: 5, name: '', folded: false, hand: high, winner: 'dealer' }];
    expect(ended(seats, sevens, true)).toEqual([
      'Dealer has a pair of sevens and qualifies.', 'Seat 2, ann, wins with two pair, queens and sevens.', 'Seat 5 loses with ace high.',
    ]);
  });

  it('announces no folded seat as a winner', () => {
    const folded: Announced = { seat_no: 1, name: 'ann', folded: true, hand: sevens, winner: 'player' };
    const played: Announced = { seat_no: 3, name: 'bo', folded: false, hand: queens, winner: 'player' };
    expect(ended([folded, played], high, false)).toEqual([
      'Dealer has ace high and does not qualify: ANTE is returned.', 'Seat 1, ann, folded.', 'Seat 3, bo, wins with two pair, queens and sevens.',
    ]);
    expect(ended([folded], high, false)[0]).toBe('All players folded.');
    expect(ended([{ ...folded, seat_no: null, name: '' }], queens, true)).toEqual([
      'All players folded.', 'Dealer has two pair, queens and sevens, and qualifies.',
    ]);
  });

  it('names winners with their amounts, real money first', () => {
    const shared: Announced = { seat_no: null, name: '', folded: false, hand: queens, winner: 'player' };
    const winners = [winner('ann', 3000), winner('bo', 1250), winner('guest', 90000, null, 'FUN'), winner('cid', 100)];
    expect(ended([shared], high, false, winners, 9).at(-1)).toBe('ann wins EUR 30, bo EUR 12.5, cid EUR 1, and 6 more players.');
    expect(ended([shared], high, false, [winner('guest', 500, null, 'FUN')]).at(-1)).toBe('guest wins FUN 5.');
    const seats: Announced[] = [
      { seat_no: 2, name: 'ann', folded: false, hand: queens, winner: 'player' },
      { seat_no: 5, name: 'bo', folded: true, hand: high, winner: 'dealer' },
    ];
    expect(ended(seats, sevens, true, [winner('ann', 2500, 2), winner('bo', 100, 5)]).slice(1)).toEqual([
      'Seat 2, ann, wins EUR 25 with two pair, queens and sevens.', 'Seat 5, bo, folded. TRIPS wins: EUR 1 in all.',
    ]);
  });

  it('names the kicker that decides', () => {
    const ten: Hand = { category: 'high_card', cards: ['Kd', 'Qs', 'Tc', '7c', '2s'] };
    const eight: Hand = { category: 'high_card', cards: ['Kd', 'Qs', '8c', '7c', '2s'] };
    expect(ended([{ seat_no: null, name: '', folded: false, hand: ten, winner: 'player' }], eight, false)).toEqual([
      'Player wins with king high.', 'King-queen-ten beats king-queen-eight. The dealer does not qualify: ANTE is returned.',
    ]);
    const queen: Hand = { category: 'pair', cards: ['7h', '7c', 'Qs', 'Jd', '9d'] };
    expect(ended([{ seat_no: null, name: '', folded: false, hand: queen, winner: 'dealer' }], sevens, true)[1]).toBe(
      'A pair of sevens, ace kicker, beats a pair of sevens, queen kicker. The dealer qualifies.',
    );
  });

  it('says nothing before the round is settled', () => {
    expect(announce(hostIn('showdown', { showdown: [{ seat_no: null, name: '', folded: false, hand: sevens, winner: 'tie' }] }, { dealer_hand: sevens }), purse)).toEqual([]);
  });
});

it('lists the biggest bets first, PLAY included', () => {
  const seat = (name: string, ante: number, play: number, currency = 'EUR') => ({ seat_no: null, name, player_cards: [], bets: { ante, blind: ante, trips: 0, play }, decision: null, player_id: name, currency });
  const host = hostIn('deciding_flop', { seats: [seat('a', 100, 0), seat('b', 100, 400), seat('c', 200, 0)] });
  expect(biggestBets(host, 2).map(({ name, total }) => [name, total])).toEqual([['b', 600], ['c', 400]]);
  const mixed = hostIn('deciding_flop', { seats: [seat('a', 100, 0), seat('guest', 900, 0, 'FUN')] });
  expect(biggestBets(mixed, 2, (currency) => currency === 'FUN').map(({ name }) => name)).toEqual(['a', 'guest']);
});
