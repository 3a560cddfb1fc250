// Parser of cards in a line of text.
import { indexOf, rankOf, suitOf } from './cards';
import type { Card } from './protocol';

const signs = { s: '♠', h: '♥', d: '♦', c: '♣' } as const;

export const cardText = (card: Card): string => indexOf(rankOf(card)) + signs[suitOf(card)];
export const cardsText = (cards: readonly Card[]): string => cards.map(cardText).join(' ');
