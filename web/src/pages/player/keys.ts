// Keyboard shortcuts of the active table. Digits choose chips, SPACE repeats and then doubles, DELETE undoes and, held
// for three seconds, clears. Letters decide nothing unless the player has switched decision keys on, and then only with
// ALT: a chat message typed without focus must never become a bet.
import { lang } from '../../lib/language.svelte';
import type { ChipSelection } from './chipSelection.svelte';

const holdMs = 3_000;
const decisionKeys: Readonly<Record<string, string>> = { KeyP: 'play_', KeyC: 'check', KeyF: 'fold' };

interface Sources {
  /** The chip selection of the active table. */
  selection: () => ChipSelection | null;
  /** Whether the player has opted in to decision keys and is not chatting. */
  mayDecide: () => boolean;
}

export class Keys {
  #heldSince: number | null = null;
  /** Whether TAB moved the focus last. A button that the mouse pressed, or a closed panel gave it back to, has it unasked. */
  #isTabbed = false;
  #isSpaceTaken = false;

  constructor(private readonly from: Sources) {}

  pointed(): void {
    this.#isTabbed = false;
  }

  down(event: KeyboardEvent): void {
    if (event.key === 'Tab') this.#isTabbed = true;
    const selection = this.from.selection();
    if (selection === null || isTyping(event)) return;
    const { table } = selection;
    const isUndo = ['Delete', 'Backspace'].includes(event.key) || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z');
    if (isUndo) {
      event.preventDefault();
      this.#undo(selection, event);
    } else if (event.altKey && !event.ctrlKey && !event.metaKey) this.#decide(selection, event);
    else if (event.ctrlKey || event.metaKey || event.repeat || !table.isBetting) return;
    else if (event.key === ' ') this.#repeat(selection, event);
    else if (/^[1-9]$/.test(event.key)) {
      const chip = table.chips[Number(event.key) - 1];
      if (chip !== undefined && table.composer.affords(chip)) selection.choose(chip);
      else if (chip !== undefined) selection.say(null, lang.w.bet.funds);
    }
  }

  up(event: KeyboardEvent): void {
    if (['Delete', 'Backspace', 'z', 'Z'].includes(event.key)) this.#heldSince = null;
    if (event.key === ' ' && this.#isSpaceTaken) event.preventDefault(); // a focused button would be pressed now
    this.#isSpaceTaken = false;
  }

  #undo(selection: ChipSelection, event: KeyboardEvent): void {
    const { table } = selection;
    if (!event.repeat) {
      this.#heldSince = event.timeStamp;
      if (table.isBetting) selection.use('undo');
    } else if (this.#heldSince !== null && event.timeStamp - this.#heldSince >= holdMs) {
      this.#heldSince = null;
      table.composer.clear();
    }
  }

  /** SPACE belongs to the bets, unless the keyboard has moved the focus to a button outside the table. */
  #repeat(selection: ChipSelection, event: KeyboardEvent): void {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button && this.#isTabbed && !button.closest('[data-table]')) return;
    event.preventDefault();
    this.#isSpaceTaken = true;
    const { wanted, last } = selection.table.composer;
    selection.use(wanted.ante === 0 && last.ante > 0 ? 'repeat' : 'double');
  }

  #decide({ table }: ChipSelection, event: KeyboardEvent): void {
    const wanted = decisionKeys[event.code];
    if (wanted === undefined || event.repeat || !table.mustDecide || !this.from.mayDecide()) return;
    const action = table.roundSeat?.options.find((option) => option.startsWith(wanted));
    if (!action) return;
    event.preventDefault();
    void table.decide(action);
  }
}

/** Whether the key belongs to a text field or to an open dialog, such as the chat. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('input, textarea, select, [contenteditable]') || target.closest('[role="dialog"]') !== null;
}
