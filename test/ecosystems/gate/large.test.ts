import { expect, it } from 'vitest';
import { noFacts } from '../../../shared/domain/facts/facts.ts';
import { makePackument } from '../../../shared/ecosystems/npm/gate/approved-packument.ts';
import { formatProject, makeProject } from '../../../shared/ecosystems/pypi/gate/project.ts';

const facts = { ...noFacts, found: 'yes', reason: null } as const;
/** What Lambda takes, as the string that a body is there. */
const mostBytes = 6_291_456;
const measureBody = (body: string): number => Buffer.byteLength(JSON.stringify(body));

it('a package of more versions than fit into an answer has the newest ones', () => {
  const versions = Array.from({ length: 6000 }, (_, at) => {
    const version = `1.${6000 - at}.0`;
    const dependencies = Object.fromEntries(
      Array.from({ length: 30 }, (__, n) => [`@acme/dependency-${n}`, version]),
    );
    const dist = { tarball: 'https://origin.example.com/x', integrity: 'sha512-AA==' };
    return { version, facts, manifest: { kind: 'npm', version: { dependencies, dist } } as const };
  });

  const packument = Object(
    makePackument('lib', versions, { base: 'https://a', approved: new Map() }),
  );

  const served = Object.keys(packument.versions);
  expect(served.length).toBeGreaterThan(2000);
  expect(served.length).toBeLessThan(6000);
  expect(packument['dist-tags'].latest).toBe('1.6000.0');
  expect(measureBody(JSON.stringify(packument))).toBeLessThan(mostBytes);
});

it('a project of more files than fit into an answer has those of the newest versions', () => {
  const versions = Array.from({ length: 600 }, (_, at) => {
    const version = `1.${600 - at}.0`;
    const files = Array.from({ length: 40 }, (__, n) => ({
      filename: `lib-${version}-cp3${n}-manylinux_2_17_x86_64.manylinux2014_x86_64.whl`,
      url: 'https://files.example.com/x',
      hashes: { sha256: 'a'.repeat(64) },
      'requires-python': '>=3.9,!=3.10.0,<4',
      'core-metadata': { sha256: 'b'.repeat(64) },
    }));
    return { version, facts, manifest: { kind: 'pypi', files } as const };
  });

  const project = makeProject('lib', versions, 'https://gate.example.com/prod/pypi');

  expect(project.versions[0]).toBe('1.600.0');
  expect(project.versions.length).toBeLessThan(600);
  expect(measureBody(JSON.stringify(project))).toBeLessThan(mostBytes);
  expect(measureBody(formatProject(project))).toBeLessThan(mostBytes);
});
