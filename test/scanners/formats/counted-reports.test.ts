import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toScanResult } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { readReport } from '../../../shared/scanners/formats/read-report.ts';
import { exampleReport } from './example.ts';

type Counts = Readonly<Record<string, number>>;

const textOf = (report: string): string =>
  readFileSync(new URL(`reports/${report}.json`, import.meta.url), 'utf8');

const countersOf = (report: string): Counts => {
  const content = readReport(exampleReport(report));
  const id = { ecosystem: 'npm', name: 'app', version: '1.0.0' } as const;
  const { severity } = toScanResult(id, content, { policy: defaultScanPolicy, now: new Date(0) });
  return { ...severity };
};

const words: Readonly<Record<string, string>> = {
  moderate: 'medium',
  negligible: 'low',
  unknown: 'unrated',
};

/** Counts pairs of a vulnerability and its severity as the report's text has them, each vulnerability once. */
const countPairs = (pairs: Iterable<readonly [id: string, word: string]>): Counts => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };
  for (const word of new Map(pairs).values()) {
    const name = word.toLowerCase();
    counts[(words[name] ?? name) as keyof typeof counts] += 1;
  }
  return counts;
};

const pairsIn = (text: string, pattern: RegExp): [string, string][] =>
  [...text.matchAll(pattern)].map(([, id = '', word = '']) => [id, word]);

/** The text in parts, each of which begins where the pattern matches. */
const partsOf = (text: string, beginning: RegExp): string[] => text.split(beginning).slice(1);

const cycloneDxParts = (report: string): string[] =>
  partsOf(textOf(report).split('"vulnerabilities"')[1] ?? '', /(?=^ {6}"id": )/m);

const idOf = (part: string): string => /"id": "([^"]+)"/.exec(part)?.[1] ?? '';

it.each(['sarif-trivy-0.23', 'sarif-trivy-0.33', 'sarif-trivy-0.65', 'sarif-grype'])(
  'counts in %s what its help says of each vulnerability',
  (report) => {
    const told = pairsIn(textOf(report), /"Vulnerability (\S+?)\\nSeverity: (\w+)/g);

    expect(told.length).toBeGreaterThan(1);
    expect(countersOf(report)).toEqual(countPairs(told));
  },
);

it.each(['snyk-2017', 'snyk-2020-projects', 'snyk-2023-container', 'snyk-unmanaged'])(
  'counts in %s each of its ids once, as Snyk rates it',
  (report) => {
    const told = partsOf(textOf(report), /(?="id": )/).map((part): [string, string] => [
      idOf(part),
      /"severity": "(\w+)"/.exec(part)?.[1] ?? '',
    ]);

    expect(told.length).toBeGreaterThan(0);
    expect(countersOf(report)).toEqual(countPairs(told));
  },
);

it.each(['cyclonedx-grype', 'cyclonedx-jake'])(
  'counts in %s the first word of each vulnerability, which is of the tool itself',
  (report) => {
    const told = cycloneDxParts(report).map((part): [string, string] => [
      idOf(part),
      /"severity": "(\w+)"/.exec(part)?.[1] ?? '',
    ]);

    expect(told.length).toBeGreaterThan(5);
    expect(countersOf(report)).toEqual(countPairs(told));
  },
);

it.each(['cyclonedx-trivy-1.5', 'cyclonedx-trivy-1.6', 'cyclonedx-trivy-1.7'])(
  'counts in %s as whoever tells of the vulnerability rates it, else anybody',
  (report) => {
    const told = cycloneDxParts(report).map((part): [string, string] => {
      const [, source, ...ratings] = part.split(/"source": \{\s*"name": "/);
      const name = source?.split('"')[0] ?? '';
      const rating = ratings.find((text) => text.startsWith(`${name}"`)) ?? part;
      return [idOf(part), /"severity": "(\w+)"/.exec(rating)?.[1] ?? ''];
    });

    expect(told.length).toBeGreaterThan(0);
    expect(countersOf(report)).toEqual(countPairs(told));
  },
);

it.each(['trivy-0.20', 'trivy-0.30', 'trivy-0.57-suppressed', 'trivy-0.69', 'trivy-0.74'])(
  'counts in %s each of its ids once, as Trivy rates it, but for what it suppresses',
  (report) => {
    const [told = ''] = textOf(report).split('"ExperimentalModifiedFindings"');
    const pairs = partsOf(told, /(?="VulnerabilityID": )/).map((part): [string, string] => [
      /"VulnerabilityID": "([^"]+)"/.exec(part)?.[1] ?? '',
      /"Severity": "(\w+)"/.exec(part)?.[1] ?? '',
    ]);

    expect(pairs.length).toBeGreaterThan(0);
    expect(countersOf(report)).toEqual(countPairs(pairs));
  },
);

it.each(['grype-0.7', 'grype-0.24', 'grype-0.75', 'grype-0.94'])(
  'counts in %s each vulnerability that is matched, as Grype rates it',
  (report) => {
    const told = partsOf(textOf(report), /(?="vulnerability": \{)/).map(
      (part): [string, string] => [idOf(part), /"severity": "(\w+)"/.exec(part)?.[1] ?? ''],
    );

    expect(told.length).toBeGreaterThan(0);
    expect(countersOf(report)).toEqual(countPairs(told));
  },
);

/** What NVD rates the one that OSV-Scanner tells of with a vector alone. */
const ratedByNvd: readonly [string, string][] = [['CVE-2023-50094', 'HIGH']];

it.each(['osv-scanner-1.6', 'osv-scanner-2.0', 'osv-scanner-2.5'])(
  'counts in %s each group of ids once, as their database words it',
  (report) => {
    const text = textOf(report);
    const words = new Map(ratedByNvd);
    for (const record of partsOf(text, /^ {12}\{$/m)) {
      const [, id = ''] = /^ {14}"id": "([^"]+)"/m.exec(record) ?? [];
      const [, word] = /"severity": "([A-Z]+)"/.exec(record) ?? [];
      if (word) words.set(id, word);
    }
    const groups = pairsIn(text, /("ids": \[([^\]]*)\])/g).map(([ids]): [string, string] => {
      const named = pairsIn(ids, /"([\w-]+-[\w-]+)"()/g).map(([id]) => words.get(id));
      return [ids, named.find(Boolean) ?? 'unknown'];
    });

    expect(groups.length).toBeGreaterThan(0);
    expect(countersOf(report)).toEqual(countPairs(groups));
  },
);

it.each(['npm-audit-7', 'npm-audit-8', 'npm-audit-9', 'npm-audit-10'])(
  'counts in %s each advisory once, as npm rates it',
  (report) => {
    const told = pairsIn(textOf(report), /"url": "([^"]+)",\s*"severity": "(\w+)"/g);

    expect(told.length).toBeGreaterThan(0);
    expect(countersOf(report)).toEqual(countPairs(told));
  },
);

it.each(['pip-audit-1.1', 'pip-audit-2.0', 'pip-audit-2.7'])(
  'counts in %s each of its ids once, as nobody rates it',
  (report) => {
    const told = pairsIn(textOf(report), /"id": "([^"]+)"()/g);

    expect(told.length).toBeGreaterThan(0);
    expect(countersOf(report)).toEqual(countPairs(told.map(([id]) => [id, 'unknown'])));
  },
);

it.each([
  'npm-audit-6-2018',
  'npm-audit-6-2022',
  'pnpm-audit-7',
  'pnpm-audit-9',
  'pnpm-audit-10',
  'pnpm-audit-11',
  'pnpm-audit-11-defectdojo',
])('counts in %s what npm 6 and pnpm count', (report) => {
  const counted = /"vulnerabilities": (\{[^}]*\})/.exec(textOf(report))?.[1] ?? '{}';
  const { info, low, moderate, high, critical } = JSON.parse(counted);

  expect(countersOf(report)).toEqual({
    critical,
    high,
    medium: moderate,
    low: low + info,
    unrated: 0,
  });
});
