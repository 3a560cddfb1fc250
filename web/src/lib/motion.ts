// Whether things move. The device may ask for less motion, and so may the person; the page has one answer for both.

const asked = matchMedia('(prefers-reduced-motion: reduce)');

/** Marks the document, for styles, and keeps following the device. */
export function followMotion(isReducedByChoice: () => boolean): void {
  const mark = () => {
    document.documentElement.dataset['motion'] = asked.matches || isReducedByChoice() ? 'reduced' : 'full';
  };
  asked.onchange = mark;
  mark();
}

export function isMotionReduced(): boolean {
  return document.documentElement.dataset['motion'] === 'reduced';
}
