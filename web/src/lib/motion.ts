// Reduced motion: the device or the person may ask for it; every page follows this one answer.

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
