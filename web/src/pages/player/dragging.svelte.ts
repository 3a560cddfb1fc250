// Dragging of a chip from the tray to a spot: it follows the pointer and highlights the spot under it.
import type { Attachment } from 'svelte/attachments';
import type { SpotName } from './spots';

const startsAfterPx = 8;

/** What is being dragged, for the page to draw at the pointer. */
export const dragged = $state<{ chip: number | null; x: number; y: number }>({ chip: null, x: 0, y: 0 });

export function dragging(chip: () => number, dropped: (spot: SpotName) => void): Attachment<HTMLButtonElement> {
  return (element) => {
    let from: { x: number; y: number } | null = null;
    const down = (event: PointerEvent) => {
      if (element.ariaDisabled === 'true') return;
      from = { x: event.clientX, y: event.clientY };
      element.setPointerCapture(event.pointerId);
    };
    const move = (event: PointerEvent) => {
      if (!from) return;
      const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) > startsAfterPx;
      if (dragged.chip === null && !far) return;
      dragged.chip = chip();
      dragged.x = event.clientX;
      dragged.y = event.clientY;
    };
    const up = (event: PointerEvent) => {
      from = null;
      if (dragged.chip === null) return;
      dragged.chip = null;
      const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-spot]');
      if (under) dropped(under.dataset['spot'] as SpotName);
    };
    const cancel = () => {
      from = null;
      dragged.chip = null;
    };
    Object.assign(element, { onpointerdown: down, onpointermove: move, onpointerup: up, onpointercancel: cancel });
  };
}
