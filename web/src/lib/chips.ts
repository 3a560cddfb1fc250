// Chips that make up an amount, and the text on a chip.

export type ChipColour = 'ivory' | 'red' | 'blue' | 'green' | 'black' | 'violet' | 'orange' | 'gold';

const colours: readonly ChipColour[] = ['ivory', 'red', 'green', 'black', 'violet', 'orange', 'blue', 'gold'];

/** The chips of a table have colours by their order, so that the smallest is always the same. */
export function chipColour(value: number, values: readonly number[]): ChipColour {
  const place = values.indexOf(value);
  return colours[(place < 0 ? 0 : place) % colours.length] as ChipColour;
}

/** The fewest chips for an amount, the largest first. */
export function chipsFor(amount: number, values: readonly number[]): number[] {
  const chips: number[] = [];
  let left = amount;
  for (const value of [...values].sort((a, b) => b - a)) {
    while (left >= value) {
      chips.push(value);
      left -= value;
    }
  }
  return chips;
}

/** What is written on a chip: major units, short. */
export function chipText(value: number): string {
  const units = value / 100;
  if (units >= 1_000_000) return `${units / 1_000_000}M`;
  if (units >= 1_000) return `${units / 1_000}K`;
  return units < 1 ? `.${String(value).padStart(2, '0')}` : String(units);
}
