import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Vulnerability } from '../../../shared/api/schemas/scan.ts';
import { problems, RegistryError } from '../../../shared/domain/errors.ts';
import { mergeVulnerabilities } from '../../../shared/domain/vulnerabilities/merge-vulnerabilities.ts';
import { readReport } from '../../../shared/scanners/formats/read-report.ts';
import { histories } from '../../support/histories.ts';
import { exampleReport, exampleReports } from './example.ts';

/** Only ever valid findings, or a 400. Says which of the two it was. */
const outcomeOf = (body: unknown): 'read' | 'refused' => {
  try {
    const { tools, findings } = readReport(body);
    expect(Vulnerability.array().parse(findings)).toEqual(findings);
    expect(mergeVulnerabilities(findings)).toEqual(findings);
    expect(tools.length).toBeGreaterThan(0);
    return 'read';
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    expect(problems[error.code].status).toBe(400);
    return 'refused';
  }
};

/** A true report in which something, at some depth, is another value. */
const damaged = (value: unknown, damage: unknown, pick: () => number): unknown => {
  if (typeof value !== 'object' || value === null || pick() % 4 === 0) return damage;
  const keys = Object.keys(value);
  const key = keys[pick() % Math.max(1, keys.length)];
  if (key === undefined) return damage;
  const changed = damaged((value as Record<string, unknown>)[key], damage, pick);
  if (Array.isArray(value)) return value.with(Number(key), changed);
  return { ...value, [key]: changed };
};

const anything = fc.oneof(
  fc.constantFrom(null, [], {}, '', '\u0000', -1, [[]], [null], ['x'], [{}]),
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 50 }),
);

it('reads or refuses a true report in which something is wrong', () => {
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(
      fc.constantFrom(...exampleReports),
      anything,
      fc.array(fc.nat(1000), { minLength: 1, maxLength: 12 }),
      (name, damage, picks) => {
        let at = 0;
        const pick = (): number => picks[at++ % picks.length] ?? 0;

        outcomes.add(outcomeOf(damaged(exampleReport(name), damage, pick)));
      },
    ),
    { numRuns: histories(2000), seed: 1 },
  );
  expect(outcomes).toEqual(new Set(['read', 'refused']));
});

const fields = fc.constantFrom(
  ...['SchemaVersion', 'Results', 'matches', 'descriptor', 'auditReportVersion', 'advisories'],
  ...['vulnerabilities', 'dependencies', 'results', 'tool', 'tools_used', 'error', '__proto__'],
  ...['bomFormat', 'specVersion', 'components', 'metadata', 'runs', 'version', '$schema', 'ok'],
  ...['dependencyCount', 'applications', 'spdxVersion', '@context', 'scan', 'scanInfo'],
);

it('reads or refuses anything with the fields of its formats', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fields, anything), { maxLength: 7 }), (pairs) => {
      outcomeOf(Object.fromEntries(pairs));
    }),
    { numRuns: histories(1000), seed: 1 },
  );
});

it('reads or refuses any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      outcomeOf(body);
    }),
    { numRuns: histories(500), seed: 1 },
  );
});
