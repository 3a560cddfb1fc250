// Address of the view: `#uth-1` is a table, `#uth-1/help` a panel over it, `#uth-1/history/ROUND` a replay. It follows
// the player, so that it can be bookmarked, shared and reopened.
import { titles, type PanelName } from './panels';

export interface Shown {
  table: string;
  panel: PanelName | null;
  round: string | null;
}

const panels: readonly string[] = [...Object.keys(titles), 'lobby', 'add', 'chat'];

/** The parts of an address; unknown parts are ignored. */
export function read(hash: string): Shown {
  const [table = '', panel = '', round = ''] = hash.slice(1).split('/').map(decoded);
  const isPanel = panels.includes(panel);
  return { table, panel: isPanel ? (panel as PanelName) : null, round: panel === 'history' && round ? round : null };
}

/** Changes the address in place: entries of the browser's history belong to the BACK button. */
export function write(table: string | null, panel: PanelName | null, round: string | null): void {
  const parts = [table ?? '', ...(panel ? [panel] : []), ...(panel === 'history' && round ? [round] : [])];
  const hash = parts.map(encodeURIComponent).join('/');
  const address = location.pathname + location.search + (hash && `#${hash}`);
  if (address !== location.pathname + location.search + location.hash) history.replaceState(history.state, '', address);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return ''; // a broken escape sequence
  }
}
