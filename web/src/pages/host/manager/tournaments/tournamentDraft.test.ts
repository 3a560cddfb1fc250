import { expect, test } from 'vitest';
import type { TournamentRow } from '../../../../lib/protocol';
import { BadField, changeDraftOf, changesOf, draftOf, emptyDraft, idOf, kept, templateOf } from './tournamentDraft';

const sunday = { id: 'sunday-109', name: 'The Sunday 109', every: 'sunday 19:00', total: 10900, structure: 'deep', guarantee: 1_000_000, reentries_max: 1, requirements: ['verified'] };
const row = { name: 'The Feast', currency: 'EUR', starts_at: Date.UTC(2026, 10, 19, 19), guarantee: 5000, added: 0, entries_max: 100 } as TournamentRow;

test('a template fills the form, and the form leads to an entry of the schedule', () => {
  const draft = { ...draftOf(sunday, { ...emptyDraft('EUR'), at: '2026-11-19T19:00' }), guarantee: '5000', bounty: 'progressive' };
  expect(draft.total).toBe('109.00');
  expect(kept(sunday)).toEqual(['requirements']);
  expect(templateOf(draft, [sunday])).toEqual({
    requirements: ['verified'], id: 'sunday-109-extra', at: '2026-11-19T19:00:00.000Z', name: 'The Sunday 109', game: 'nlhe', structure: 'deep', seats: 6,
    late_levels: 6, entries_min: 3, entries_max: 10000, reentries_max: 1, total: 10900, guarantee: 500_000, bounty: { kind: 'progressive' },
  });
});

test.each([
  [{ at: '' }, 'at'],
  [{ name: ' ' }, 'name'],
  [{ total: '' }, 'total'],
  [{ guarantee: 'ten' }, 'guarantee'],
  [{ seats: '6.5' }, 'seats'],
])('what is no amount, number or time names its field', (typed, field) => {
  const draft = { ...emptyDraft('EUR'), name: 'The Feast', at: '2026-11-19T19:00', total: '10', ...typed };
  expect(() => templateOf(draft, [])).toThrow(expect.objectContaining({ field }));
});

test('a name leads to an id of letters, digits and hyphens', () => {
  expect(idOf(' The Féast: 10! ')).toBe('the-feast-10');
});

test('only what differs is changed', () => {
  const draft = changeDraftOf(row);
  expect(changesOf(draft, row)).toEqual({ changes: {}, starts_at: null });
  const later = { ...draft, at: '2026-11-19T19:30', guarantee: '60', name: 'The Late Feast' };
  expect(changesOf(later, row)).toEqual({ changes: { guarantee: 6000, name: 'The Late Feast' }, starts_at: Date.UTC(2026, 10, 19, 19, 30) });
  expect(() => changesOf({ ...draft, entries_max: '' }, row)).toThrow(BadField);
});
