import { describe, expect, it } from 'vitest';
import { mergeVulnerabilities } from '../../../shared/domain/vulnerabilities/merge-vulnerabilities.ts';
import { readOsvFindings } from '../../../shared/scanners/osv/findings.ts';
import { OsvRecord } from '../../../shared/scanners/osv/osv-record.ts';
import { osvRecords } from '../../support/osv-records.ts';

const lodash = { ecosystem: 'npm', name: 'lodash' };
const log4j = { ecosystem: 'Maven', name: 'org.apache.logging.log4j:log4j-core' };
const jinja = { ecosystem: 'PyPI', name: 'jinja2' };

const findingOf = (record: unknown, found = lodash, version = '1.0.0') =>
  readOsvFindings([OsvRecord.parse(record)], found, version)[0];

const withEvents = (...events: Record<string, string>[]) => ({
  id: 'GHSA-1',
  affected: [{ package: lodash, ranges: [{ type: 'SEMVER', events }] }],
});

describe('osvFindings', () => {
  it('maps a record to a finding', () => {
    expect(findingOf(osvRecords.lodashTemplate, lodash, '4.17.20')).toEqual({
      id: 'GHSA-35jh-r3h4-6jhm',
      aliases: ['CVE-2021-23337'],
      summary: 'Command Injection in lodash',
      severity: 'high',
      cvss: {
        version: '3.1',
        vector: 'CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H',
        score: 7.2,
      },
      affected_range: '<4.17.21',
      fixed_versions: ['4.17.21'],
      fix_state: null,
      references: [
        'https://nvd.nist.gov/vuln/detail/CVE-2021-23337',
        'https://github.com/lodash/lodash/commit/3469357cff396a26c363f8c1b5a91dde28ba4b1c',
      ],
      components: ['lodash 4.17.20'],
      not_affecting: null,
      known_exploited: false,
      epss: null,
      source: 'GitHub Advisory Database',
    });
  });

  it('joins the ranges of several entries about the package', () => {
    expect(findingOf(osvRecords.log4shell, log4j)).toMatchObject({
      affected_range: '>=2.13.0 <2.15.0 || <2.3.1 || >=2.4 <2.12.2',
      fixed_versions: ['2.15.0', '2.3.1', '2.12.2'],
    });
  });

  it('rates by CVSS v4.0 if a record has no other score', () => {
    const { severity: word, ...rating } = osvRecords.log4jHostName.database_specific ?? {};

    const finding = findingOf({ ...osvRecords.log4jHostName, database_specific: rating }, log4j);

    expect(word).toBe('MODERATE');
    expect(finding).toMatchObject({ severity: 'medium', cvss: { version: '4.0', score: 6.3 } });
  });

  it.each([
    ['the word of a type that is no CVSS', [{ type: 'Ubuntu', score: 'negligible' }], 'low'],
    ['a word without a type', [{ score: 'medium' }], 'medium'],
    [
      'the worst of several words',
      [
        { type: 'Ubuntu', score: 'low' },
        { type: 'Other', score: 'critical' },
      ],
      'critical',
    ],
    [
      'the word before the vector',
      [
        { type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
        { type: 'Ubuntu', score: 'low' },
      ],
      'low',
    ],
    [
      'the worst of several vectors',
      [
        { type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
        {
          type: 'CVSS_V4',
          score: 'CVSS:4.0/AV:P/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
        },
      ],
      'critical',
    ],
    ['nothing of a word that is none', [{ type: 'Ubuntu', score: 'untriaged' }], 'unrated'],
    ['nothing of a word in place of a vector', [{ type: 'CVSS_V3', score: 'low' }], 'unrated'],
  ])('reads the severity %s', (_, severity, expected) => {
    expect(findingOf({ id: 'UBUNTU-CVE-1', severity })?.severity).toBe(expected);
  });

  it.each([
    ['every version', [{ introduced: '0' }], '*'],
    ['from one on', [{ introduced: '2.0.0' }], '>=2.0.0'],
    ['up to the last affected', [{ introduced: '0' }, { last_affected: '4.5.1' }], '<=4.5.1'],
    [
      'two stretches',
      [{ introduced: '0' }, { fixed: '1.2.0' }, { introduced: '2.0.0' }, { fixed: '2.1.0' }],
      '<1.2.0 || >=2.0.0 <2.1.0',
    ],
    ['nothing', [], ''],
  ])('writes a range of %s', (_, events, expected) => {
    expect(findingOf(withEvents(...(events as Record<string, string>[])))).toHaveProperty(
      'affected_range',
      expected,
    );
  });

  it('lists the affected versions if there is no range', () => {
    const affected = [{ package: lodash, versions: ['1.0.0', '1.0.1'] }];

    expect(findingOf({ id: 'MAL-2024-1', affected })?.affected_range).toBe('=1.0.0 || =1.0.1');
  });

  it('omits commits from the ranges', () => {
    const ranges = [{ type: 'GIT', repo: 'https://example.org/x', events: [{ introduced: 'a1' }] }];

    const finding = findingOf({ id: 'GHSA-1', affected: [{ package: lodash, ranges }] });

    expect(finding).toMatchObject({ affected_range: '', fixed_versions: [] });
  });

  it('omits withdrawn records', () => {
    const withdrawn = { ...osvRecords.lodashTrim, withdrawn: '2022-01-01T00:00:00Z' };

    expect(findingOf(withdrawn)).toBeUndefined();
  });

  it('rates malware as critical', () => {
    expect(findingOf({ id: 'MAL-2024-1' })).toMatchObject({
      severity: 'critical',
      source: 'OpenSSF Malicious Packages',
    });
  });

  it('leaves vulnerabilities without a rating of the database unrated', () => {
    const records = [osvRecords.jinjaPypa, osvRecords.jinjaGithub].map((record) =>
      OsvRecord.parse(record),
    );

    const findings = readOsvFindings(records, jinja, '2.11.2');

    expect(findings.map(({ severity }) => severity)).toEqual(['unrated', 'medium']);
    expect(mergeVulnerabilities(findings)).toMatchObject([
      {
        id: 'GHSA-g3rq-g295-4j3m',
        severity: 'medium',
        source: 'GitHub Advisory Database, PyPA Advisory Database',
      },
    ]);
  });

  it('accepts a package of PyPI in any spelling', () => {
    const affected = [
      {
        package: { ecosystem: 'PyPI', name: 'Jinja2' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '3.1.3' }] }],
      },
    ];

    expect(findingOf({ id: 'GHSA-1', affected }, jinja)?.affected_range).toBe('<3.1.3');
  });

  it.each([
    ['PYSEC-2021-66', 'PyPA Advisory Database'],
    ['CVE-2021-1', 'NVD'],
    ['RUSTSEC-2021-1', 'RUSTSEC'],
    ['constructor-1', 'constructor'],
  ])('names the database of %s: %s', (id, source) => {
    expect(findingOf({ id })?.source).toBe(source);
  });

  it('uses the first line of the details as a missing summary', () => {
    const details = '\n# Impact\n\nAnything.';

    expect(findingOf({ id: 'GHSA-1', details })?.summary).toBe('Impact');
  });
});
