// Texts of the service's notices to all players or to one, by code. Loaded behind the first view, as refusals are.
import type { LanguageCode } from '../language.svelte';
import type { Notice } from '../protocol';
import { lengthOf } from './lengths';

type HouseValues = Pick<Notice, 'incident_id' | 'game_number' | 'minutes' | 'player' | 'presenter' | 'changed'>;
type Noticed = 'table_paused' | 'resumed' | 'round_cancelled' | 'round_corrected' | 'card_corrected' | 'decisions_reopened' | 'muted' | 'unmuted' | 'interrupted' | 'tip' | 'seat_lost' | 'seat_found';
type Notices = Record<Noticed, (notice: HouseValues, amount: string) => string>;

const en: Notices = {
  table_paused: ({ incident_id }) => `The round is paused. Your bets are safe. Incident ${incident_id}.`,
  resumed: () => 'The round continues. Your timer has been reset.',
  round_cancelled: ({ incident_id }) => `The round is cancelled and every bet is refunded. Incident ${incident_id}.`,
  round_corrected: ({ game_number }) => `We have corrected round ${game_number}. Your balance is up to date.`,
  card_corrected: ({ changed }) => `A card was corrected. ${changed}.`,
  decisions_reopened: () => 'A card was corrected, so you can decide again. Your last decision and its PLAY bet are void.',
  muted: ({ minutes }) => `You have been muted at this table ${minutes ? `for ${lengthOf(minutes, 'en')}` : 'until further notice'}.`,
  unmuted: () => 'You can write in this table’s chat again.',
  interrupted: () => 'We can’t save changes right now. Your bets are safe, and you lose no time to decide.',
  tip: ({ player, presenter }, amount) => `${player} tips ${presenter} ${amount}. Thank you!`,
  seat_lost: () => 'You haven’t bet for a few rounds, so your seat went to a waiting player. You get the next free one.',
  seat_found: () => 'A seat is free, and it’s yours.',
};

const da: Notices = {
  table_paused: ({ incident_id }) => `Runden er sat på pause. Dine indsatser er sikre. Hændelse ${incident_id}.`,
  resumed: () => 'Runden fortsætter. Din tid er startet forfra.',
  round_cancelled: ({ incident_id }) => `Runden er annulleret, og alle indsatser er refunderet. Hændelse ${incident_id}.`,
  round_corrected: ({ game_number }) => `Vi har rettet runde ${game_number}. Din saldo er opdateret.`,
  card_corrected: ({ changed }) => `Et kort er rettet. ${changed}.`,
  decisions_reopened: () => 'Et kort er rettet, så du kan beslutte igen. Din seneste beslutning og dens PLAY-indsats gælder ikke.',
  muted: ({ minutes }) => `Du er blevet udelukket fra chatten ved dette bord ${minutes ? `i ${lengthOf(minutes, 'da')}` : 'indtil videre'}.`,
  unmuted: () => 'Du kan skrive i bordets chat igen.',
  interrupted: () => 'Vi kan ikke gemme noget lige nu. Dine indsatser er sikre, og du mister ikke betænkningstid.',
  tip: ({ player, presenter }, amount) => `${player} giver ${presenter} ${amount} i drikkepenge. Tak!`,
  seat_lost: () => 'Du har ikke satset i et par runder, og andre ventede, så en anden har fået din plads. Du får den næste ledige.',
  seat_found: () => 'Der er en ledig plads, og den er din.',
};

const fr: Notices = {
  table_paused: ({ incident_id }) => `La partie est interrompue. Vos mises sont en sécurité. Incident ${incident_id}.`,
  resumed: () => 'La partie reprend. Votre compte à rebours est reparti du début.',
  round_cancelled: ({ incident_id }) => `La partie est annulée et toutes les mises sont remboursées. Incident ${incident_id}.`,
  round_corrected: ({ game_number }) => `Nous avons corrigé la partie ${game_number}. Votre solde est à jour.`,
  card_corrected: ({ changed }) => `Une carte a été corrigée. ${changed}.`,
  decisions_reopened: () => 'Une carte a été corrigée : vous pouvez décider de nouveau. Votre dernière décision et sa mise PLAY sont annulées.',
  muted: ({ minutes }) => `Le chat de cette table vous est interdit ${minutes ? `pendant ${lengthOf(minutes, 'fr')}` : 'jusqu’à nouvel ordre'}.`,
  unmuted: () => 'Vous pouvez de nouveau écrire dans le chat de cette table.',
  interrupted: () => 'Nous ne pouvons rien enregistrer pour le moment. Vos mises sont en sécurité, et vous ne perdez pas de temps de décision.',
  tip: ({ player, presenter }, amount) => `${player} donne ${amount} de pourboire à ${presenter}. Merci !`,
  seat_lost: () => 'Vous n’avez pas misé depuis quelques parties et d’autres attendaient : votre place a été donnée à quelqu’un d’autre. La prochaine place libre est pour vous.',
  seat_found: () => 'Une place est libre : elle est à vous.',
};

export const notices: Record<LanguageCode, Notices> = { en, da, fr };

/** An unknown code has no text here. */
export type Narrate = (code: string, notice: HouseValues, amount: string) => string | undefined;

export const narrateIn =
  (language: LanguageCode): Narrate =>
  (code, notice, amount) => (notices[language] as Partial<Notices>)[code as Noticed]?.(notice, amount);
