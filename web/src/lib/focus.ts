/** Takes the focus; what it returns gives it back to the element that had it before. */
export function borrowFocus(taker: HTMLElement | undefined): () => void {
  const before = document.activeElement;
  taker?.focus();
  return () => {
    if (before instanceof HTMLElement) before.focus();
  };
}
