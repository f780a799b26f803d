import { describe, expect, it } from 'vitest';
import {
  type ComparedVersion,
  listChangeIssues,
} from '../../../shared/domain/changes/change-issues.ts';
import { compareReleases } from '../../../shared/domain/changes/compare-releases.ts';
import { type ChangeField, type Release, toEntry } from '../../../shared/domain/changes/release.ts';

const now = new Date('2026-03-31T12:00:00.000Z');

const value = (field: ChangeField, text: string | null | undefined) => ({ field, value: text });

const entries = (field: ChangeField, some: Readonly<Record<string, string>> | undefined) => ({
  field,
  entries: some && new Map(Object.entries(some).map(([name, text]) => [name, toEntry(text)])),
});

const compare = (
  before: Release,
  after: Release,
  some: Partial<Pick<ComparedVersion, 'added' | 'earlierPublishers' | 'isApproved'>> = {},
) => {
  const { issues, unknown } = listChangeIssues(
    {
      since: '1.14.0',
      isApproved: true,
      ...{ before, after },
      ...compareReleases(before, after),
      earlierPublishers: undefined,
      added: [],
      hasUnreadable: false,
      ...some,
    },
    now,
  );
  return [...issues.map(({ code }) => code), ...unknown.map((code) => `${code}?`)];
};

describe('a young dependency', () => {
  const add = (first_published_at: string | null) =>
    compare([], [], { added: [{ name: 'plain-crypto-js', first_published_at }] });

  it.each([
    ['of 18 hours', '2026-03-30T18:00:00.000Z', ['new_dependency_young']],
    ['of less than 30 days', '2026-03-01T12:00:00.001Z', ['new_dependency_young']],
    ['of 30 days', '2026-03-01T12:00:00.000Z', []],
    ['of a later time than now', '2026-04-02T00:00:00.000Z', ['new_dependency_young']],
    ['of unknown age', null, ['new_dependency_young?']],
  ])('is one %s', (_, first, expected) => {
    expect(add(first)).toEqual(expected);
  });

  it('is unknown if the dependencies of one of the versions are', () => {
    const [known, unknown] = [[entries('dependencies', {})], [entries('dependencies', undefined)]];

    expect(compare(known, unknown)).toEqual(['new_dependency_young?']);
    expect(compare(unknown, known)).toEqual(['new_dependency_young?']);
    expect(compare(unknown, unknown)).toEqual(['new_dependency_young?']);
  });
});

describe('install scripts', () => {
  const scripts = (some: Readonly<Record<string, string>> | undefined) => [
    entries('install_scripts', some),
  ];

  it.each<[string, Parameters<typeof scripts>[0], Parameters<typeof scripts>[0], string[]]>([
    ['added', {}, { postinstall: 'node setup.js' }, ['install_scripts_added']],
    ['changed', { install: 'a' }, { install: 'b' }, ['install_scripts_added']],
    ['removed', { install: 'a' }, {}, []],
    ['equal', { install: 'a' }, { install: 'a' }, []],
    ['hidden', {}, undefined, ['install_scripts_added?']],
    ['unknown before', undefined, { install: 'a' }, ['install_scripts_added?']],
  ])('%s', (_, before, after, expected) => {
    expect(compare(scripts(before), scripts(after))).toEqual(expected);
  });

  it('are unknown if upstream shows the name of one without its command', () => {
    const named = [
      {
        field: 'install_scripts',
        entries: new Map([['install', { text: '', compared: undefined }]]),
      },
    ] as const;

    expect(compare(scripts({ install: 'a' }), named)).toEqual(['install_scripts_added?']);
  });
});

it.each<[string, Readonly<Record<string, string>>, string[]]>([
  ['only a source archive', { sdist: '' }, ['install_scripts_added']],
  ['a wheel, too', { sdist: '', wheel: '' }, []],
])('a version with wheels before has %s', (_, kinds, expected) => {
  expect(
    compare([entries('distributions', { wheel: '' })], [entries('distributions', kinds)]),
  ).toEqual(expected);
});

describe('the publisher', () => {
  const by = (publisher: string | undefined) => [
    value('publisher', publisher),
    entries('maintainers', { ana: '', bob: '' }),
  ];

  it.each<[string, Release, Release, string[] | undefined, string[]]>([
    ['the same', by('ana'), by('ana'), undefined, []],
    ['a maintainer who published nothing', by('ana'), by('bob'), ['ana'], ['publisher_changed']],
    ['one of the last 20', by('ana'), by('cy'), ['ana', 'cy'], []],
    ['nobody of before', by('ana'), by('eve'), ['ana'], ['publisher_changed']],
    ['nobody known of before', by('ana'), by('eve'), undefined, ['publisher_changed?']],
    ['hidden', by('ana'), by(undefined), ['ana'], ['publisher_changed?']],
    ['never known', by(undefined), by(undefined), undefined, []],
    ['known for the first time', by(undefined), by('eve'), ['ana'], ['publisher_changed']],
  ])('is %s', (_, before, after, earlierPublishers, expected) => {
    expect(compare(before, after, { earlierPublishers })).toEqual(expected);
  });
});

describe('provenance', () => {
  it.each<[string, string | null | undefined, string | null | undefined, string[]]>([
    ['lost', 'present', null, ['provenance_lost']],
    ['gained', null, 'present', []],
    ['kept', 'present', 'present', []],
    ['hidden', 'present', undefined, ['provenance_lost?']],
    ['never there', null, undefined, []],
    ['unknown before', undefined, null, []],
  ])('is %s', (_, before, after, expected) => {
    expect(compare([value('provenance', before)], [value('provenance', after)])).toEqual(expected);
  });
});

describe('the repository', () => {
  const own = 'https://code.example/axios/axios';

  it.each<[string, string | null | undefined, string | null | undefined, string[]]>([
    ['another', own, 'https://code.example/eve/axios', ['repository_changed']],
    ['on another host', own, 'https://code.example.org/axios/axios', ['repository_changed']],
    ['gone', own, null, ['repository_changed']],
    ['hidden', own, undefined, ['repository_changed?']],
    ['new', null, own, []],
    ['written in another way', own, 'http://www.Code.example/Axios/axios.git', []],
    ['in a folder', `${own}.git`, `${own}/tree/main/packages/core`, []],
  ])('is %s', (_, before, after, expected) => {
    const [one, other] = [value('repository', before), value('repository', after)];

    expect(compare([one], [other])).toEqual(expected);
    expect(compare([one], [other], { isApproved: false })).toEqual([]);
  });
});

describe('the repository of the build', () => {
  const ana = value('provenance_repository', 'https://code.example/ana');
  const eve = value('provenance_repository', 'https://code.example/eve');
  const same = value('repository', 'https://code.example/ana');

  it('is another one, according to verified provenance', () => {
    expect(compare([same, ana], [same, eve])).toEqual(['repository_changed']);
    expect(compare([same, ana], [same, ana])).toEqual([]);
    expect(compare([same, ana], [same, eve], { isApproved: false })).toEqual([]);
  });

  it('is no issue of its own if it is unknown in one version', () => {
    expect(compare([same, ana], [same])).toEqual([]);
    expect(compare([same], [same, eve])).toEqual([]);
  });
});

it('names what differs, within the length of a message', () => {
  const names = Array.from({ length: 40 }, (_, at) => `${at}`.repeat(300));
  const { issues } = listChangeIssues(
    {
      since: '1.14.0',
      isApproved: true,
      before: [],
      after: [],
      changes: [],
      unknown: [],
      hasUnreadable: false,
      earlierPublishers: undefined,
      added: [
        { name: 'plain-crypto-js', first_published_at: '2026-03-30T18:00:00.000Z' },
        ...names.map((name) => ({ name, first_published_at: '2026-03-30T18:00:00.000Z' })),
      ],
    },
    now,
  );

  expect(issues).toHaveLength(1);
  expect(issues[0]?.message).toMatch(
    /^1\.14\.0 does not have .* 30 days ago: plain-crypto-js \(2026-03-30T18:00:00\.000Z\), .* and 38 more\.$/,
  );
  expect(issues[0]?.message.length).toBeLessThan(600);
});
