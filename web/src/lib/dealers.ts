// Presenters of a round: one name, or all with their cards if the table was handed over.

interface Dealt {
  presenter: string | null;
  dealers: Readonly<Record<string, number>>;
}

export function dealersText({ presenter, dealers }: Dealt, machine: string): string {
  const named = Object.entries(dealers);
  if (named.length < 2) return presenter ?? machine;
  return named.map(([name, cards]) => `${name} (${cards} ${cards === 1 ? 'card' : 'cards'})`).join(', ');
}
