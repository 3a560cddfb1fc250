import { expect, test } from 'vitest';
import stored from '../../../tests/vectors/fairness.json';
import { cardsOf, commitmentOf, commitmentOfShoe, deckOf, faultsOf, opaquePlayer, type Proof, type Witnessed } from './fairness';
import type { Card, Round } from './protocol';

const vectors = stored as unknown as {
  name: string;
  players: Record<string, string>;
  proof: Proof;
}[];
const witnessed = (proof: Proof): Witnessed => ({
  commitment: proof.commitment,
  cards: Object.fromEntries(proof.slots.map((slot, at) => [slot, proof.dealt[at]!])),
  seed: null,
});
const proof = vectors[1]!.proof;
const seen = witnessed(proof);

test.each(vectors)('$name: the deck of the shared vectors', async ({ players, proof }) => {
  const { table_id, round_id, server_seed = '', seeds = [] } = proof;
  expect(await commitmentOf(table_id, round_id, server_seed)).toBe(proof.commitment);
  expect(await deckOf(table_id, round_id, server_seed, seeds)).toEqual(proof.deck);
  for (const [user, id] of Object.entries(players)) {
    expect(await opaquePlayer(table_id, round_id, server_seed, user)).toBe(id);
  }
  expect(await faultsOf(proof, witnessed(proof))).toEqual([]);
});

test('a proof that agrees with itself is still held against the commitment this page received', async () => {
  expect(await faultsOf(vectors[0]!.proof, { ...witnessed(vectors[0]!.proof), commitment: seen.commitment })).toEqual(['hash']);
});

test('a proof that agrees with itself is still held against the cards this page has seen', async () => {
  const other = proof.deck[20]!;
  expect(await faultsOf(proof, { ...seen, cards: { ...seen.cards, dealer_2: other } })).toEqual(['order']);
  const dealt = [...proof.dealt.slice(0, 8), other];
  expect(await faultsOf({ ...proof, dealt }, { ...seen, cards: { ...seen.cards, dealer_2: other } })).toEqual(['order']);
});

test('another seed, another deck and a seed that was left out are found', async () => {
  expect(await faultsOf({ ...proof, server_seed: 'ab'.repeat(32) }, seen)).toEqual(['hash', 'deck']);
  const deck = [proof.deck[51]!, ...proof.deck.slice(1, 51), proof.deck[0]!];
  expect(await faultsOf({ ...proof, deck }, seen)).toEqual(['deck', 'order']);
  const own = { ...proof, own_id: proof.seeds![0]!.player };
  expect(await faultsOf(own, { ...seen, seed: 'lucky 7' })).toEqual([]);
  expect(await faultsOf(own, { ...seen, seed: 'lucky 8' })).toEqual(['seed']);
});

test('a proof that leaves a card out is found', async () => {
  const short = { ...proof, dealt: proof.dealt.slice(1), slots: proof.slots.slice(1) };
  expect(await faultsOf(short, { ...seen, cards: {} })).toEqual(['order']);
});

test('the cards a page has seen have the names of their places', () => {
  const [a, b, c, d, e, f, g, h, i] = proof.dealt as [Card, Card, Card, Card, Card, Card, Card, Card, Card];
  const round = { player_cards: [a, b], board: [c, d, e, f, g], dealer_cards: [h, i] } as Round;
  expect(cardsOf(round)).toEqual(seen.cards);
  const own = { ...round, player_cards: [], board: [c], dealer_cards: [], seats: [{ seat_no: 3, player_cards: [a, b] }] } as unknown as Round;
  expect(cardsOf(own)).toEqual({ seat_3_card_1: a, seat_3_card_2: b, flop_1: c });
});

test('rounds of version 1 are still checked', async () => {
  const deck = [...'23456789TJQKA'].flatMap((rank) => [...'cdhs'].map((suit) => (rank + suit) as Card));
  // From casino.cards.commitment.commitment_of for the same deck and secret.
  const commitment = '876a01bf58c9e331328cd169ad7df5ecb446638ff71baf2a3b7cb6aeeb6fb046';
  const old: Proof = {
    version: 1, table_id: 't', round_id: 'r', commitment, secret: 'a secret of the house', deck,
    dealt: deck.slice(0, 2), slots: ['player_1', 'player_2'],
  };
  expect(await commitmentOfShoe(old.secret!, deck)).toBe(commitment);
  expect(await faultsOf(old, witnessed(old))).toEqual([]);
  expect(await faultsOf({ ...old, dealt: [deck[1]!, deck[0]!] }, witnessed(old))).toEqual(['order']);
  // Version 1 uses no seed of a player, so it proves nothing to a player who sent one.
  expect(await faultsOf(old, { ...witnessed(old), seed: 'lucky 7' })).toEqual(['seed']);
});
