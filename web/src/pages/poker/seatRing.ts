// Where the seats of a table lie: on a ring, with the own seat at the bottom and the others clockwise from it.

/** A place on the ring as fractions of its half width and half height, from the middle: x to the right, y down. */
export interface Place {
  x: number;
  y: number;
}

/** The place of a seat. Without an own seat, seat 1 lies at the bottom. */
export function placeOf(seatNo: number, size: number, ownSeatNo: number | null): Place {
  const steps = (seatNo - (ownSeatNo ?? 1) + size) % size;
  const angle = Math.PI / 2 + (steps * 2 * Math.PI) / size;
  return { x: round(Math.cos(angle)), y: round(Math.sin(angle)) };
}

const round = (value: number): number => Math.round(value * 1000) / 1000 || 0;

/** The seats in the order in which they are read out: the own one first, then clockwise. */
export function inReadingOrder(size: number, ownSeatNo: number | null): number[] {
  const first = ownSeatNo ?? 1;
  return Array.from({ length: size }, (_, at) => ((first - 1 + at) % size) + 1);
}
