/**
 * OSV records of real vulnerabilities, shortened: ids, aliases, ranges, ratings and dates are those of the GitHub
 * Advisory Database and the PyPA Advisory Database (github.com/github/advisory-database, github.com/pypa/advisory-database).
 */

interface RecordFacts {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly summary?: string;
  readonly details?: string;
  /** The rating of its database, and the CVSS vector. */
  readonly rating?: readonly [word: string, vector: string];
  readonly withdrawn?: string;
  readonly references: readonly string[];
  readonly affected: readonly {
    readonly package: { readonly ecosystem: string; readonly name: string };
    readonly events: readonly Readonly<Record<string, string>>[];
  }[];
}

export const osvRecordOf = ({ rating, affected, references, ...facts }: RecordFacts) => ({
  schema_version: '1.7.0',
  modified: '2024-08-21T00:00:00Z',
  ...facts,
  ...(rating && {
    severity: [{ type: rating[1].startsWith('CVSS:4') ? 'CVSS_V4' : 'CVSS_V3', score: rating[1] }],
    database_specific: { severity: rating[0], github_reviewed: true },
  }),
  affected: affected.map(({ package: name, events }) => ({
    package: name,
    ranges: [{ type: 'ECOSYSTEM', events }],
  })),
  references: references.map((url) => ({ type: 'WEB', url })),
});

export type OsvRecordExample = ReturnType<typeof osvRecordOf>;

const lodash = { ecosystem: 'npm', name: 'lodash' };
const lodashEs = { ecosystem: 'npm', name: 'lodash-es' };
const log4j = { ecosystem: 'Maven', name: 'org.apache.logging.log4j:log4j-core' };
const jinja = { ecosystem: 'PyPI', name: 'jinja2' };
const requests = { ecosystem: 'PyPI', name: 'requests' };

const before = (fixed: string) => [{ introduced: '0' }, { fixed }];

export const osvRecords = {
  lodashTemplate: osvRecordOf({
    id: 'GHSA-35jh-r3h4-6jhm',
    aliases: ['CVE-2021-23337'],
    summary: 'Command Injection in lodash',
    rating: ['HIGH', 'CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H'],
    affected: [
      { package: lodash, events: before('4.17.21') },
      { package: lodashEs, events: before('4.17.21') },
    ],
    references: [
      'https://nvd.nist.gov/vuln/detail/CVE-2021-23337',
      'https://github.com/lodash/lodash/commit/3469357cff396a26c363f8c1b5a91dde28ba4b1c',
    ],
  }),
  lodashTrim: osvRecordOf({
    id: 'GHSA-29mw-wpgm-hmr9',
    aliases: ['CVE-2020-28500'],
    summary: 'Regular Expression Denial of Service (ReDoS) in lodash',
    rating: ['MODERATE', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L'],
    affected: [
      { package: lodash, events: before('4.17.21') },
      {
        package: { ecosystem: 'npm', name: 'lodash.trim' },
        events: [{ introduced: '0' }, { last_affected: '4.5.1' }],
      },
    ],
    references: ['https://nvd.nist.gov/vuln/detail/CVE-2020-28500'],
  }),
  log4shell: osvRecordOf({
    id: 'GHSA-jfh8-c2jp-5v3q',
    aliases: ['CVE-2021-44228'],
    summary: 'Remote code injection in Log4j',
    rating: ['CRITICAL', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H'],
    affected: [
      { package: log4j, events: [{ introduced: '2.13.0' }, { fixed: '2.15.0' }] },
      { package: log4j, events: before('2.3.1') },
      { package: log4j, events: [{ introduced: '2.4' }, { fixed: '2.12.2' }] },
    ],
    references: [
      'https://nvd.nist.gov/vuln/detail/CVE-2021-44228',
      'https://logging.apache.org/log4j/2.x/security.html',
    ],
  }),
  log4jHostName: osvRecordOf({
    id: 'GHSA-vc5p-v9hr-52mj',
    aliases: ['CVE-2025-68161'],
    summary: 'Apache Log4j does not verify the TLS hostname in its Socket Appender',
    rating: ['MODERATE', 'CVSS:4.0/AV:N/AC:H/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:L/SA:N'],
    affected: [{ package: log4j, events: [{ introduced: '2.0-beta9' }, { fixed: '2.25.3' }] }],
    references: ['https://nvd.nist.gov/vuln/detail/CVE-2025-68161'],
  }),
  jinjaGithub: osvRecordOf({
    id: 'GHSA-g3rq-g295-4j3m',
    aliases: ['CVE-2020-28493'],
    summary: 'Regular Expression Denial of Service (ReDoS) in Jinja2',
    rating: ['MODERATE', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L'],
    affected: [{ package: jinja, events: before('2.11.3') }],
    references: [
      'https://nvd.nist.gov/vuln/detail/CVE-2020-28493',
      'https://github.com/pallets/jinja/pull/1343',
    ],
  }),
  jinjaPypa: osvRecordOf({
    id: 'PYSEC-2021-66',
    aliases: ['CVE-2020-28493', 'SNYK-PYTHON-JINJA2-1012994'],
    details: 'This affects the package jinja2 from 0.0.0 and before 2.11.3.',
    affected: [{ package: jinja, events: before('2.11.3') }],
    references: ['https://github.com/pallets/jinja/pull/1343'],
  }),
  jinjaXmlattr: osvRecordOf({
    id: 'GHSA-h5c8-rqwp-cp95',
    aliases: ['CVE-2024-22195'],
    summary:
      'Jinja vulnerable to HTML attribute injection when passing user input as keys to xmlattr filter',
    rating: ['MODERATE', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:L/A:N'],
    affected: [{ package: jinja, events: before('3.1.3') }],
    references: ['https://github.com/pallets/jinja/security/advisories/GHSA-h5c8-rqwp-cp95'],
  }),
  requestsRedirect: osvRecordOf({
    id: 'GHSA-x84v-xcm2-53pg',
    aliases: ['CVE-2018-18074', 'PYSEC-2018-28'],
    summary: 'Insufficiently Protected Credentials in Requests',
    rating: ['HIGH', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N'],
    affected: [{ package: requests, events: before('2.20.0') }],
    references: ['https://nvd.nist.gov/vuln/detail/CVE-2018-18074'],
  }),
} as const;
