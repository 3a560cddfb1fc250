import { expect, test } from 'vitest';
import type { RefusalParams } from '../protocol';
import { explain, type Refusals } from './refusals';
import da from './refusals.da';
import en from './refusals.en';
import fr from './refusals.fr';

const languages = [
  ['Danish', da],
  ['French', fr],
] as [string, Refusals][];
const paramsIn = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test.each(languages)('every refusal has a sentence in %s with the parameters that are sent', (_, words: Refusals) => {
  expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort());
  for (const [reason, sentence] of Object.entries(en)) {
    const translated = words[reason as keyof typeof en];
    expect([reason, translated.length > 0, paramsIn(translated)]).toEqual([reason, true, paramsIn(sentence)]);
  }
});

test.each(languages)('no sentence was left in English in %s', (_, words: Refusals) => {
  for (const [reason, sentence] of Object.entries(en)) {
    expect([reason, words[reason as keyof typeof en]]).not.toEqual([reason, sentence]);
  }
});

const refused = (code: string, params?: RefusalParams) => ({ code, message: 'As the service says it.', ...(params && { params }) });

test.each([
  [refused('below_minimum', { reason: 'ante_below_minimum', minimum: 500 }), 'The ANTE must be at least 5.00.', 'ANTE skal være mindst 5,00.'],
  [
    refused('above_maximum', { reason: 'payment_above_maximum', maximum: 100_000, currency: 'EUR' }),
    'The largest amount is €1,000.00.',
    'Det største beløb er 1.000,00 €.',
  ],
  [refused('forbidden', { reason: 'table_alone', table: 'Uno' }), 'This table can’t be combined with others. Leave Uno first.', 'Dette bord kan ikke spilles sammen med andre. Forlad Uno først.'],
  [refused('betting_closed'), 'Betting is closed.', 'Der er lukket for indsatser.'],
  [refused('forbidden', { reason: 'of_tomorrow' as never }), 'Your account can’t do this.', 'Det kan din konto ikke.'],
  [refused('of_tomorrow'), 'As the service says it.', 'As the service says it.'],
])('%o is explained', (problem, english, danish) => {
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  expect(plain(explain(problem, en, 'en-GB'))).toBe(english);
  expect(plain(explain(problem, da, 'da-DK'))).toBe(danish);
});

test('a moment is shown as a day and a time, an amount of a currency without decimals without any', () => {
  const until = Date.UTC(2026, 10, 17, 6, 30);
  const text = explain(refused('limit_reached', { reason: 'deposit_limit', limit: 4000, left: 1500, currency: 'JPY', until }), en, 'en-GB');
  expect(text).toBe('Your deposit limit of JP¥4,000 leaves you JP¥1,500 until 17 Nov 2026, 06:30 GMT.');
});
