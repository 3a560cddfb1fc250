import { expect, it } from 'vitest';
import type { WholeRound, WholeStep } from '../api';
import { query } from '../api';
import { cardsAfter, stepInWords, timelineOf } from './timeline';

const people = [
  { player_id: 'p1', name: 'Ann', currency: 'EUR' },
  { player_id: 'p2', name: 'Bo', currency: 'JPY' },
];
const round = (steps: WholeStep[]): WholeRound => ({ steps, slots: ['player_1', 'player_2', 'flop_1'], seats: people, chat: [] }) as unknown as WholeRound;

it('tells every step with its people, cards and reason', () => {
  const said = (step: Omit<WholeStep, 'at_ms'>) => stepInWords({ at_ms: 0, ...step }, people);
  expect(said({ kind: 'betting_closed', stakes: [['p1', 500, 100, null]] })).toBe('Betting closed: 1 player, €11.00');
  expect(said({ kind: 'betting_closed', stakes: [['p1', 500, 100, null], ['p2', 500, 0, null]] })).toBe('Betting closed: 2 players, €11.00, JP¥1,000');
  expect(said({ kind: 'decision_made', player_id: 'p1', phase: 'deciding_preflop', action: 'play_4x' })).toBe('Decided: Ann: PLAY 4X');
  expect(said({ kind: 'card_corrected', slot: 'flop_1', was: '7c', card: '7d', reason: 'Misread', by: 'max' })).toBe(
    'Card corrected: FLOP 1 7♣ → 7♦ Misread (max)',
  );
  const swap = { kind: 'cards_swapped', slot: 'flop_3', card: 'Th', other_slot: 'turn', other_card: '7d', reason: 'Order', by: 'max' } as const;
  expect(said(swap)).toBe('Cards swapped: FLOP 3 7♦ → 10♥, TURN 10♥ → 7♦ Order (max)');
  expect(said({ kind: 'card_dealt', slot: 'turn', card: 'Th', by: 'pia' })).toBe('Card: TURN 10♥');
  expect(said({ kind: 'round_settled' })).toBe('Settled');
});

it('lays the cards as they lay after each step', () => {
  const steps: WholeStep[] = [
    { kind: 'card_dealt', at_ms: 1, slot: 'player_1', card: 'As' },
    { kind: 'card_dealt', at_ms: 2, slot: 'player_2', card: 'Kd' },
    { kind: 'card_undone', at_ms: 3, slot: 'player_2', card: 'Kd' },
    { kind: 'card_dealt', at_ms: 4, slot: 'player_2', card: 'Qd' },
    { kind: 'round_corrected', at_ms: 5, cards: ['2c', '3c', '4c'] },
  ];
  const lying = (count: number) => [...cardsAfter(round(steps), count).values()].join(' ');
  expect([0, 2, 3, 4, 5].map(lying)).toEqual(['', 'As Kd', 'As', 'As Qd', '2c 3c 4c']);
});

it('puts the chat where it was said, without what the steps say already', () => {
  const line = (at: number, role: string, text: string) => ({ table_id: 't', from: 'Ann', role, text, at, player_id: null, code: null, id: `${at}`, blocked: null });
  const whole = { ...round([{ kind: 'betting_opened', at_ms: 10 }, { kind: 'round_paused', at_ms: 30, reason: 'A card fell.' }]) };
  const entries = timelineOf({ ...whole, chat: [line(20, 'player', 'Hello'), line(31, 'table', 'The round is paused.')] });
  expect(entries.map(({ text }) => text)).toEqual(['Betting opened', 'Ann: Hello', 'Stopped: A card fell.']);
});

it('asks only for what was filled in', () => {
  expect(query({ table: ' uth-1 ', day: '', player: 'Ann & Bo' })).toBe('?table=uth-1&player=Ann+%26+Bo');
  expect(query({ table: '' })).toBe('');
});
