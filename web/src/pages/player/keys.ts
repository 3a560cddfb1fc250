// The keys of the active table. Digits choose chips, SPACE repeats and then doubles, DELETE undoes and held for three
// seconds clears. Nothing here can stake more than a click would.
import type { Hands } from './hands.svelte';

const holdMs = 3_000;

export class Keys {
  #heldSince: number | null = null;

  constructor(private readonly hands: () => Hands | null) {}

  down(event: KeyboardEvent): void {
    const hands = this.hands();
    if (hands === null || isForSomethingElse(event)) return;
    const { table } = hands;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const isUndo = key === 'Delete' || key === 'Backspace' || ((event.ctrlKey || event.metaKey) && key === 'z');
    if (isUndo) {
      event.preventDefault();
      this.#undo(hands, event);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (table.isBetting) {
      if (key === ' ') {
        event.preventDefault();
        if (table.composer.canRepeat) table.composer.repeat();
        else table.composer.double();
      } else if (/^[1-9]$/.test(key)) {
        const chip = table.chips[Number(key) - 1];
        if (chip !== undefined && table.composer.affords(chip)) hands.choose(chip);
      } else if (key === 'a') hands.touch('ante');
      else if (key === 't') hands.touch('trips');
    } else if (table.isAsked) {
      const options = table.seat?.options ?? [];
      if (key === 'c' && options.includes('check')) void table.decide('check');
      if (key === 'f' && options.includes('fold')) void table.decide('fold');
      const play = options.find((option) => option.startsWith('play_'));
      if (key === 'p' && play) void table.decide(play);
    }
  }

  up(event: KeyboardEvent): void {
    if (['Delete', 'Backspace', 'z', 'Z'].includes(event.key)) this.#heldSince = null;
  }

  #undo(hands: Hands, event: KeyboardEvent): void {
    if (!event.repeat) {
      this.#heldSince = event.timeStamp;
      hands.table.composer.undo();
    } else if (this.#heldSince !== null && event.timeStamp - this.#heldSince >= holdMs) {
      this.#heldSince = null;
      hands.table.composer.clear();
    }
  }
}

/** Somebody writes, or steers a control with the keyboard. */
function isForSomethingElse(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('input, textarea, select, [contenteditable]')) return true;
  if (target.closest('[role="dialog"]')) return true;
  return event.key === ' ' && target.matches('button:focus-visible');
}
