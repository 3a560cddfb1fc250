// Text of a refusal: the sentence of its reason, or of its code, with formatted values.
import type { LanguageCode } from '../language.svelte';
import { money } from '../money';
import { amounts, moments, type Reason, type RefusalParams } from '../protocol';
import { dayAndMinute } from '../times';

export type Refusals = Record<Reason, string>;

export interface Refusal {
  code: string;
  /** The service's English sentence, for a code this page doesn't know. */
  message: string;
  params?: RefusalParams;
}

export type Explain = (refusal: Refusal, locale: string) => string;

const dictionaries: Record<LanguageCode, () => Promise<{ default: Refusals }>> = {
  en: () => import('./refusals.en'),
  da: () => import('./refusals.da'),
  fr: () => import('./refusals.fr'),
};

export async function explainIn(language: LanguageCode): Promise<Explain> {
  const { default: sentences } = await dictionaries[language]();
  return (refusal, locale) => explain(refusal, sentences, locale);
}

export function explain({ code, message, params = {} }: Refusal, sentences: Refusals, locale: string): string {
  const known: Partial<Record<string, string>> = sentences;
  const sentence = (params.reason && known[params.reason]) ?? known[code] ?? message;
  return sentence.replace(/\{(\w+)\}/g, (_, name: keyof RefusalParams) => shown(name, params, locale));
}

function shown(name: keyof RefusalParams, params: RefusalParams, locale: string): string {
  const value = params[name];
  if (typeof value !== 'number') return value ?? '';
  if (amounts.includes(name)) return money(value, locale, params.currency ?? null);
  return moments.includes(name) ? dayAndMinute(value, locale) : String(value);
}
