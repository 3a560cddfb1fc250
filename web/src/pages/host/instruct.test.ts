import { describe, expect, it } from 'vitest';
import type { Announced, Card, Hand, Host, Phase } from '../../lib/protocol';
import { announce, biggestBets, cardsOut, instruct, shortLabel, slotLabel, slotsOf } from './instruct';

const none = { ante: 0, blind: 0, trips: 0, play: 0 };

function hostIn(phase: Phase, more: Partial<Host> = {}, round: Partial<Host['round']> = {}): Host {
  return {
    table_id: 't',
    round: {
      table_id: 't', seq: 1, server_time: 0, round_id: 'r', game_number: '12:00:00', phase, deadline: null, paused: null,
      player_cards: [], board: [], dealer_cards: [], player_hand: null, dealer_hand: null, dealer_qualifies: null,
      players: 0, commitment: null, ...round,
    },
    expects: null, totals: none, seats: [], showdown: [], tips: 0, play_tips: 0, presenter: 'pia', status: 'open',
    is_opening: false, left_to_decide: 0, confirm_until: null, incident: null, ended: null,
    deck: { name: '', names: [], counted_by: null, counted_at: null, rounds_since: 0, count_within_rounds: 0, is_due: false, count: null },
    limits: { ante_min: 1, ante_max: 1, trips_min: 1, trips_max: 1 }, next_limits: null, practice: false, ...more,
  };
}

const told = (host: Host, me = 'pia', isStarting = false) => {
  const { title, act, mood } = instruct(host, me, 'presenter', isStarting);
  return [title, act, mood];
};

describe('the instruction', () => {
  it('begins a shift at a table that is closed, and takes over where somebody else deals', () => {
    expect(told(hostIn('idle', { status: 'closed', presenter: null }))).toEqual(['START SHIFT', 'open_table', 'do']);
    expect(told(hostIn('deciding_flop'), 'bo')).toEqual(['TAKE OVER FROM PIA', 'open_table', 'do']);
  });

  it('lets any presenter go on with a round that nobody deals after a restart', () => {
    const left = hostIn('dealing_flop', { presenter: null, status: 'closed', expects: 'flop_2' });
    expect(told(left, 'bo')).toEqual(['DEAL FLOP 2', null, 'do']);
  });

  it('follows the round from betting to its result', () => {
    expect(told(hostIn('idle'))).toEqual(['OPEN BETTING', 'start_round', 'do']);
    expect(told(hostIn('idle'), 'pia', true)).toEqual(['NEXT ROUND', null, 'wait']);
    expect(told(hostIn('settled', { is_opening: true }))).toEqual(['NEXT ROUND', null, 'wait']);
    expect(told(hostIn('betting'))).toEqual(['BETTING', null, 'wait']);
    expect(told(hostIn('dealing_hole', { expects: 'player_1' }))).toEqual(['DEAL PLAYER 1', null, 'do']);
    expect(told(hostIn('dealing_hole', { expects: 'seat_3_card_2' }))).toEqual(['DEAL SEAT 3 · CARD 2', null, 'do']);
    expect(told(hostIn('dealing_hole', { confirm_until: 5 }))).toEqual(['CHECK THE CARDS', null, 'wait']);
    expect(told(hostIn('deciding_preflop'))).toEqual(['PLAYERS DECIDE', null, 'wait']);
    expect(told(hostIn('showdown', { expects: 'dealer_2' }))).toEqual(['TURN DEALER 2', null, 'do']);
    expect(told(hostIn('settled'))).toEqual(['RESULT', 'start_round', 'done']);
    expect(told(hostIn('cancelled'))).toEqual(['ROUND CANCELLED', 'start_round', 'stop']);
  });

  it('asks for a count before betting where one is due, and for nothing while the round is stopped', () => {
    const deck = { ...hostIn('idle').deck, is_due: true };
    expect(told(hostIn('settled', { deck }))).toEqual(['COUNT THE DECK', 'count_deck', 'do']);
    const paused = { reason: 'x', since: 0, incident_id: 'i' };
    expect(told(hostIn('dealing_flop', { expects: 'flop_1' }, { paused }))).toEqual(['STOPPED', null, 'stop']);
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
    const seat = (seat_no: number, player_cards: Card[]) => ({ seat_no, name: '', player_cards, bets: none, decision: null, player_id: `p${seat_no}` });
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
  const ended = (showdown: Announced[], dealer_hand: Hand, dealer_qualifies: boolean) =>
    announce(hostIn('settled', { showdown }, { dealer_hand, dealer_qualifies }));

  it('says who wins, with what, and whether the dealer qualifies', () => {
    expect(ended([{ seat_no: null, hand: sevens, winner: 'dealer' }], queens, true)).toEqual([
      'Dealer wins with two pairs, queens and sevens.', 'Player has a pair of sevens. The dealer qualifies.',
    ]);
    expect(ended([{ seat_no: null, hand: sevens, winner: 'player' }], high, false)).toEqual([
      'Player wins with a pair of sevens.', 'Dealer has ace high and does not qualify: ANTE is returned.',
    ]);
    expect(ended([{ seat_no: null, hand: sevens, winner: 'tie' }], sevens, true)[0]).toBe('Push: both have a pair of sevens.');
  });

  it('names each seat where each has a hand of its own', () => {
    const seats: Announced[] = [{ seat_no: 2, hand: queens, winner: 'player' }, { seat_no: 5, hand: high, winner: 'dealer' }];
    expect(ended(seats, sevens, true)).toEqual([
      'Dealer has a pair of sevens and qualifies.', 'Seat 2 wins with two pairs, queens and sevens.', 'Seat 5 loses with ace high.',
    ]);
  });

  it('says nothing before the round is settled', () => {
    expect(announce(hostIn('showdown', { showdown: [{ seat_no: null, hand: sevens, winner: 'tie' }] }, { dealer_hand: sevens }))).toEqual([]);
  });
});

it('lists the biggest bets first, PLAY included', () => {
  const seat = (name: string, ante: number, play: number) => ({ seat_no: null, name, player_cards: [], bets: { ante, blind: ante, trips: 0, play }, decision: null, player_id: name });
  const host = hostIn('deciding_flop', { seats: [seat('a', 100, 0), seat('b', 100, 400), seat('c', 200, 0)] });
  expect(biggestBets(host, 2).map(({ name, total }) => [name, total])).toEqual([['b', 600], ['c', 400]]);
});
