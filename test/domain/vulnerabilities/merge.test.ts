import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Vulnerability } from '../../../shared/api/schemas/scan.ts';
import { readCvss } from '../../../shared/domain/vulnerabilities/cvss.ts';
import { toFinding } from '../../../shared/domain/vulnerabilities/finding.ts';
import { mergeVulnerabilities } from '../../../shared/domain/vulnerabilities/merge-vulnerabilities.ts';
import { limits } from '../../../shared/domain/vulnerabilities/scan-limits.ts';
import { ratings } from '../../../shared/domain/vulnerabilities/severity.ts';

const byGithub = toFinding({
  id: 'GHSA-g3rq-g295-4j3m',
  aliases: ['CVE-2020-28493'],
  summary: 'Regular Expression Denial of Service (ReDoS) in Jinja2',
  severity: 'medium',
  cvss: [readCvss('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L')],
  ranges: ['<2.11.3'],
  fixedVersions: ['2.11.3'],
  references: ['https://github.com/pallets/jinja/pull/1343'],
  components: ['jinja2 2.11.2'],
  sources: ['ghsa'],
});

const byPypa = toFinding({
  id: 'PYSEC-2021-66',
  aliases: ['cve-2020-28493'],
  ranges: ['<2.11.3'],
  fixedVersions: ['2.11.3', '3.0'],
  references: ['https://jinja.example.com/2.11.2/'],
  components: ['jinja2 2.11.2'],
  sources: ['pysec'],
});

const other = toFinding({ id: 'CVE-2024-22195', severity: 'low', sources: ['nvd'] });

describe('mergeFindings', () => {
  it('makes one of the findings that share an alias, whatever its case', () => {
    const merged = mergeVulnerabilities([byPypa, other, byGithub]);

    expect(merged).toEqual([
      {
        id: 'GHSA-g3rq-g295-4j3m',
        aliases: ['CVE-2020-28493', 'PYSEC-2021-66'],
        summary: 'Regular Expression Denial of Service (ReDoS) in Jinja2',
        severity: 'medium',
        cvss: byGithub.cvss,
        affected_range: '<2.11.3',
        fixed_versions: ['2.11.3', '3.0'],
        fix_state: null,
        references: [
          'https://github.com/pallets/jinja/pull/1343',
          'https://jinja.example.com/2.11.2/',
        ],
        components: ['jinja2 2.11.2'],
        not_affecting: null,
        known_exploited: false,
        epss: null,
        source: 'ghsa, pysec',
      },
      { ...other, severity: 'low' },
    ]);
  });

  it('makes one of findings that only a third connects', () => {
    const ends = [toFinding({ id: 'A-1' }), toFinding({ id: 'A-3' })];
    const link = toFinding({ id: 'A-2', aliases: ['A-1', 'A-3'] });

    expect(mergeVulnerabilities(ends)).toHaveLength(2);
    expect(mergeVulnerabilities([...ends, link])).toHaveLength(1);
  });

  it.each([
    [['GHSA-1', 'CVE-1', 'PYSEC-1'], 'CVE-1'],
    [['PYSEC-1', 'GHSA-1'], 'GHSA-1'],
    [['SNYK-1', 'PYSEC-1'], 'PYSEC-1'],
  ])('keeps of %j the id %s', (ids, expected) => {
    const findings = ids.map((id) => toFinding({ id, aliases: ['X-1'] }));

    expect(mergeVulnerabilities(findings)[0]?.id).toBe(expected);
  });

  it('keeps the id of a single finding, whatever its aliases', () => {
    expect(mergeVulnerabilities([byPypa])[0]?.id).toBe('PYSEC-2021-66');
  });

  it('leaves unrated what nobody has rated; any rating beats that, and the worst counts', () => {
    const unrated = toFinding({ id: 'A-1' });
    const rated = toFinding({ id: 'A-2', aliases: ['A-1'], severity: 'low' });

    const worse = toFinding({ id: 'A-3', aliases: ['A-1'], severity: 'medium' });

    expect(mergeVulnerabilities([unrated])[0]?.severity).toBe('unrated');
    expect(mergeVulnerabilities([unrated, rated])[0]?.severity).toBe('low');
    expect(mergeVulnerabilities([unrated, rated, worse])[0]?.severity).toBe('medium');
  });

  it('takes it to do no harm only where all that tell of it say so', () => {
    const notAffecting = { by: 'osv-scanner', reason: 'unimportant' };
    const harmless = toFinding({ id: 'A-1', notAffecting });
    const alsoHarmless = toFinding({ id: 'A-2', aliases: ['A-1'], notAffecting });
    const harmful = toFinding({ id: 'A-3', aliases: ['A-1'] });

    expect(mergeVulnerabilities([harmless, alsoHarmless])[0]?.not_affecting).toEqual(notAffecting);
    expect(mergeVulnerabilities([harmless, harmful])[0]?.not_affecting).toBeNull();
  });

  it('keeps that it is exploited, the highest probability, and the first known state of a fix', () => {
    const reported = [
      { id: 'A-1', knownExploited: true, epss: [0.1] },
      { id: 'A-2', aliases: ['A-1'], epss: [0.3, 0.2], fixState: 'wont-fix' },
      { id: 'A-3', aliases: ['A-1'], fixState: 'unknown' },
    ];

    expect(mergeVulnerabilities(reported.map(toFinding))).toMatchObject([
      { known_exploited: true, epss: 0.3, fix_state: 'wont-fix' },
    ]);
  });

  it('names the worst first, what nobody has rated last, then by id', () => {
    const findings = [
      toFinding({ id: 'C' }),
      toFinding({ id: 'B', severity: 'low' }),
      toFinding({ id: 'A', severity: 'low' }),
      toFinding({ id: 'Z', severity: 'critical' }),
    ];

    expect(mergeVulnerabilities(findings).map(({ id }) => id)).toEqual(['Z', 'A', 'B', 'C']);
  });

  it('stays quick with a chain of ten thousand aliases', () => {
    const chain = Array.from({ length: limits.findings }, (_, at) =>
      toFinding({ id: `A-${at}`, aliases: [`A-${at + 1}`] }),
    );

    const merged = mergeVulnerabilities(chain.sort((one, two) => (one.id < two.id ? -1 : 1)));

    expect(merged).toHaveLength(1);
    expect(merged[0]?.aliases).toHaveLength(limits.aliases);
  });
});

const id = fc
  .tuple(fc.constantFrom('CVE', 'GHSA', 'PYSEC', 'cve'), fc.nat(8))
  .map((parts) => parts.join('-'));
const finding = fc
  .record({
    id,
    aliases: fc.array(id, { maxLength: 2 }),
    summary: fc.constantFrom('', 'one', 'two'),
    severity: fc.constantFrom(...ratings, null),
    ranges: fc.array(fc.constantFrom('<1', '<2', '>=3 <4'), { maxLength: 2 }),
    fixedVersions: fc.array(fc.constantFrom('1', '2', '4'), { maxLength: 2 }),
    components: fc.array(fc.constantFrom('a 1', 'b 1'), { maxLength: 2 }),
    fixState: fc.constantFrom(null, 'fixed', 'wont-fix'),
    notAffecting: fc.constantFrom(
      null,
      { by: 'a', reason: 'not called' },
      { by: 'b', reason: 'unimportant' },
    ),
    knownExploited: fc.boolean(),
    epss: fc.array(fc.constantFrom(0, 0.5, 1), { maxLength: 2 }),
    sources: fc.array(fc.constantFrom('nvd', 'ghsa', 'osv'), { maxLength: 2 }),
  })
  .map(toFinding);

describe('merging', () => {
  it('never depends on the order of the findings', () => {
    const shuffled = fc
      .array(finding, { maxLength: 12 })
      .chain((found) =>
        fc.tuple(
          fc.constant(found),
          fc.shuffledSubarray(found, { minLength: found.length, maxLength: found.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([found, otherwise]) => {
        expect(mergeVulnerabilities(otherwise)).toEqual(mergeVulnerabilities(found));
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it('changes nothing when done once more', () => {
    fc.assert(
      fc.property(fc.array(finding, { maxLength: 12 }), (found) => {
        const once = mergeVulnerabilities(found);

        expect(mergeVulnerabilities(once)).toEqual(once);
        expect(mergeVulnerabilities([...once, ...once])).toEqual(once);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it('loses no id, and names each only once', () => {
    fc.assert(
      fc.property(fc.array(finding, { maxLength: 12 }), (found) => {
        const merged = mergeVulnerabilities(found);

        const reported = found.flatMap(({ id: own, aliases }) => [own, ...aliases]);
        const kept = merged.flatMap(({ id: own, aliases }) => [own, ...aliases]);
        const keys = kept.map((name) => name.toUpperCase());
        expect(new Set(keys)).toEqual(new Set(reported.map((name) => name.toUpperCase())));
        expect(new Set(keys).size).toBe(keys.length);
        expect(Vulnerability.array().safeParse(merged).success).toBe(true);
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});
