import { expect, test } from 'vitest';
import type { Category, Hand } from '../protocol';
import { da } from './da';
import { en } from './en';
import { fr } from './fr';
import { nameHand, sayHand } from './hands';
import { notices } from './notices';
import panelsDa from './panels.da';
import panelsEn from './panels.en';
import panelsFr from './panels.fr';
import refusalsEn from './refusals.en';
import refusalsFr from './refusals.fr';

const hand = (category: Category, cards: string): Hand => ({ category, cards: cards.split(' ') as Hand['cards'] });

test.each([
  [hand('high_card', 'As Kd 9h 5c 2s'), 'Ace high', 'Es høj', 'Hauteur as'],
  [hand('pair', '9s 9d Ah 5c 2s'), 'Pair of nines', 'Par i niere', 'Paire de neuf'],
  [hand('two_pair', 'Ks Kd 9h 9c 2s'), 'Two pair, kings and nines', 'To par, konger og niere', 'Deux paires, rois et neuf'],
  [hand('straight', '5s 4d 3h 2c As'), 'Five-high straight', 'Femmer-høj straight', 'Suite au cinq'],
  [hand('straight', 'As Kd Qh Jc Ts'), 'Ace-high straight', 'Es-høj straight', 'Suite à l’as'],
  [hand('flush', 'Ts 8s 7s 4s 2s'), 'Ten-high flush', 'Tier-høj flush', 'Couleur au dix'],
  [hand('full_house', '6s 6d 6h Kc Ks'), 'Full house, sixes over kings', 'Fuldt hus, seksere over konger', 'Full aux six par les rois'],
])('%o is named', (shown, english, danish, french) => {
  expect([en, da, fr].map((words) => nameHand(shown, words.hands))).toEqual([english, danish, french]);
});

test.each([
  [hand('high_card', 'As Kd 9h 5c 2s'), 'ace high', 'Le croupier a hauteur as'],
  [hand('two_pair', 'Ks Kd 9h 9c 2s'), 'two pair, kings and nines', 'Le croupier a deux paires, rois et neuf'],
  [hand('three_of_a_kind', 'As Ad Ah 5c 2s'), 'three aces', 'Le croupier a un brelan d’as'],
  [hand('straight', 'Ts 9d 8h 7c 6s'), 'a ten-high straight', 'Le croupier a une suite au dix'],
  [hand('straight', '8s 7d 6h 5c 4s'), 'an eight-high straight', 'Le croupier a une suite au huit'],
  [hand('flush', 'As 8s 7s 4s 2s'), 'an ace-high flush', 'Le croupier a une couleur à l’as'],
  [hand('full_house', '6s 6d 6h Kc Ks'), 'a full house, sixes over kings', 'Le croupier a un full aux six par les rois'],
  [hand('royal_flush', 'As Ks Qs Js Ts'), 'a royal flush', 'Le croupier a une quinte flush royale'],
])('%o has its article in a sentence', (shown, english, french) => {
  expect(sayHand(shown, en.hands)).toBe(english);
  expect(fr.showdown.fold('', sayHand(shown, fr.hands))).toContain(french);
});

test('the English sentences a player meets first are the natural ones', () => {
  expect([en.decide.free, en.decide.loses('10.00')]).toEqual(['Free', 'Lose 10.00']);
  expect(en.outcome.whys.blindPush('a straight')).toBe('Push: BLIND pays from a straight');
  expect(en.showdown.doesNotQualify('ace high')).toBe('Dealer doesn’t qualify (ace high)');
  expect(en.bet.tooPoor).toBe('Not enough for the minimum bet');
  expect([panelsEn.lobby.machine, panelsEn.lobby.shared, en.states.takeBack]).toEqual(['Automatic dealer', 'Shared hand', 'Continue here']);
  expect(notices.en.resumed({}, '')).toContain('Your timer has been reset');
  expect(refusalsEn.wrong_credentials).toBe('Wrong username or password.');
});

test('a mute is told in the largest unit that fits', () => {
  const told = (minutes: number | null) => [notices.en, notices.da, notices.fr].map((all) => all.muted({ minutes }, '').replace('\u00a0', ' '));
  expect(told(10)).toEqual(['You have been muted at this table for 10 minutes.', 'Du er blevet udelukket fra chatten ved dette bord i 10 minutter.', 'Le chat de cette table vous est interdit pendant 10 minutes.']);
  expect(told(60)).toEqual(['You have been muted at this table for 1 hour.', 'Du er blevet udelukket fra chatten ved dette bord i 1 time.', 'Le chat de cette table vous est interdit pendant 1 heure.']);
  expect(told(1440)).toEqual(['You have been muted at this table for 1 day.', 'Du er blevet udelukket fra chatten ved dette bord i 1 dag.', 'Le chat de cette table vous est interdit pendant 1 jour.']);
});

test('the Danish and French ones, too', () => {
  expect(da.showdown.doesNotQualify('es høj')).toBe('Dealeren kvalificerer sig ikke (es høj)');
  expect(panelsDa.settings.classic).toContain('trafiklys');
  expect([da.phase.placeBets, panelsDa.lobby.beside, panelsDa.lobby.machine]).toEqual(['Placer dine indsatser', 'Tilføj bord', 'Automatisk dealer']);
  expect([panelsFr.lobby.beside, fr.bar.sound, panelsFr.lobby.machine]).toEqual(['Ajouter la table', 'Couper le son', 'Distribution automatique']);
  expect(panelsFr.settings.mute).toBe('Couper le son');
  expect(da.decide.loses('10,00')).toBe('Du taber 10,00');
  // A push is a bet returned; what a session returned also has the winnings in it.
  expect([panelsDa.reality.returned, panelsFr.reality.returned]).toEqual(['Udbetalt', 'Récupéré']);
});

test('a card is named as people say it', () => {
  const said = (words: typeof en) => (['7', 'Q'] as const).map((rank) => words.card(words.hands.ranks[rank][0], words.suits.s));
  expect([en, da, fr].map(said)).toEqual([
    ['seven of spades', 'queen of spades'],
    ['spar syv', 'spar dame'],
    ['sept de pique', 'dame de pique'],
  ]);
});

/** Every sentence of a dictionary; a function is called with names for its values. */
function sentences(words: unknown): string[] {
  if (typeof words === 'string') return [words];
  if (typeof words === 'function') return [String((words as (...values: unknown[]) => unknown)('X', 'X', 'X', 'X', 'X'))];
  return typeof words === 'object' && words !== null ? Object.values(words).flatMap(sentences) : [];
}

test('French punctuation never begins a line', () => {
  const french = [{ ...fr, hands: null }, notices.fr, panelsFr, refusalsFr].flatMap(sentences);
  expect(french.length).toBeGreaterThan(300);
  expect(french.filter((sentence) => / [:;!?»]|« /.test(sentence))).toEqual([]);
});

test.each([
  [en, da, fr],
  [notices.en, notices.da, notices.fr],
  [panelsEn, panelsDa, panelsFr],
])('apostrophes and dashes are the typographic ones', (...languages) => {
  expect(languages.flatMap((words) => sentences({ ...words, hands: null })).filter((sentence) => sentence.includes("'"))).toEqual([]);
});
