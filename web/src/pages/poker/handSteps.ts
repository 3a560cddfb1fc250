// Applies the steps of a hand, as the server publishes them, to the hand as this page shows it.
import type { DealtIn, PokerHand, PokerStep } from '../../lib/protocol';

/** What a seat did last in the running hand. */
export type LastAction = Pick<PokerStep, 'action' | 'to' | 'paid' | 'all_in' | 'automatic'>;
export type Actions = ReadonlyMap<number, LastAction>;

/** What each seat did last, after the step; `hand` is the hand after it. A new street forgets all but folds and all-ins. */
export function actionsAfter(actions: Actions, hand: PokerHand, step: PokerStep): Actions {
  if (step.kind === 'acted' && step.seat !== undefined) return new Map(actions).set(step.seat, step);
  if (step.kind !== 'board') return actions;
  const inactive = new Set(hand.seats.filter(({ folded, all_in }) => folded || all_in).map(({ seat_no }) => seat_no));
  return new Map([...actions].filter(([seatNo]) => inactive.has(seatNo)));
}

/** The hand after the step. */
export function after(hand: PokerHand, step: PokerStep): PokerHand {
  const next = { ...hand, pot: step.pot, pots: step.pots, turn: step.turn, seq: step.seq, server_time: step.server_time };
  switch (step.kind) {
    case 'acted':
      return { ...next, price: step.to ?? hand.price, seats: withSeat(hand.seats, step.seat, (seat) => acted(seat, step)) };
    case 'board':
      return {
        ...next,
        street: step.street ?? hand.street,
        board: [...hand.board, ...(step.cards ?? [])],
        price: 0,
        seats: hand.seats.map((seat) => ({ ...seat, bet: 0 })),
      };
    case 'shown':
      return { ...next, seats: withSeat(hand.seats, step.seat, (seat) => ({ ...seat, cards: step.cards ?? seat.cards })) };
    case 'uncalled': {
      const { seat: seatNo, amount = 0 } = step;
      if (seatNo === undefined) return next;
      const returned = (seat: DealtIn) => ({
        ...seat,
        stack: step.stack ?? seat.stack + amount,
        bet: Math.max(0, seat.bet - amount),
      });
      return { ...next, uncalled: { seat: seatNo, amount }, seats: withSeat(hand.seats, seatNo, returned) };
    }
    case 'pot':
      return { ...next, awards: step.award ? [...hand.awards, step.award] : hand.awards };
    case 'settled': {
      const stacks = new Map((step.stacks ?? []).map(({ seat, amount }) => [seat, amount]));
      const seats = hand.seats.map((seat) => ({
        ...seat,
        stack: stacks.get(seat.seat_no) ?? seat.stack,
        bet: 0,
        all_in: false,
      }));
      return { ...next, status: 'settled', rake: step.rake ?? 0, seats };
    }
    case 'void': {
      const seats = hand.seats.map((seat) => ({ ...seat, stack: seat.start, bet: 0, all_in: false }));
      return { ...next, status: 'void', seats };
    }
    case 'clock':
      return next;
  }
}

function acted(seat: DealtIn, step: PokerStep): DealtIn {
  const paid = step.paid ?? 0;
  return {
    ...seat,
    bet: seat.bet + paid,
    stack: step.stack ?? seat.stack - paid,
    folded: seat.folded || step.action === 'fold',
    all_in: step.all_in ?? seat.all_in,
  };
}

function withSeat(seats: DealtIn[], seatNo: number | undefined, change: (seat: DealtIn) => DealtIn): DealtIn[] {
  return seats.map((seat) => (seat.seat_no === seatNo ? change(seat) : seat));
}

/** What the pots hold besides the bets that still lie in front of the seats. */
export function collected(hand: PokerHand): number {
  return hand.pot - hand.seats.reduce((sum, { bet }) => sum + bet, 0);
}
