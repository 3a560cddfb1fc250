import { expect, test } from 'vitest';
import type { Category, Hand } from '../protocol';
import { da } from './da';
import { en } from './en';
import { fr } from './fr';
import { nameHand } from './hands';

const hand = (category: Category, cards: string): Hand => ({ category, cards: cards.split(' ') as Hand['cards'] });

test.each([
  [hand('high_card', 'As Kd 9h 5c 2s'), 'Ace high', 'Es høj', 'Hauteur as'],
  [hand('pair', '9s 9d Ah 5c 2s'), 'Pair of nines', 'Par i niere', 'Paire de neuf'],
  [hand('two_pair', 'Ks Kd 9h 9c 2s'), 'Two pairs, kings and nines', 'To par, konger og niere', 'Deux paires, rois et neuf'],
  [hand('straight', '5s 4d 3h 2c As'), 'Straight to the five', 'Straight til femmer', 'Suite au cinq'],
  [hand('straight', 'As Kd Qh Jc Ts'), 'Straight to the ace', 'Straight til es', 'Suite à l’as'],
  [hand('full_house', '6s 6d 6h Kc Ks'), 'Full house, sixes over kings', 'Fuldt hus, seksere over konger', 'Full aux six par les rois'],
])('%o is named', (shown, english, danish, french) => {
  expect([en, da, fr].map((words) => nameHand(shown, words.hands))).toEqual([english, danish, french]);
});
