import { expect, test } from 'vitest';
import { commitmentOf, faultsOf } from './fairness';
import type { Card } from './protocol';

const deck = [...'23456789TJQKA'].flatMap((rank) => [...'cdhs'].map((suit) => (rank + suit) as Card));
const shoe = { deck, secret: 'a secret of the house' };
const dealt = deck.slice(0, 9);

test('the hash is the one the service computes', async () => {
  // From casino.cards.commitment.commitment_of for the same deck and secret.
  expect(await commitmentOf(shoe)).toBe('876a01bf58c9e331328cd169ad7df5ecb446638ff71baf2a3b7cb6aeeb6fb046');
});

test('a deck that was promised and dealt from the top is fair', async () => {
  expect(await faultsOf(await commitmentOf(shoe), shoe, dealt)).toEqual([]);
});

test('another deck, a doubled card and another order are found', async () => {
  const promised = await commitmentOf(shoe);
  const swapped = { ...shoe, deck: [deck[1]!, deck[0]!, ...deck.slice(2)] };
  expect(await faultsOf(promised, swapped, swapped.deck.slice(0, 9))).toEqual(['hash']);
  const doubled = { ...shoe, deck: [deck[1]!, ...deck.slice(1)] };
  expect(await faultsOf(await commitmentOf(doubled), doubled, [])).toEqual(['deck']);
  expect(await faultsOf(promised, shoe, [...dealt].reverse())).toEqual(['order']);
});
