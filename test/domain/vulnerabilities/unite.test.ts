import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toFinding } from '../../../shared/domain/vulnerabilities/finding.ts';
import {
  mergeFindings,
  type SourceFindings,
} from '../../../shared/domain/vulnerabilities/merge-findings.ts';
import {
  foldId,
  mergeVulnerabilities,
} from '../../../shared/domain/vulnerabilities/merge-vulnerabilities.ts';
import { limits } from '../../../shared/domain/vulnerabilities/scan-limits.ts';
import { compareSeverities } from '../../../shared/domain/vulnerabilities/severity.ts';
import { measureWork } from '../../support/work.ts';

type FindingFields = Parameters<typeof toFinding>[0];

const source = (sourceId: string, ...findings: readonly FindingFields[]): SourceFindings => ({
  sourceId,
  isTrusted: sourceId === 'osv.dev',
  vulnerabilities: mergeVulnerabilities(findings.map(toFinding)),
});

const idsOf = (sources: readonly SourceFindings[]): string[] =>
  mergeFindings(sources).map(({ vulnerability }) => vulnerability.id);

const critical = (id: string, ...aliases: string[]): FindingFields => ({
  id,
  aliases,
  severity: 'critical',
});
const mild = (id: string, ...aliases: string[]): FindingFields => ({
  id,
  aliases,
  severity: 'low',
});

describe('what several tools found', () => {
  it('stands once, under whichever id each knows it', () => {
    const [united, ...others] = mergeFindings([
      source('trivy', critical('CVE-2026-1', 'GHSA-aaaa')),
      source('npm audit', mild('GHSA-aaaa')),
    ]);

    expect(others).toEqual([]);
    expect(united?.vulnerability).toMatchObject({
      ...{ id: 'GHSA-aaaa', aliases: ['CVE-2026-1'], severity: 'critical' },
    });
    expect(united?.members.map((member) => member.source.sourceId)).toEqual(['trivy', 'npm audit']);
  });

  it("stands once where only the registry's own scanner knows both ids", () => {
    const sources = [
      source('trivy', critical('CVE-2026-1')),
      source('npm audit', mild('GHSA-aaaa')),
      source('osv.dev', mild('GHSA-aaaa', 'CVE-2026-1')),
    ];

    expect(idsOf(sources)).toEqual(['CVE-2026-1']);
  });

  it('is not made one by an upload that calls it the same', () => {
    const sources = [
      source('trivy', critical('CVE-2026-1'), critical('CVE-2026-2'), critical('CVE-2026-3')),
      source('grype', critical('CVE-2026-4')),
      source('liar', mild('CVE-2000-1', 'CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3', 'CVE-2026-4')),
    ];

    expect(idsOf(sources)).toHaveLength(4);
    expect(idsOf(sources.reverse())).toHaveLength(4);
    for (const { vulnerability } of mergeFindings(sources)) {
      expect(vulnerability.severity).toBe('critical');
    }
  });

  it('keeps the ids by which it was found, however many aliases somebody adds', () => {
    const noise = Array.from({ length: 50 }, (_, at) => `AAA-${at}`);
    const [united] = mergeFindings([
      source('trivy', critical('XYZ-1')),
      source('liar', mild('CVE-2000-1', 'XYZ-1', ...noise)),
    ]);

    expect(united?.vulnerability.id).toBe('XYZ-1');
    expect(united?.vulnerability.aliases).toHaveLength(limits.aliases);
    expect(united?.vulnerability.aliases).toContain('CVE-2000-1');
  });

  it.each(['osv.dev', 'trivy'])(
    'keeps the name that %s gives it, whatever an upload calls it',
    (by) => {
      const liar = { ...mild('CVE-0000-0001', 'CVE-2021-44228'), summary: 'Typo' };
      const honest = { ...critical('CVE-2021-44228'), summary: 'Remote code execution' };

      const [united, ...others] = mergeFindings([source('a liar', liar), source(by, honest)]);

      expect(others).toEqual([]);
      expect(united?.vulnerability).toMatchObject({
        ...{ id: 'CVE-2021-44228', summary: 'Remote code execution', severity: 'critical' },
        aliases: ['CVE-0000-0001'],
      });
    },
  );

  it('is called as its own scanner calls it, however many call it otherwise', () => {
    const liars = ['a', 'b', 'c'].map((name) => source(name, mild('CVE-0000-0001', 'CVE-2026-1')));

    expect(idsOf([...liars, source('osv.dev', critical('CVE-2026-1'))])).toEqual(['CVE-2026-1']);
  });

  it('keeps the best known of the ids that equally many name', () => {
    const sources = [
      source('a', mild('X-1', 'GHSA-1', 'CVE-1')),
      source('b', mild('GHSA-1', 'X-1')),
    ];

    expect(idsOf(sources)).toEqual(['GHSA-1']);
  });

  it.each(['osv.dev', 'trivy'])('keeps what %s tells, however much others add', (by) => {
    const many = (prefix: string) => Array.from({ length: 250 }, (_, at) => `${prefix}${at}`);
    const honest = {
      ...critical('CVE-2021-44228', 'GHSA-jfh8-c2jp-5v3q'),
      ...{ fixedVersions: ['2.15.0'], components: ['log4j-core 2.14.1'], ranges: ['<2.15.0'] },
      ...{ references: ['https://example.com/log4shell'], sources: ['ghsa'] },
    };
    const liars = ['A', 'B', 'C'].map((name) =>
      source(name, {
        ...mild('CVE-2021-44228', ...many(`A${name}-`)),
        ...{ fixedVersions: many(`0.${name}.`), components: many(`a${name} `) },
        ...{ ranges: many(`<0.${name}.`), sources: many(`a${name}`) },
        references: many(`https://example.com/${name}/`),
      }),
    );

    const [united] = mergeFindings([...liars, source(by, honest)]);

    const vulnerability = united?.vulnerability;
    expect(vulnerability?.aliases).toContain('GHSA-jfh8-c2jp-5v3q');
    expect(vulnerability?.fixed_versions).toContain('2.15.0');
    expect(vulnerability?.components).toContain('log4j-core 2.14.1');
    expect(vulnerability?.affected_range.split(' || ')).toContain('<2.15.0');
    expect(vulnerability?.references).toContain('https://example.com/log4shell');
    expect(vulnerability?.source.split(', ')).toContain('ghsa');
    expect(vulnerability?.aliases).toHaveLength(limits.aliases);
    expect(vulnerability?.components).toHaveLength(limits.components);
  });

  it('is cheap to unite, whatever aliases uploads make up', () => {
    // Each finding shares one alias with each of many of every other source, and belongs to few of them.
    const [sourceCount, findingCount, aliasCount] = [10, 650, 50];
    const made = Array.from({ length: sourceCount }, (_, by) =>
      source(
        `source ${by}`,
        ...Array.from({ length: findingCount }, (__, at) =>
          mild(
            `CVE-${by}-${at}`,
            ...Array.from(
              { length: aliasCount },
              (___, alias) => `X-${(at + alias * (7 * by + 1)) % findingCount}-${alias}`,
            ),
          ),
        ),
      ),
    );
    let count = 0;
    const work = measureWork(() => {
      count = mergeFindings(made).length;
    });

    expect(count).toBeGreaterThan(findingCount);
    expect(work).toBeLessThan(60);
  });

  it('does harm where one says so, and does none only where all do', () => {
    const harmless = {
      ...critical('CVE-2026-1'),
      notAffecting: { by: 'x', reason: 'unreachable' },
    };

    const [one] = mergeFindings([source('a', critical('CVE-2026-1')), source('b', harmless)]);
    const [both] = mergeFindings([source('a', harmless), source('b', harmless)]);

    expect(one?.vulnerability.not_affecting).toBeNull();
    expect(both?.vulnerability.not_affecting).not.toBeNull();
  });
});

const id = fc.constantFrom('CVE-1', 'CVE-2', 'cve-2', 'GHSA-1', 'GHSA-2', 'X-1', 'X-2', 'X-3');
const findingFields = fc.record({
  id,
  aliases: fc.array(id, { maxLength: 3 }),
  severity: fc.constantFrom('critical', 'high', 'low', null),
});
const sources = fc
  .uniqueArray(
    fc.record({
      sourceId: fc.constantFrom('osv.dev', 'trivy', 'grype', 'liar'),
      findings: fc.array(findingFields, { maxLength: 5 }),
    }),
    { selector: ({ sourceId }) => sourceId, maxLength: 4 },
  )
  .map((all) => all.map(({ sourceId, findings }) => source(sourceId, ...findings)));

it('is all there, apart where its tool tells it apart, and never milder, whatever others claim', () => {
  fc.assert(
    fc.property(sources, (all) => {
      const united = mergeFindings(all);
      for (const one of all) {
        for (const finding of one.vulnerabilities) {
          const entries = united.filter(({ members }) =>
            members.some((member) => member.finding === finding),
          );
          expect(entries).toHaveLength(1);
          const [entry] = entries;
          expect(entry?.members.filter((member) => member.source === one)).toHaveLength(1);
          const { severity, id: shown, aliases } = entry?.vulnerability ?? finding;
          expect([shown, ...aliases].map(foldId)).toContain(foldId(finding.id));
          if (finding.severity !== 'unrated') {
            expect(compareSeverities(severity, finding.severity)).toBeLessThanOrEqual(0);
          }
        }
      }
      const count = united.reduce((sum, { members }) => sum + members.length, 0);
      expect(count).toBe(all.reduce((sum, { vulnerabilities }) => sum + vulnerabilities.length, 0));
    }),
  );
});
