import { expect, it } from 'vitest';
import {
  cautionSince,
  describeChange,
  describeInterval,
  describeUnknown,
  listFirstChanges,
} from '../../../shared/domain/changes/describe-change.ts';

type Described = Parameters<typeof describeChange>[0];

const added: Described = {
  ...{ field: 'dependencies', change: 'added', name: 'left-pad' },
  ...{ before: null, after: '^1.0.0' },
  ...{ registry_status: 'not_in_registry', first_published_at: null },
};

/** A change as a registry of another release may answer it. */
const toForeign = (fields: Readonly<Partial<Record<keyof Described, string>>>): Described =>
  JSON.parse(JSON.stringify({ ...added, ...fields }));

it.each<[Described['registry_status'], string | null, readonly string[]]>([
  ['not_in_registry', null, ['not in the registry', 'age unknown']],
  ['rejected', null, ['rejected', 'age unknown']],
  ['pending', '2026-03-30T05:57:32.000Z', ['pending']],
  ['approved', null, ['approved']],
  ['out_of_range', null, ['approved versions are out of range']],
  ['unknown', null, ['status in the registry not checked']],
  [null, null, []],
])('notes the status %s of a dependency first published at %s', (status, at, notes) => {
  const change = { ...added, registry_status: status, first_published_at: at };

  expect(describeChange(change)).toMatchObject({ notes, firstPublishedAt: at });
});

it.each(['maintainer_keys', 'constructor', '__proto__', ''])(
  'shows %j of a newer registry as text in each part',
  (word) => {
    const shown = word.replaceAll('_', ' ');

    expect(describeChange(toForeign({ field: word })).field).toBe(shown);
    expect(describeChange(toForeign({ registry_status: word })).notes).toContain(shown);
    expect(describeChange(toForeign({ change: word }))).toMatchObject({
      ...{ sign: '?', kind: shown, field: `${shown} dependency` },
    });
    expect(describeUnknown([word, 'size'])).toBe(`Could not be compared: ${shown}, size.`);
  },
);

it('formats a size, and shows one that is no number as it is', () => {
  const change: Described = {
    ...{ ...added, field: 'size', change: 'changed', name: null },
    ...{ before: '1234567', after: '1e400 or so' },
  };

  expect(describeChange(change).values).toEqual(['1,234,567 bytes', '1e400 or so']);
});

it('lists few changes of each field at first, so that many of one hide no other', () => {
  const fields = [
    ...Array.from({ length: 50 }, () => 'dependencies' as const),
    ...(['publisher', 'provenance'] as const),
  ];

  expect(listFirstChanges(fields.map((field) => ({ field }))).map(({ field }) => field)).toEqual([
    ...['dependencies', 'dependencies', 'dependencies'],
    ...['publisher', 'provenance'],
  ]);
});

it.each([
  ['approved', null],
  ['pending', '1.0.0 is not approved'],
  [null, '1.0.0 is not approved'],
])('cautions against an earlier version with the status %s: %s', (since_status, expected) => {
  const caution = cautionSince({ since: '1.0.0', since_status });

  expect(caution?.slice(0, 21) ?? null).toBe(expected);
});

it.each([
  ['2026-01-05T00:00:00Z', '2026-01-01T00:00:00Z', '4 days'],
  ['2026-01-01T00:00:00Z', '2026-01-05T00:00:00Z', null],
  ['soon', '2026-01-01T00:00:00Z', null],
])('describes the time of %s after %s as %s', (published_at, before, expected) => {
  const previous = { version: '1.0.0', published_at: before };

  expect(describeInterval({ published_at, previous })).toBe(expected);
  expect(describeInterval({ published_at, previous: null })).toBeNull();
});
