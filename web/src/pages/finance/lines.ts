// Columns of the overview, and the links of their numbers.
import type { By, Figures, Line } from './api';
import { linkTo, linkToRows, readPlace } from './route';
import type { Column } from './dataTable';
import { w } from './texts';

type Figure = Figures & { name?: string; key?: string };

const behind = (line: Figure) => linkToRows(line.rows_at);
/** Without refunded rounds, which are in no turnover. */
const played = (line: Figure) => linkToRows(line.rows_at, { status: 'played' });

/** Tips are no settlements: they lead to their postings, and those of one presenter to the presenter's own account. */
function tipsOf(line: Figure, by: By | null): string {
  const { asked } = readPlace(linkToRows(line.rows_at));
  const { from, to, table, currency } = asked;
  if (by === 'presenter') return linkTo('tips', { from, to });
  return linkTo('postings', { from, to, table, currency, kind: 'tip' });
}

export function figuresOf(by: By | null): Column<Figure>[] {
  return [
    { name: w.roundsEnded, kind: 'count', value: (line) => line.rounds_ended, link: behind },
    ...(by === 'player' ? [] : [{ name: w.players, kind: 'count', value: (line: Figure) => line.players, link: behind } as const]),
    { name: w.turnover, kind: 'money', value: (line) => line.turnover, link: played },
    { name: w.payout, kind: 'money', value: (line) => line.payout, link: played },
    { name: w.result, kind: 'money', value: (line) => line.house_result, link: played },
    { name: w.hold, kind: 'percent', value: (line) => line.hold, link: played },
    { name: w.expected, kind: 'money', value: (line) => line.expected_house_result, link: played },
    { name: w.deviation, kind: 'money', value: (line) => line.standard_deviation, link: behind },
    { name: w.sigmas, kind: 'sigma', value: (line) => line.sigmas, link: behind, mark: (line) => (line.is_outlier ? w.outlier : null) },
    { name: w.cancelled, kind: 'count', value: (line) => line.cancelled, link: (line) => linkToRows(line.rows_at, { status: 'cancelled' }) },
    { name: w.refunded, kind: 'money', value: (line) => line.refunded, link: (line) => linkToRows(line.rows_at, { status: 'cancelled' }) },
    { name: w.corrected, kind: 'count', value: (line) => line.corrected, link: (line) => linkToRows(line.rows_at, { status: 'corrected' }) },
    ...(by === 'player' ? [] : [{ name: w.tips, kind: 'money', value: (line: Figure) => line.tips, link: (line: Figure) => tipsOf(line, by) } as const]),
  ];
}

export function columnsOf(by: By): Column<Line>[] {
  const name = (line: Line) => line.name || (by === 'presenter' ? w.noPresenter : line.key);
  return [{ name: w.groups[by], kind: by === 'player' || by === 'presenter' ? 'name' : 'text', value: name, link: behind }, ...(figuresOf(by) as Column<Line>[])];
}
