// Route of the back office: it is behind the # of the address, so every number can be a plain link.

export const views = [
  'overview', 'tips', 'refunds', 'unresolved', 'cashier', 'balance', 'days', 'corrections', 'receivables', 'tournaments',
  'rows', 'postings', 'accounts', 'round', 'games',
] as const;
export type View = (typeof views)[number];
export type Asked = Record<string, string>;

export interface Place {
  view: View;
  asked: Asked;
}

const isView = (text: string): text is View => (views as readonly string[]).includes(text);

export function readPlace(hash: string): Place {
  const [name = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  return { view: isView(name) ? name : 'overview', asked: Object.fromEntries(new URLSearchParams(query)) };
}

export function queryOf(asked: Readonly<Record<string, string | null | undefined>>): string {
  const said = Object.entries(asked).filter((one): one is [string, string] => one[1] !== null && one[1] !== undefined);
  return new URLSearchParams(said).toString();
}

export function linkTo(view: View, asked: Readonly<Record<string, string | null | undefined>> = {}): string {
  const query = queryOf(asked);
  return query === '' ? `#${view}` : `#${view}?${query}`;
}

/** Link to the view on this page that shows the rows of an API address, with further filters. */
export function linkToRows(address: string, more: Asked = {}): string {
  const [path = '', query = ''] = address.split('?');
  const name = path.replace('/api/finance/', '');
  const asked = { ...Object.fromEntries(new URLSearchParams(query)), ...more };
  if (name.startsWith('rounds/')) return linkTo('round', { id: decodeURIComponent(name.slice('rounds/'.length)) });
  return linkTo(isView(name) ? name : 'rows', asked);
}
