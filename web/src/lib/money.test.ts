import { expect, test } from 'vitest';
import { chipsFor, chipText } from './chips';
import { decimalsOf, money, plainMoney, readMoney, signedMoney } from './money';

test('an amount is written with its decimals, as the language does', () => {
  expect(money(123_450, 'en')).toBe('1,234.50');
  expect(money(123_450, 'da')).toBe('1.234,50');
  expect(money(500, 'en', 'EUR')).toBe('€5.00');
  expect(money(500, 'en', 'FUN')).toMatch(/^FUN\s5\.00$/);
});

test('a currency has the decimals of the service, not the browser default', () => {
  expect(['EUR', 'JPY', 'KWD', 'CLF', 'IQD', 'FUN', 'XTS', null].map(decimalsOf)).toEqual([2, 0, 3, 4, 3, 2, 2, 2]);
  expect(money(1_234_500, 'en', 'JPY')).toBe('¥1,234,500');
  expect(money(1_234_500, 'en', 'KWD')).toMatch(/^KWD\s1,234\.500$/);
  expect(signedMoney(-5, 'en', 'JPY')).toBe('−¥5');
  expect([plainMoney(-5, 2), plainMoney(1_234, 0), plainMoney(1_234, 3)]).toEqual(['-0.05', '1234', '1.234']);
  expect([readMoney('12', 0), readMoney('12.5', 0), readMoney('1.2345', 3), readMoney('1.234', 3), readMoney('2', 3)]).toEqual([12, null, null, 1_234, 2_000]);
});

test('a gain has its plus and a loss its minus', () => {
  expect(signedMoney(700, 'en')).toBe('+7.00');
  expect(signedMoney(-700, 'en')).toBe('−7.00');
  expect(signedMoney(0, 'en')).toBe('0.00');
});

test.each([
  ['25', 2_500],
  [' 25,5 ', 2_550],
  ['25.05', 2_505],
  ['0.07', 7],
])('%s is an amount', (text, minor) => {
  expect(readMoney(text)).toBe(minor);
});

test.each(['', '-1', '1e3', '1.234', 'NaN', '５', '10 000', '12345678901'])('%j is no amount', (text) => {
  expect(readMoney(text)).toBeNull();
});

test('an amount is made of the fewest chips', () => {
  expect(chipsFor(3_200, [100, 500, 2_500])).toEqual([2_500, 500, 100, 100]);
  expect(chipsFor(0, [100])).toEqual([]);
});

test('a chip says its worth shortly', () => {
  expect([50, 100, 2_500, 100_000, 250_000_000].map(chipText)).toEqual(['.50', '1', '25', '1K', '2.5M']);
});
